"""Training: Models, callbacks, checkpoints."""

from jitcore.train.amp import (
    DynamicLossScaler,
    LossScaler,
    StaticLossScaler,
    all_finite,
    auto_mixed_precision,
    build_train_network,
    custom_mixed_precision,
    get_black_list,
    get_white_list,
    init_status,
)
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
from jitcore.train.schedules import BackupAndRestore, LearningRateScheduler, ReduceLROnPlateau
from jitcore.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint

__all__ = [
    "BackupAndRestore",
    "LearningRateScheduler",
    "ReduceLROnPlateau",
    "DynamicLossScaler",
    "LossScaler",
    "StaticLossScaler",
    "all_finite",
    "auto_mixed_precision",
    "build_train_network",
    "custom_mixed_precision",
    "get_black_list",
    "get_white_list",
    "init_status",
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
