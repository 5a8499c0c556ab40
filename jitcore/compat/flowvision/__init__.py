"""The parts of FlowVision that OneFlow's documents use: MobileNetV2, CIFAR-10 from local files, and transforms."""
