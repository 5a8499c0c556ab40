"""The names that OneFlow's modules have (0.7 to 1.0): those that jitcore has not are refused when they are used."""

from __future__ import annotations

from typing import Final


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


ONEFLOW: Final = _names(
    """
    BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor FunctionConfig Generator HalfTensor IntTensor LongTensor
    Size Tensor abs acos acosh adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d add addcdiv addcmul addmm
    all allclose amax amin any arange arccos arccosh arcsin arcsinh arctan arctanh argmax argmin argsort argwhere
    as_strided as_strided_ as_tensor asin asinh atan atan2 atanh atleast_1d atleast_2d atleast_3d baddbmm batch_gather
    bernoulli bfloat16 bincount bitwise_and bitwise_not bitwise_or bitwise_xor bmm bool broadcast_like
    broadcast_shapes broadcast_tensors broadcast_to cast cat cdouble ceil ceil_ cfloat chunk clamp clamp_ clamp_max
    clamp_max_ clamp_min clamp_min_ clip clip_ clone column_stack complex128 complex64 concat contiguous
    contiguous_format convert_oneflow_dtype_to_numpy_dtype cos cosh cross cumprod cumsum default_generator
    deform_conv2d det device diag diagonal distributed_partial_fc_sample div div_ dot double dstack dtype dtypes
    einsum empty empty_like empty_strided enable_grad eq equal erf erfc erfinv erfinv_ exp exp2 expand expm1 eye
    finfo flatten flip float float16 float32 float64 floor floor_ floor_divide fmod frac frac_ from_dlpack from_numpy
    full full_like function_config gather gather_nd ge gelu gen_tensor_buffer get_autocast_cpu_dtype
    get_autocast_gpu_dtype get_default_dtype get_rng_state global_to_global greater greater_equal gt gt_ half
    hann_window hsplit hstack iinfo in_top_k index_add index_add_ index_select inference_mode initial_seed int int32
    int64 int8 inverse is_autocast_enabled is_deprecated is_floating_point is_grad_enabled is_nonzero is_tensor
    isclose isfinite isinf isnan layout le lerp lerp_ lgamma linspace load local_to_global log log10 log1p log2
    log_softmax logaddexp logical_and logical_not logical_or logical_xor logspace logsumexp long lt manual_seed
    masked_fill masked_fill_ masked_select matmul max maximum mean median memory_format meshgrid min minimum mish mm
    mode movedim mul multinomial mv nansum narrow ne neg negative new_empty new_full new_ones new_zeros nms no_grad
    nonzero norm normal not_equal numel oneflow_deprecate ones ones_like pad permute placement pow preserve_format
    prod quantile quick_gelu rand randint randint_like randn randn_like randperm reciprocal record relu repeat
    repeat_interleave reshape roc_auc_score roi_align roll round round_ row_stack rsqrt save scatter scatter_add
    scatter_nd searchsorted seed select selu set_autocast_enabled set_default_dtype set_default_tensor_type
    set_grad_enabled set_num_threads set_printoptions set_rng_state sigmoid sign silu sin sin_ sinh slice slice_update
    softmax softplus softshrink softsign sort split sqrt square squeeze stack stateful_op std stft strided sub sum
    swapaxes swapdims t tan tanh tensor tensor_buffer tensor_buffer_to_list_of_tensors tensor_buffer_to_tensor
    tensor_scatter_nd_update tensor_split tensor_to_tensor_buffer tensordot threshold tile to_consistent to_dlpack
    to_global to_local topk transpose tril triu trunc uint8 unbind unique unsqueeze use_deterministic_algorithms var
    view vsplit vstack where zero_ zeros zeros_like
    """
)

NN: Final = _names(
    """
    AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d
    AllReduce AvgPool1d AvgPool2d AvgPool3d BCELoss BCEWithLogitsLoss BatchNorm1d BatchNorm2d BatchNorm3d CELU
    COCOReader CTCLoss CoinFlip CombinedMarginLoss ConstantPad1d ConstantPad2d ConstantPad3d Conv1d Conv2d Conv3d
    ConvTranspose1d ConvTranspose2d ConvTranspose3d CosineSimilarity CropMirrorNormalize CrossEntropyLoss
    DistributedPariticalFCSample Dropout Dropout1d Dropout2d Dropout3d ELU Embedding FakeQuantization Flatten Fold
    FusedBatchNorm1d FusedBatchNorm2d FusedBatchNorm3d FusedMLP GELU GLU GPTIndexedBinDataReader GRU GRUCell Graph
    GroupNorm Hardshrink Hardsigmoid Hardswish Hardtanh Identity InstanceNorm1d InstanceNorm2d InstanceNorm3d
    KLDivLoss L1Loss LSTM LSTMCell LayerNorm LeakyReLU Linear LogSigmoid LogSoftmax MSELoss MarginRankingLoss
    MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d MinMaxObserver Mish Module ModuleDict ModuleList
    MovingAverageMinMaxObserver NLLLoss OFRecordBytesDecoder OFRecordImageDecoder OFRecordImageDecoderRandomCrop
    OFRecordRawDecoder OFRecordReader OfrecordRawDecoder OfrecordReader PReLU PairwiseDistance Parameter ParameterDict
    ParameterList PixelShuffle QatConv1d QatConv2d QatConv3d Quantization QuickGELU RMSLayerNorm RMSNorm RNN RNNCell
    ReLU ReLU6 ReflectionPad1d ReflectionPad2d ReplicationPad1d ReplicationPad2d SELU Sequential SiLU Sigmoid
    SmoothL1Loss Softmax Softmax2d Softplus Softshrink Softsign SyncBatchNorm Tanh Threshold TripletMarginLoss Unfold
    Upsample UpsamplingBilinear2d UpsamplingNearest2d ZeroPad2d
    """
)

