"""The records that direct native calls: tables of words that `call_code`'s machine code reads.

A *table* belongs to one callable and lists its entries, tried in order. An *entry* serves one specialisation: its
*steps* check a call and fetch what the program reads, its *build* operations make Python objects of what the program
left. All words have 8 bytes; a pointer word is an address, kept alive by whoever keeps the record.

A call works in one frame of words on the machine's stack, in this order: registers (Python objects: the arguments,
then what steps fetch), the ndarrays passed, `in` and `out` words, the array results, the stack of build operations.
"""

from __future__ import annotations

from typing import Final

# --- a table: owner (the Python object that keeps it alive), how many entries, their addresses
TABLE_OWNER: Final = 0
TABLE_COUNT: Final = 1
TABLE_ENTRIES: Final = 2

# --- an entry
ARGUMENTS: Final = 0
"""How many arguments it is for, those given by name included."""
STEPS: Final = 1
STEP_COUNT: Final = 2
REGISTERS: Final = 3
"""The arguments and what steps fetch."""
ARRAYS: Final = 4
"""How many of the inputs are arrays."""
IN_WORDS: Final = 5
OUT_WORDS: Final = 6
RESULT_COUNT: Final = 7
"""How many of the results are arrays."""
FRAME_WORDS: Final = 8
RUN: Final = 9
CALLS: Final = 10
"""Counts the calls it served."""
OVERLAPS: Final = 11
"""A byte for each pair of arrays, row by row: whether their memory overlaps. Null if that does not matter."""
WRITTEN: Final = 12
"""The registers of the Tensors that the program writes to, whose versions go up."""
WRITTEN_COUNT: Final = 13
FAIL: Final = 14
"""A callable that makes the exception of a failed program from its context's address; None: the call is not served."""
RESULTS: Final = 15
BUILD: Final = 16
BUILD_COUNT: Final = 17
KEYWORDS: Final = 18
"""A tuple of the names of the last arguments, which are given by name; null: there are none."""
MEMORY: Final = 19
"""Where its array results are to be: ANYWHERE, or calls are not served of which one is in an argument's memory (NEW),
or none (VIEW)."""
RECORD: Final = 20
"""A callable that is given the result and the arguments of a call that gradients go back through (RECORDED), and gives
what the call gives; null: there is none."""
ENTRY_WORDS: Final = 21

HOST_FUNCTION: Final = ENTRY_WORDS
"""Of the record of a host call: the address of the code that makes it."""

ANYWHERE: Final = 0
NEW: Final = 1
VIEW: Final = 2

# --- a step
OP: Final = 0
SOURCE: Final = 1
"""The register it looks at."""
TARGET: Final = 2
"""The register it sets, or the first of the `in` words it writes; -1: none."""
OBJECT: Final = 3
"""An object to compare with, a name, a key, a dict, a callable, or an array's descr."""
OTHER: Final = 4
"""A second object, or the address of an array's extents: an extent, ANY or NOT_ONE for each axis; of ALIKE, of its
operations."""
COUNT: Final = 5
"""A length or rank; of SCALAR, where its value is; of ALIKE, how many operations there are."""
MASK: Final = 6
FLAGS: Final = 7
"""An array's flags in MASK are these."""
CLASS: Final = 8
"""The type the object has exactly; null: it isn't asked. Of ENTRIES, a callable."""
TYPE_NUMBER: Final = 9
STEP_WORDS: Final = 10

ANY: Final = -1
NOT_ONE: Final = -2

# steps that fetch: the register TARGET becomes
CONSTANT: Final = 0  # OBJECT
GLOBAL: Final = 1  # OBJECT[OTHER], OBJECT being a dict; if it is not there CLASS[OTHER], unless that is null
CELL: Final = 2  # the contents of the cell OBJECT
ATTRIBUTE: Final = 3  # SOURCE.OBJECT
ITEM: Final = 4  # SOURCE[OBJECT]
APPLY: Final = 5  # OBJECT(SOURCE)
COLUMN: Final = 6  # an ndarray, of dtype OBJECT, of what is in SOURCE, a list of numbers of type CLASS
# what holds the code points or bytes of SOURCE, a str or bytes (CLASS), whose array's words it writes from COUNT on
STRING: Final = 7
# steps that check
IS: Final = 8  # SOURCE is OBJECT
EQUALS: Final = 9  # SOURCE is OBJECT, or of the same type and equal
HOLDS: Final = 10  # SOURCE is OBJECT, or OTHER(SOURCE) is True
HAS_CLASS: Final = 11  # type(SOURCE) is CLASS
SEQUENCE: Final = 12  # type(SOURCE) is CLASS and len(SOURCE) == COUNT
# steps that check, and write words unless TARGET is -1
FLOAT: Final = 13
INT: Final = 14
BOOL: Final = 15
COMPLEX: Final = 16
# a Tensor's version can be told: its storage is known, or nobody has asked for it yet
VERSIONED: Final = 17
SCALAR: Final = 18  # type(SOURCE) is CLASS, a NumPy scalar's; it is passed as an array without axes
# two numbers computed from `in` words are both 1, or neither is
ALIKE: Final = 19
# steps that check what objects from outside are assumed to be (`runtime.assumptions`), COUNT of them, in a table OTHER
FIELDS: Final = 20  # words of memory: an address, and what is there
# classes' numbers: where each is, and what it is; OBJECT(OBJECT) is True if they hold all the same, and corrects the
# table
CLASSES: Final = 21
ENTRIES: Final = 22  # entries of the dict OBJECT, by its keys' number; OTHER is a table as below
# what an object has
LACKS_OWN: Final = 23  # SOURCE's own attributes have none of name OBJECT
HAS: Final = 24  # whether SOURCE has an attribute OBJECT is COUNT
# an object of which the program has the address, which is written: type(SOURCE) is CLASS, SOURCE is not OBJECT, and
# unless OTHER is null SOURCE
# has no attributes of its own, or one under the name OTHER; unless COUNT is 0 it is where a function is that says of
# SOURCE, and what follows there, whether its contents are as described (`program.boxes.Contents`)
HANDLE: Final = 25
DIFFERS: Final = 26  # SOURCE is not what is in register COUNT
# arrays: these have the highest numbers
NDARRAY: Final = 27  # SOURCE is an ndarray of these properties
TENSOR: Final = 28  # SOURCE is of CLASS, the ndarray in it has these properties, and gradients know nothing of it
RECORDED: Final = 29  # the same, but if gradients know of it RECORD is called

