"""The functions of `torch.nn.functional`, by family."""
