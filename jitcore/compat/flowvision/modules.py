"""Which modules of jitcore each module of FlowVision draws on, and which names FlowVision has."""

from __future__ import annotations

from typing import Final

from jitcore.compat.finder import Contents, Framework

_HERE: Final = "jitcore.compat.flowvision"


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MODELS: Final = _names(
    """
    alexnet convnext_base convnext_small convnext_tiny crossformer_base densenet121 densenet161 densenet169 densenet201
    efficientnet_b0 ghostnet googlenet inception_v3 mlp_mixer_b16_224 mnasnet0_5 mnasnet1_0 mobilenet_v2
    mobilenet_v3_large mobilenet_v3_small poolformer_s12 pvt_small regnet_y_400mf resnet101 resnet152 resnet18
    resnet34 resnet50 resnext50_32x4d rexnetv1_1_0 senet154 shufflenet_v2_x1_0 squeezenet1_0 squeezenet1_1
    swin_base_patch4_window7_224 swin_tiny_patch4_window7_224 vgg11 vgg11_bn vgg13 vgg13_bn vgg16 vgg16_bn vgg19
    vgg19_bn vit_base_patch16_224 wide_resnet50_2
    """
)
_DATASETS: Final = _names("CIFAR10 CIFAR100 CocoDetection FashionMNIST ImageFolder ImageNet MNIST VOCDetection")
_TRANSFORMS: Final = _names(
    """
    CenterCrop ColorJitter Compose ConvertImageDtype FiveCrop GaussianBlur Grayscale InterpolationMode Lambda
    Normalize PILToTensor Pad RandomApply RandomChoice RandomCrop RandomErasing RandomGrayscale RandomHorizontalFlip
    RandomOrder RandomResizedCrop RandomRotation RandomVerticalFlip Resize TenCrop ToPILImage ToTensor
    """
)

FLOWVISION: Final = Framework(
    "flowvision",
    "FlowVision",
    {
        "flowvision": Contents({}, (), frozenset(["layers", "loss", "scheduler", "utils", "data"])),
        "flowvision.models": Contents({}, (f"{_HERE}.models",), _MODELS),
        "flowvision.models.neural_style_transfer": Contents({}, (), frozenset(["fast_neural_style"])),
        "flowvision.models.neural_style_transfer.stylenet": Contents({}, (), frozenset(["neural_style_transfer"])),
        "flowvision.datasets": Contents({}, (f"{_HERE}.datasets",), _DATASETS),
        "flowvision.transforms": Contents({}, (f"{_HERE}.transforms",), _TRANSFORMS),
    },
)
