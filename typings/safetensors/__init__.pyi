"""What jitcore uses of safetensors, for type checkers that do not see the installed one."""

from typing import Any

class SafetensorError(Exception): ...

def deserialize(bytes: bytes) -> list[tuple[str, dict[str, Any]]]: ...
