"""What jitcore uses of safetensors.numpy."""

from typing import Any

def save(tensor_dict: dict[str, Any], metadata: dict[str, str] | None = None) -> bytes: ...
