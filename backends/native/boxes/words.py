"""What the library's source is written with: words of 64 bits in memory.

`translate` compiles these to instructions; run as Python they do the same through ctypes, one word at a time.
"""

from __future__ import annotations

import ctypes


def load(address: int) -> int:
    """The word at an address."""
    return ctypes.c_int64.from_address(address).value


def store(address: int, word: int) -> None:
    """Put a word at an address."""
    ctypes.c_int64.from_address(address).value = word


def load_any(address: int) -> int:
    """The word at an address that need not be a multiple of 8."""
    return load(address)


def load32(address: int) -> int:
    """The 32 bits at an address, as a number that is not negative."""
    return ctypes.c_uint32.from_address(address).value


def load32_any(address: int) -> int:
    """The 32 bits at an address that need not be a multiple of 4, as a number that is not negative."""
    return load32(address)


def store32(address: int, word: int) -> None:
    """Put the lower 32 bits of a word at an address."""
    ctypes.c_uint32.from_address(address).value = word & 0xFFFFFFFF


def store_any(address: int, word: int) -> None:
    """Put a word at an address that need not be a multiple of 8."""
    store(address, word)


def store16(address: int, word: int) -> None:
    """Put the lower 16 bits of a word at an address."""
    ctypes.c_uint16.from_address(address).value = word & 0xFFFF


def load8(address: int) -> int:
    """The byte at an address, as a number that is not negative."""
    return ctypes.c_uint8.from_address(address).value


def store8(address: int, word: int) -> None:
    """Put the lowest byte of a word at an address."""
    ctypes.c_uint8.from_address(address).value = word & 0xFF


def move(target: int, source: int, size: int) -> None:
    """Copy bytes, which may overlap."""
    ctypes.memmove(target, source, size)


def clear(target: int, size: int) -> None:
    """Fill with zeros."""
    ctypes.memset(target, 0, size)


def fill(target: int, size: int) -> None:
    """Fill with bytes of ones: words that are -1."""
    ctypes.memset(target, 255, size)


def shr(word: int, count: int) -> int:
    """The bits moved down, zeros moved in."""
    return (word & (2**64 - 1)) >> count


def fold(a: int, b: int) -> int:
    """The halves of the product of two words without a sign, combined by exclusive or."""
    product = (a & (2**64 - 1)) * (b & (2**64 - 1))
    return ctypes.c_int64((product >> 64 ^ product) & (2**64 - 1)).value


def trailing_zeros(word: int) -> int:
    """How many of the lowest bits are 0, of a word that has others."""
    return (word & -word).bit_length() - 1


def less_unsigned(a: int, b: int) -> bool:
    """Whether a is less, as numbers without a sign."""
    return a & (2**64 - 1) < b & (2**64 - 1)


def _float(word: int) -> float:
    return ctypes.c_double.from_buffer(ctypes.c_int64(word)).value


def float_less(a: int, b: int) -> bool:
    """Whether the f64 with the bits `a` is less than that with the bits `b`."""
    return _float(a) < _float(b)


def float_equal(a: int, b: int) -> bool:
    """Whether two f64, given as bits, are equal."""
    return _float(a) == _float(b)


def float_bits(number: int) -> int:
    """The bits of the f64 that is nearest to an int."""
    return ctypes.c_int64.from_buffer(ctypes.c_double(number)).value


def float_short(word: int) -> int:
    """The bits of the f64 that is equal to the f32 nearest to an f64, given as bits."""
    return float_of_short(short_of_float(word))


def short_of_float(word: int) -> int:
    """The bits of the f32 that is nearest to an f64, given as bits."""
    return ctypes.c_uint32.from_buffer(ctypes.c_float(_float(word))).value


def float_of_short(word: int) -> int:
    """The bits of the f64 that is equal to an f32, given as bits."""
    number = ctypes.c_float.from_buffer(ctypes.c_uint32(word)).value
    return ctypes.c_int64.from_buffer(ctypes.c_double(number)).value


def float_whole(word: int) -> int:
    """The int that an f64, given as bits, is, rounded toward 0; it must fit."""
    return int(_float(word))
