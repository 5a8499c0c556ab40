"""Training: Models, callbacks, checkpoints."""

from jitcore.train.callback import (
    Callback,
    CheckpointConfig,
    EarlyStopping,
    History,
    LambdaCallback,
    LossMonitor,
    ModelCheckpoint,
    RunContext,
    TimeMonitor,
)
from jitcore.train.loss_scale import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from jitcore.train.model import Model
from jitcore.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint

__all__ = [
    "Callback",
    "CheckpointConfig",
    "DynamicLossScaleManager",
    "EarlyStopping",
    "FixedLossScaleManager",
    "History",
    "LambdaCallback",
    "LossMonitor",
    "LossScaleManager",
    "Model",
    "ModelCheckpoint",
    "RunContext",
    "TimeMonitor",
    "load_checkpoint",
    "load_param_into_net",
    "save_checkpoint",
]