FUNCTIONAL: Final = _names(
    """
    adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d
    adaptive_max_pool3d affine_grid avg_pool1d avg_pool2d avg_pool3d batch_norm binary_cross_entropy
    binary_cross_entropy_with_logits celu conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d
    cosine_similarity cross_entropy ctc_greedy_decoder ctc_loss deform_conv2d depend dropout dropout1d dropout2d
    dropout3d elu embedding fold functional_maxpool gelu glu grid_sample group_norm gumbel_softmax hardshrink
    hardsigmoid hardswish hardtanh interpolate kl_div l1_loss layer_norm leaky_relu linear log_softmax logsigmoid
    max_pool1d max_pool2d max_pool3d max_unpool1d max_unpool2d max_unpool3d mish mse_loss nll_loss normalize one_hot
    pad pairwise_distance prelu quick_gelu relu relu6 rms_layer_norm rms_norm scaled_dot_product_attention selu
    sigmoid silu smooth_l1_loss softmax softplus softshrink softsign sparse_softmax_cross_entropy square_relu tanh
    threshold triplet_margin_loss unfold upsample
    """
)

INIT: Final = _names(
    """
    CalcGain calculate_gain constant_ eye_ kaiming_normal_ kaiming_uniform_ normal_ ones_ orthogonal_ trunc_normal_
    uniform_ xavier_normal_ xavier_uniform_ zeros_
    """
)

NN_UTILS: Final = _names(
    """
    clip_grad_norm_ clip_grad_value_ parameters_to_vector remove_weight_norm vector_to_parameters weight_norm
    """
)

RNN: Final = _names("PackedSequence pack_padded_sequence pack_sequence pad_packed_sequence pad_sequence")

OPTIM: Final = _names("Adadelta Adagrad Adam AdamW Adamax LAMB LBFGS Optimizer RMSprop SGD lr_scheduler")

SCHEDULERS: Final = _names(
    """
    ChainedScheduler ConstantLR CosineAnnealingLR CosineAnnealingWarmRestarts CosineDecayLR CyclicLR ExponentialLR
    LambdaLR LinearLR LRScheduler MultiStepLR MultiplicativeLR OneCycleLR PolynomialLR ReduceLROnPlateau SequentialLR
    StepLR WarmUpLR WarmupLR
    """
)

LINALG: Final = _names("cross det diagonal inv matrix_norm norm vector_norm")

DATA: Final = _names(
    """
    BatchSampler ChainDataset ConcatDataset DataLoader Dataset DistributedSampler IterableDataset RandomSampler
    Sampler SequentialSampler Subset SubsetRandomSampler TensorDataset WeightedRandomSampler get_worker_info
    random_split
    """
)

AUTOGRAD: Final = _names("AutogradMode Function backward enable_grad grad inference_mode no_grad set_grad_enabled")

CUDA: Final = _names(
    """
    BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor current_device
    device_count empty_cache get_device_capability get_device_name get_device_properties get_rng_state
    get_rng_state_all is_available manual_seed manual_seed_all seed set_device set_rng_state set_rng_state_all
    stream synchronize
    """
)

ENV: Final = _names(
    """
    all_device_placement get_local_rank get_node_rank get_node_size get_rank get_world_size init_rdma is_multi_client
    rdma_is_initialized
    """
)

UNITTEST: Final = _names(
    """
    TestCase env num_nodes_required register_test_cases skip_unless skip_unless_1n1d skip_unless_1n2d
    skip_unless_1n4d skip_unless_2n1d skip_unless_2n2d skip_unless_2n4d
    """
)

SBP: Final = _names("broadcast partial_sum sbp split")

COMM: Final = _names(
    "all_gather all_reduce all_to_all barrier broadcast gather recv reduce reduce_scatter scatter send"
)

GRAPH: Final = _names("Graph GraphConfig GraphModule GraphTensor Proxy")
AMP: Final = _names("GradScaler StaticGradScaler autocast autocast_mode custom_fwd custom_bwd")
