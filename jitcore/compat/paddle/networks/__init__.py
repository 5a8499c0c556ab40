"""The functions of `paddle.nn.functional`, which Layers use."""
