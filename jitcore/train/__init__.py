"""Checkpoints: Parameters saved to and loaded from files."""

from jitcore.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint

__all__ = ["load_checkpoint", "load_param_into_net", "save_checkpoint"]
