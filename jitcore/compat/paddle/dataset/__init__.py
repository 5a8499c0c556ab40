"""`paddle.dataset`, `paddle.reader` and `paddle.batch`: data sets as functions that give iterators."""

from __future__ import annotations
