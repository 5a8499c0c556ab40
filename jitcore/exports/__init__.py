"""Models that leave Python: compiled functions and networks as folders, which other processes load without the source.

    jitcore.export(net, jitcore.InputSpec(("batch", 784), jitcore.float32), "net")
    net = jitcore.load("net")

A folder holds `manifest.json` (what goes in and comes out, versions of the format and of each primitive, checksums),
for each case of extents a `program_N.ir` (optimised ANF as text), and `constants.safetensors` (parameters and
constants). Nothing in it is executed by Python. A path that ends in `.onnx` is that of an ONNX model (`exports.onnx`).
"""

from __future__ import annotations

from jitcore.exports.exporting import export
from jitcore.exports.folders import ModelFileError
from jitcore.exports.loaded import LoadedFunction
from jitcore.exports.loading import load
from jitcore.exports.specs import InputSpec

__all__ = ["InputSpec", "LoadedFunction", "ModelFileError", "export", "load"]
