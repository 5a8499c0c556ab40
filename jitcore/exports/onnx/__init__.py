"""Inference graphs as ONNX models: what `jitcore.export(function, inputs, "net.onnx")` writes.

`model` makes the file, `conversion` turns graphs and their control flow into ONNX's, and each family of operations has
a file with a table of conversions. `protobuf` is what is used of the package `onnx`, which only an export imports.
"""
