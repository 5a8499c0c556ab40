"""`paddle.Model`: networks trained, evaluated and used without loops of one's own."""

from jitcore.compat.paddle.hapi.model import Model
from jitcore.compat.paddle.hapi.summaries import summary

__all__ = ["Model", "summary"]