# --- a table of ENTRIES: the number of the dict's keys that it goes by, then for each entry the name, its value (null:
# there is
# none), and where that is, counted from the keys. CLASS(OTHER's address) has it go by other keys.
ENTRIES_VERSION: Final = 0
ENTRIES_FIRST: Final = 1
ENTRY_NAME: Final = 0
ENTRY_VALUE: Final = 1
ENTRY_OFFSET: Final = 2
NAME_WORDS: Final = 3

# --- an operation of ALIKE: its number and an operand. They work on a stack, whose last two numbers are compared.
NUMBER: Final = 0  # the operand
WORD: Final = 1  # the `in` word it numbers
ADD: Final = 2  # of the last two, as those that follow; a divisor that is not positive does not hold
MULTIPLY: Final = 3
DIVIDE: Final = 4  # rounding down
REMAINDER: Final = 5
MAXIMUM: Final = 6
MINIMUM: Final = 7
OPERATION_WORDS: Final = 2
MOST_NUMBERS: Final = 32
"""The most that are on that stack at once."""

# --- an array result
RESULT_WORD: Final = 0
"""Where its words begin in `out`."""
RESULT_RANK: Final = 1
RESULT_DESCR: Final = 2
RESULT_SCALAR: Final = 3
"""Whether it becomes a NumPy scalar."""
RESULT_TAG_WORD: Final = 4
"""It is only there if this word of `out` is RESULT_TAG; -1: always."""
RESULT_TAG: Final = 5
RESULT_ITEMSIZE: Final = 6
RESULT_WORDS: Final = 7

# --- a build operation: its number, N, and a pointer or two. They work on a stack of objects.
BUILD_N: Final = 1
BUILD_OBJECT: Final = 2
BUILD_OTHER: Final = 3
BUILD_WORDS: Final = 4

PUSH_FLOAT: Final = 0  # the number in word N of `out`
PUSH_INT: Final = 1
PUSH_BOOL: Final = 2
PUSH_COMPLEX: Final = 3
PUSH_ARRAY: Final = 4  # the N-th array result
PUSH_TENSOR: Final = 5  # a Tensor of it
PUSH_CONSTANT: Final = 6  # OBJECT
PUSH_REGISTER: Final = 7  # register N
MAKE_TUPLE: Final = 8  # of the last N
CALL: Final = 9  # OBJECT of the last N
SET_ATTRIBUTE: Final = 10  # OBJECT.OTHER = the last, which is popped
SKIP_UNLESS: Final = 11  # unless word N of `out` is OBJECT, skip OTHER operations
SKIP: Final = 12  # N operations
PUSH_CHARACTER: Final = 13  # the str of the code point in word N
PUSH_STRING: Final = 14  # the str whose code points are the array in the words from N on
PUSH_BYTES: Final = 15  # the bytes that it is
PUSH_OBJECT: Final = 16  # the object whose address is in word N
PUSH_OWNED: Final = 20  # the same, with the reference to it that the program leaves
CALL_NAMED: Final = 17  # OBJECT of the last N, of which the last are given by the names in the tuple OTHER
# the last but one is a Tensor of the N-th array result: how it was viewed is the last, which is popped, if it is a view
SET_VIEW: Final = 18
SET_CLASS: Final = 19  # the last, a Tensor that nobody else has yet, is of the class OBJECT, which adds nothing to it

MOST_FRAME_WORDS: Final = 1 << 15
"""A frame larger than this (a quarter of a megabyte) is not put on the stack."""
