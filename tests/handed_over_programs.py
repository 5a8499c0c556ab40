"""Recursive functions that change lists around them, or that they get and give back: `CASES` holds them, each for an int."""

# pyright: basic


def moves_of_hanoi(n):
    moves = []

    def go(n, a, b, c):
        if n == 0:
            return
        go(n - 1, a, c, b)
        moves.append((a, c))
        go(n - 1, b, a, c)

    go(n, 0, 1, 2)
    return moves


def inorder(n):
    seen = []

    def go(k):
        if k > n:
            return
        go(2 * k)
        seen.append(k)
        go(2 * k + 1)

    go(1)
    return seen


def two_lists(n):
    small, large = [], []

    def go(k):
        if k == 0:
            large.append(0.5)
            return 1
        a = go(k - 1)
        small.append(a)
        b = go(k // 2)
        large.append(b + 0.5)
        return a + b

    return go(n), small, large


def counted(n):
    counts = [0] * (n + 1)

    def go(k):
        counts[k] += 1
        if k > 1:
            go(k - 1)
            go(k - 2)

    go(n)
    return counts


def returned(n):
    def go(k, found):
        if k == 0:
            return found
        found.append(k)
        found = go(k - 1, found)
        found.append(-k)
        return found

    return go(n, [])


def either_list(n):
    even, odd = [], []

    def go(k):
        if k == 0:
            return 0
        if k % 2:
            odd.append(k)
            return go(k - 1) + 1
        even.append(k)
        go(k // 2)
        return go(k - 1)

    return go(n), even, odd


def given_twice(n):
    def go(k, a, b):
        if k == 0:
            return len(a) + len(b)
        a.append(k)
        return go(k - 1, b, a) + go(k - 1, a, b)

    a, b = [], []
    return go(min(n, 5), a, b), a, b


def kept_before(n):
    seen, kept = [], []

    def go(k):
        if k == 0:
            return
        go(k - 1)
        kept.append(len(seen[:]))
        seen.append(k)
        go(k - 2 if k > 2 else 0)

    go(min(n, 8))
    return seen, kept


CASES = [moves_of_hanoi, inorder, two_lists, counted, returned, either_list, given_twice, kept_before]
