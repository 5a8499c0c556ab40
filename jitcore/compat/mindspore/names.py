"""The public names of MindSpore, 1.6 to 2.7, module by module: what is here and not in jitcore can be imported, not
used."""

from __future__ import annotations

from typing import Final


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


MINDSPORE: Final = _names(
    """
    Tensor RowTensor SparseTensor COOTensor CSRTensor Parameter ParameterTuple Model DatasetHelper
    connect_network_with_dataset build_train_network LossScaleManager FixedLossScaleManager DynamicLossScaleManager
    save_checkpoint load_checkpoint load_param_into_net load export parse_print build_searched_strategy
    merge_sliced_parameter restore_group_info_list load_distributed_checkpoint async_ckpt_thread_status
    load_checkpoint_async convert_model obfuscate_model load_obf_params_into_net obfuscate_ckpt rank_list_for_transform
    transform_checkpoint_by_rank transform_checkpoints merge_pipeline_strategys merge_sliced_parameter
    get_ckpt_path_with_strategy load_mindir_with_data export_split_mindir check_checkpoint ckpt_to_safetensors
    safetensors_to_ckpt unified_safetensors load_segmented_checkpoints load_distributed_checkpoint SummaryRecord
    SummaryCollector SummaryLandscape LossMonitor TimeMonitor Callback ModelCheckpoint CheckpointConfig RunContext
    LearningRateScheduler LambdaCallback EarlyStopping ReduceLROnPlateau BackupAndRestore History OnRequestExit
    FlopsUtilizationCollector MindIOTTPAdapter TFTRegister Accuracy Precision set_context get_context
    set_auto_parallel_context get_auto_parallel_context reset_auto_parallel_context ParallelMode set_ps_context
    get_ps_context reset_ps_context set_offload_context get_offload_context set_algo_parameters get_algo_parameters
    reset_algo_parameters set_dump set_device set_deterministic set_recursion_limit ms_function ms_class
    ms_memory_recycle jit jit_class JitConfig mutable lazy_inline no_inline recompute flops_collect set_seed get_seed
    manual_seed seed initial_seed get_rng_state set_rng_state Generator default_generator grad value_and_grad jacfwd
    jacrev jvp vjp vmap get_grad is_tensor from_numpy tensor run_check get_level get_log_config shard Layout
    parallel_mode cost_model_context enable_dynamic_memory async_save_ckpt Profiler EnvProfiler QuantDtype DeviceStatus
    Stream Event bfloat16 int4 qint4x2 hifloat8 float8_e4m3fn float8_e5m2 dtype_to_nptype dtype_to_pytype
    pytype_to_dtype get_py_obj_dtype issubclass_ Type Int UInt Float TensorType Number Bool List Tuple String Slice
    Function TypeType TypeNone EnvType number int_ uint float_ tensor_type tuple_ list_ string type_none type_any
    env_type function bool_ byte short intc intp ubyte ushort uintc uintp half single double int8 int16 int32 int64
    uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 DType Symbol enable_dynamic EmbeddingService
    FileWriter FileReader MindPage Cifar10ToMR Cifar100ToMR ImageNetToMR MnistToMR TFRecordToMR CsvToMR set_enc_key
    Parameter dataset_sink_mode data_sink ConvergenceTimeoutError DummyDataset ParallelMode no_grad enable_grad
    is_training_aggregation get_init_tensor Registry StubTensor set_kernel_launch_group set_cpu_affinity DataParallel
    set_tensor_format deprecated memory_summary memory_allocated max_memory_allocated
    DeviceManager op_debug memory_replay
    """
)
DTYPES: Final = MINDSPORE | _names(
    "tensor slice env ref type_type tensor_type_ csr_tensor row_tensor sparse_tensor Ellipsis_ anything"
)
CONTEXT: Final = _names(
    """
    GRAPH_MODE PYNATIVE_MODE STRICT COMPATIBLE LAX set_context get_context set_auto_parallel_context
    get_auto_parallel_context reset_auto_parallel_context ParallelMode set_ps_context get_ps_context reset_ps_context
    set_offload_context get_offload_context set_fl_context get_fl_context
    """
)
INITIALIZERS: Final = _names(
    """
    Initializer initializer TruncatedNormal Normal Uniform HeUniform HeNormal XavierUniform XavierNormal One Zero
    Constant Identity Sparse Dirac Orthogonal VarianceScaling Tensor
    """
)
PRIMITIVE_CLASSES: Final = _names(
    """
    Primitive PrimitiveWithInfer PrimitiveWithCheck prim_attr_register prim_arg_register constexpr
    """
)
PRIMITIVES: Final = PRIMITIVE_CLASSES | _names(
    """
    HSVToRGB RGBToHSV CeLU Ger Unique ReverseSequence Sort EditDistance CropAndResize Add TensorAdd Argmax Argmin
    MaxPool3D AvgPool3D ArgMaxWithValue ArgMinWithValue AddN AccumulateNV2 TensorShape Sub Coalesce CumSum MatMul
    BatchMatMul Mul MaskedFill MaskedSelect MaskedScatter Meshgrid MultiMarginLoss Pow Exp Expm1 Rsqrt Sqrt Square
    DynamicGRUV2 SquaredDifference Xdivy Xlogy Conv2D Conv3D Conv2DTranspose Conv3DTranspose FillV2 Flatten
    MaxPoolWithArgmax MaxPoolWithArgmaxV2 BNTrainingReduce BNTrainingUpdate BatchNorm MaxPool TopK LinSpace Adam
    AdamWeightDecay FusedCastAdamWeightDecay FusedSparseAdam FusedSparseLazyAdam AdamNoUpdateParam FusedAdaFactor
    FusedAdaFactorWithGlobalNorm Softplus Softmax Softsign LogSoftmax SoftmaxCrossEntropyWithLogits BCEWithLogitsLoss
    ROIAlign SparseSoftmaxCrossEntropyWithLogits NLLLoss SGD ApplyMomentum ApplyKerasMomentum
    FusedWeightScaleApplyMomentum ExpandDims Einsum Renorm Cast Reshape Squeeze Transpose OneHot GatherV2 Gather
    SparseGatherV2 EmbeddingLookup Padding GatherD GatherDGradV2 Identity IdentityN UniqueWithPad Concat Pack
    NonMaxSuppressionV3 NonMaxSuppressionWithOverlaps Stack Unpack Unstack UpperBound Tile BiasAdd GeLU Gelu FastGeLU
    FastGelu Minimum Maximum StridedSlice ReduceSum ReduceMean LayerNorm Rank Lerp Less LessEqual LowerBound RealDiv Div
    DivNoNan Inv Invert Fill Fills Ones Zeros OnesLike ZerosLike Select Split SplitV Mish SeLU MulNoNan ReLU ReLU6
    ReLUV2 Elu Erf Erfinv Erfc Sigmoid HSwish HSigmoid Tanh NoRepeatNGram Randperm RandpermV2 RandomChoiceWithMask
    StandardNormal Multinomial MultinomialWithReplacement TruncatedNormal Gamma RandomGamma Mvlgamma Poisson UniformInt
    UniformReal StandardLaplace RandomCategorical RandomShuffle RandomPoisson ResizeBilinear ResizeBilinearV2
    ResizeBicubic ResizeLinear1D ScalarSummary ImageSummary TensorSummary HistogramSummary TensorDump Print Assert
    InsertGradientOf HookBackward InvertPermutation Shape DynamicShape DropoutDoMask DropoutGenMask Dropout Dropout2D
    Dropout3D Neg InplaceAdd InplaceSub InplaceUpdate InplaceUpdateV2 InplaceIndexAdd Slice DType NPUAllocFloatStatus
    NPUGetFloatStatus NPUClearFloatStatus IsNan IsFinite IsInf IsClose Addcdiv Addcmul FloatStatus Reciprocal
    SmoothL1Loss SoftMarginLoss L2Loss CTCLoss CTCLossV2 CTCGreedyDecoder RNNTLoss DynamicRNN ReduceAll ReduceAny
    ReduceStd ScalarToTensor TupleToArray GeSwitch Merge CheckValid BartlettWindow BlackmanWindow HammingWindow
    BoundingBoxEncode BoundingBoxDecode L2Normalize ScatterAdd ScatterSub ScatterMul ScatterDiv ScatterNd ScatterMax
    ScatterMin ScatterNdAdd ScatterNdSub ScatterNdMul ScatterNdDiv ScatterNdMin ScatterNdMax ScatterNonAliasingAdd
    ScatterAddWithAxis ReverseV2 Rint ResizeNearestNeighbor ResizeNearestNeighborV2 HistogramFixedWidth Histogram Pad
    PadV3 MirrorPad GatherNd ScatterUpdate ScatterNdUpdate Floor NMSWithMask IOU Partial Depend UpdateState StopGradient
    identity AvgPool AvgPoolV1 Equal EqualCount NotEqual Greater GreaterEqual LogicalNot LogicalAnd LogicalOr LogicalXor
    Size DepthwiseConv2dNative UnsortedSegmentSum UnsortedSegmentMin UnsortedSegmentMax UnsortedSegmentProd AllGather
    AllReduce AlltoAll AlltoAllV AllGatherV ReduceScatterV Reduce CollectiveGather CollectiveScatter Barrier Send
    Receive ReduceScatter Broadcast ReduceOp NeighborExchange NeighborExchangeV2 ScalarCast GetNext ReduceMax ReduceMin
    ReduceProd CumProd Cdist Cross Log Log1p LogMatrixDeterminant MatrixDeterminant MatrixInverse MatrixExp
    MatrixLogarithm MatrixPower MatrixSolve MatrixTriangularSolve MatrixBandPart MatrixDiagV3 MatrixDiagPartV3
    MatrixSetDiagV3 SigmoidCrossEntropyWithLogits FloorDiv FloorMod Mod TruncateDiv TruncateMod Ceil Acosh Asinh PReLU
    Cos Cosh ACos Diag DiagPart Eye Assign AssignAdd AssignSub Sin Sinc Sinh Asin LSTM Lstsq Abs BinaryCrossEntropy
    KLDivLoss SparseApplyAdagrad SparseApplyAdagradV2 SparseApplyFtrl SparseApplyFtrlV2 FusedSparseFtrl
    FusedSparseProximalAdagrad SparseApplyProximalAdagrad SparseApplyRMSProp SparseApplyAdadelta SpaceToDepth
    DepthToSpace Conv2DBackpropInput ComputeAccidentalHits Sign LpNorm LARSUpdate Round Eps ApplyFtrl SpaceToBatch
    BatchToSpace SpaceToBatchND BatchToSpaceND BatchToSpaceNDV2 ApplyProximalAdagrad ApplyAdaMax ApplyAdadelta
    ApplyAdagrad ApplyAdagradV2 ApplyAdagradDA ApplyAddSign ApplyPowerSign ApplyGradientDescent
    ApplyProximalGradientDescent ApplyRMSProp ApplyCenteredRMSProp ApplyAdamWithAmsgrad ApplyAdamWithAmsgradV2
    BasicLSTMCell InTopK LRN Range DataFormatDimMap DataFormatVecPermute ApproximateEqual Atan Atan2 Atanh BesselI0
    BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 BesselY1 Betainc
    Bernoulli Bincount BitwiseAnd BitwiseOr BitwiseXor BroadcastTo Bucketize BufferAppend BufferGetItem BufferSample
    Cauchy CheckNumerics CheckBprop Cholesky CholeskyInverse CholeskySolve Col2Im Im2Col CombinedNonMaxSuppression
    CompareAndBitpack Complex ComplexAbs ConfusionMatrix Conj ConjugateTranspose CumulativeLogsumexp Cummax Cummin
    Custom CustomOpBuilder DeformableOffsets Digamma Dilation2D Dense EuclideanNorm Expand ExtractGlimpse
    ExtractVolumePatches FFTWithSize FillDiagonal FractionalAvgPool FractionalMaxPool FractionalMaxPool3DWithFixedKsize
    FractionalMaxPoolWithFixedKsize Gcd Lcm Generator Geqrf GLU GridSampler2D GridSampler3D HShrink Heaviside Hypot
    Igamma Igammac Imag Real IndexAdd IndexFill IndexPut InstanceNorm LeftShift RightShift Lgamma ListDiff
    LogNormalReverse LogSpace LogUniformCandidateSampler LogicalAnd LuSolve LuUnpack MapUniform MaxPool3DWithArgmax
    MaxUnpool2D MaxUnpool3D Median Morph MultilabelMarginLoss NextAfter NonDeterministicInts NonZero NthElement
    NuclearNorm Orgqr PSROIPooling ParallelConcat ParameterizedTruncatedNormal PolyGamma PopulationCount
    PrimitiveFunction Pull Push PyExecute PyFunc Qr Quantile RaggedRange ResizeArea ResizeV2 Rol RotaryMul Roll
    RandomUniform SampleDistortedBoundingBoxV2 ScaleAndTranslate SearchSorted SegmentMax SegmentMean SegmentMin
    SegmentProd SegmentSum SoftShrink SparseSlice SparseTensorDenseAdd SparseTensorDenseMatmul SparseToDense
    SquareSumAll STFT SubAndFilter Svd Tan TensorScatterAdd TensorScatterDiv TensorScatterElements TensorScatterMax
    TensorScatterMin TensorScatterMul TensorScatterSub TensorScatterUpdate Trace TransShape TridiagonalMatMul Tril
    TrilIndices Triu TriuIndices TripletMarginLoss Trunc UniformCandidateSampler UniqueConsecutive UnravelIndex
    UpsampleNearest3D UpsampleTrilinear3D Zeta AdaptiveAvgPool2D AdaptiveAvgPool3D AdaptiveMaxPool2D AdaptiveMaxPool3D
    AdjustHue AdjustSaturation AffineGrid ms_kernel kernel FloorMod Reusing SiLU Swiglu WhileLoop Scan ForiLoop MoveTo
    """
)
SEQUENCE_OPS: Final = _names(
    """
    ListAppend ListInsert ListAppendAndInsertGrad ShapeMulGrad shape_mul SequenceSlice InSequence SequenceSliceSetItem
    SequenceSliceGrad SequenceAdd SequenceAddOffset TupleToTensor ListToTensor TensorToTuple TensorToList TensorToScalar
    SequenceCount SequenceIndex SequenceMul SequenceZerosLike make_range tuple_equal list_equal sequence_len SequenceMax
    SequenceMin SequenceAddN SequenceStack SequenceUnstack tuple_greater_than tuple_greater_equal list_greater_than
    list_greater_equal tuple_lt list_lt tuple_le list_le
    """
)
SCALAR_OPS: Final = _names("bool_not bit_and bit_or")
OPS: Final = PRIMITIVE_CLASSES | _names(
    """
    get_vm_impl_fn vm_impl_registry op_info_register custom_info_register AkgGpuRegOp AkgAscendRegOp AiCPURegOp TBERegOp
    CpuRegOp CustomRegOp DataType constexpr reshard signature kernel ms_kernel
    HyperMap Map MultitypeFuncGraph GradOperation tail core env_get add_flags zip_operation normal_ repeat_elements
    sequence_mask dot batch_dot matmul tensor_dot count_nonzero cummin cumsum vectorized_map uniform multinomial gamma
    poisson laplace clip_by_value clip_by_global_norm clip_by_norm clip_grad_norm stack_ grad value_and_grad jacfwd
    jacrev jvp vjp vmap linearize stop_gradient get_grad partial depend identity derivative jet
    abs absolute accumulate_n acos acosh adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d
    adaptive_max_pool2d adaptive_max_pool3d add addbmm addcdiv addcmul addmm addmv addn addr adjoint affine_grid all
    alpha_dropout aminmax amax amin angle any approximate_equal arange arccos arccosh arcsin arcsinh arctan arctan2
    arctanh argmax argmin argsort argwhere asin asinh assign assign_add assign_sub atan atan2 atanh atleast_1d
    atleast_2d atleast_3d avg_pool1d avg_pool2d avg_pool3d baddbmm bartlett_window batch_norm batch_to_space_nd
    bernoulli bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1 bessel_k1e
    bessel_y0 bessel_y1 bias_add bidense bilinear binary_cross_entropy binary_cross_entropy_with_logits bincount
    bitwise_and bitwise_invert bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor blackman_window
    block_diag bmm bool bounding_box_decode bounding_box_encode broadcast_tensors broadcast_to bucketize cartesian_prod
    cast cat cauchy cdist ceil celu channel_shuffle check_valid choice_with_mask cholesky cholesky_inverse
    cholesky_solve chunk clamp clip col2im column_stack combinations complex concat confusion_matrix conj conv1d conv2d
    conv3d coo_abs copysign cos cosh cosine_embedding_loss cosine_similarity cov corrcoef crop_and_resize cross
    cross_entropy csr_add ctc_greedy_decoder ctc_loss cummax cumprod cumulative_trapezoid custom_info_register deepcopy
    deformable_conv2d deg2rad dense det diag diag_embed diagflat diagonal diagonal_scatter diff digamma dist div divide
    div_ divs dropout dropout1d dropout2d dropout3d dsplit dstack dtype dyn_shape eig eigvals einsum elu embedding
    embedding_lookup eps equal equal_ erf erfc erfinv exp exp2 expand expand_as expand_dims expm1 extend eye fast_gelu
    fft fft2 fftfreq fftn fftshift fill fills flatten flip fliplr flipud float_power floor floor_div floor_divide
    floor_mod floormod fmax fmin fmod fold fori_loop frac fractional_max_pool2d fractional_max_pool3d full full_like
    fused_infer_attention_score gather gather_d gather_elements gather_nd gaussian_nll_loss gcd ge gelu geqrf ger glu
    greater greater_equal grid_sample group_norm gt gumbel_softmax hamming_window hann_window hardshrink hardsigmoid
    hardswish hardtanh heaviside hfft hfft2 hfftn hinge_embedding_loss histc histogram hsplit hstack huber_loss hypot i0
    idct ifft ifft2 ifftn ifftshift igamma igammac ihfft ihfft2 ihfftn imag in1d index_add index_fill index_select
    initializer inner inplace_add inplace_index_add inplace_sub inplace_update interpolate intopk inv inverse invert
    inverse_ iou irfft irfft2 irfftn is_complex is_floating_point is_nonzero is_tensor isclose isfinite isin isinf isnan
    isneginf isposinf isreal kaiser_window kl_div kron kthvalue l1_loss layer_norm lcm ldexp le leaky_relu lerp less
    less_equal lgamma linspace log log10 log1p log2 log_matrix_determinant log_softmax log_uniform_candidate_sampler
    logaddexp logaddexp2 logcumsumexp logdet logical_and logical_not logical_or logical_xor logit logsigmoid logspace
    logsumexp lp_pool1d lp_pool2d lrn lstsq lt lu_solve lu_unpack make_coo_tensor make_csr_tensor make_row_tensor
    make_sparse_tensor margin_ranking_loss masked_fill masked_scatter masked_select matrix_band_part matrix_determinant
    matrix_diag matrix_diag_part matrix_exp matrix_norm matrix_power matrix_set_diag matrix_solve matrix_transpose max
    max_pool2d max_pool3d max_unpool1d max_unpool2d max_unpool3d maximum mean median meshgrid min minimum mirror_pad
    mish mm moe_token_permute moe_token_unpermute movedim moveaxis mse_loss msort mul multi_label_margin_loss
    multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss multinomial_with_replacement multiply mv
    mvlgamma nan_to_num nanmean nanmedian nanquantile nansum narrow ne neg negative neighborexchange nextafter nll_loss
    nonzero norm normal not_equal nuclear_norm numel one_hot ones ones_like orgqr ormqr outer pad padding pdist permute
    pinv pixel_shuffle pixel_unshuffle poisson_nll_loss polar polygamma population_count positive pow prelu print_ prod
    ps_roi_pooling qr quantile rad2deg rand rand_like randint randint_like randn randn_like random_categorical
    random_gamma random_poisson randperm range rank ravel real reciprocal reduce_max reduce_mean reduce_min reduce_sum
    relu relu6 remainder renorm repeat_interleave reshape reshape_ resize resolve_conj reverse reverse_sequence rfft
    rfft2 rfftfreq rfftn rint rms_norm roll rot90 round rrelu rsqrt sample_distorted_bounding_box_v2 scalar_add
    scalar_cast scalar_div scalar_eq scalar_floordiv scalar_ge scalar_gt scalar_le scalar_log scalar_lt scalar_mod
    scalar_mul scalar_ne scalar_pow scalar_sub scalar_to_array scalar_to_tensor scalar_uadd scalar_usub scan scatter
    scatter_add scatter_div scatter_max scatter_min scatter_mul scatter_nd scatter_nd_add scatter_nd_div scatter_nd_max
    scatter_nd_min scatter_nd_mul scatter_nd_sub scatter_sub scatter_update searchsorted select select_scatter selu sgn
    shape shape_ shape_mul shuffle sigmoid sign signbit silu sin sinc sinh size slice slice_scatter slogdet
    smooth_l1_loss soft_margin_loss soft_shrink softmax softmin softplus softshrink softsign solve_triangular sort
    space_to_batch_nd sparse_add sparse_concat sparse_segment_mean speed_fusion_attention split sqrt square squeeze
    stack standard_laplace standard_normal std std_mean stft strided_slice string_concat string_eq sub subtract sum svd
    swapaxes swapdims swiglu switch t take tan tanh tanhshrink tensor_add tensor_div tensor_exp tensor_expm1
    tensor_floordiv tensor_ge tensor_gt tensor_le tensor_lt tensor_mod tensor_mul tensor_pow tensor_scatter_add
    tensor_scatter_div tensor_scatter_elements tensor_scatter_max tensor_scatter_min tensor_scatter_mul
    tensor_scatter_sub tensor_scatter_update tensor_slice tensor_split tensor_sub tensordot threshold tile top_k topk
    trace transpose trapz tril tril_indices triplet_margin_loss triu triu_indices true_divide trunc trunc_ truncate_div
    truncate_mod tuple_div tuple_equal tuple_getitem tuple_len tuple_reversed tuple_setitem tuple_slice tuple_to_array
    typeof unbind unfold uniform_candidate_sampler unique unique_consecutive unique_with_pad unsorted_segment_max
    unsorted_segment_min unsorted_segment_prod unsorted_segment_sum unsqueeze unstack upsample vander var var_mean
    vecdot view_as_real vsplit vstack where while_loop xdivy xlogy zeros zeros_like zeta zeros_like_ logical_not_
    bool_and bool_or bool_eq bool_not is_ is_not in_dict in_list not_in_dict not_in_list make_tuple make_list make_dict
    make_slice make_range make_ref list_getitem list_setitem list_append list_len list_equal dict_getitem dict_setitem
    dict_len dict_keys dict_values dict_items string_getitem array_to_scalar array_len broadcast_shape broadcast_to_
    getattr getitem setitem hastype isinstance_ issubclass_ merge embed shape_reduce cast_ same_type_shape check_bprop
    mixed_precision_cast stop_autodiff insert_gradient_of hook_call py_execute rearrange auto_generate
    flash_attention_score all_finite incre_flash_attention prompt_flash_attention rotary_position_embedding
    apply_rotary_pos_emb move_to assert_ csr_gather all_gather_matmul matmul_reduce_scatter quant_v2
    broadcast_gradient_args isub iadd all_reduce
    """
)
NN: Final = _names(
    """
    Cell GraphCell CellList CellDict SequentialCell Lambda Softmax Softmax2d LogSoftmax ReLU ReLU6 RReLU RReLU_ SeLU
    SiLU Tanh Tanhshrink Hardtanh GELU FastGelu Sigmoid Softsign PReLU get_activation LeakyReLU HSigmoid HSwish ELU
    LogSigmoid SoftShrink HShrink CELU Threshold Mish GLU Softmin Softplus BatchNorm1d BatchNorm2d BatchNorm3d LayerNorm
    GroupNorm GlobalBatchNorm SyncBatchNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d Conv1d Conv1dTranspose Conv2d
    Conv2dTranspose Conv3d Conv3dTranspose Dense BiDense Dropout Dropout1d Dropout2d Dropout3d Flatten Unflatten
    Identity ClipByNorm Norm OneHot Pad Unfold Tril Triu ResizeBilinear MatrixDiag MatrixDiagPart MatrixSetDiag
    L1Regularizer Roll Embedding EmbeddingLookup MultiFieldEmbeddingLookup EmbeddingExt AvgPool1d AvgPool2d AvgPool3d
    MaxPool1d MaxPool2d MaxPool3d AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d
    AdaptiveMaxPool2d AdaptiveMaxPool3d FractionalMaxPool2d FractionalMaxPool3d LPPool1d LPPool2d MaxUnpool1d
    MaxUnpool2d MaxUnpool3d ImageGradients SSIM MSSSIM PSNR CentralCrop PixelShuffle PixelUnshuffle Upsample
    ReduceLogSumExp Range LGamma DiGamma IGamma LBeta CosineSimilarity MatMul Moments MatInverse MatDet Conv2dBnAct
    DenseBnAct TimeDistributed LSTM GRU RNN LSTMCell GRUCell RNNCell ConstantPad1d ConstantPad2d ConstantPad3d
    ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad2d
    ChannelShuffle MultiheadAttention TransformerEncoderLayer TransformerDecoderLayer TransformerEncoder
    TransformerDecoder Transformer LossBase L1Loss MSELoss SmoothL1Loss SoftMarginLoss SoftmaxCrossEntropyWithLogits
    BCELoss CosineEmbeddingLoss MultiMarginLoss SampledSoftmaxLoss TripletMarginLoss PoissonNLLLoss
    MultiLabelSoftMarginLoss BCEWithLogitsLoss MultiClassDiceLoss DiceLoss FocalLoss HuberLoss HingeEmbeddingLoss
    MarginRankingLoss CTCLoss GaussianNLLLoss MAELoss RMSELoss NLLLoss CrossEntropyLoss KLDivLoss MultilabelMarginLoss
    Optimizer Adam AdamWeightDecay AdamW AdamOffload Lamb SGD ASGD Rprop Momentum Adagrad AdaFactor Adadelta AdaMax
    ProximalAdagrad FTRL RMSProp LARS LazyAdam thor THOR Adamax
    LearningRateSchedule CosineDecayLR ExponentialDecayLR InverseDecayLR NaturalExpDecayLR PolynomialDecayLR WarmUpLR
    cosine_decay_lr exponential_decay_lr inverse_decay_lr natural_exp_decay_lr piecewise_constant_lr polynomial_decay_lr
    warmup_lr
    WithLossCell WithGradCell WithEvalCell ForwardValueAndGrad TrainOneStepCell TrainOneStepWithLossScaleCell
    DynamicLossScaleUpdateCell FixedLossScaleUpdateCell DistributedGradReducer ParameterUpdate GetNextSingleOp
    VirtualDatasetCellTriple MicroBatchInterleaved PipelineCell GradAccumulationCell Jvp Vjp DataWrapper
    get_metric_fn Accuracy MAE MSE Metric rearrange_inputs Precision HausdorffDistance Recall Fbeta F1
    Top1CategoricalAccuracy Top5CategoricalAccuracy TopKCategoricalAccuracy Loss ROC auc Dice ConfusionMatrix
    ConfusionMatrixMetric Perplexity BleuScore OcclusionSensitivity MeanSurfaceDistance RootMeanSquareDistance
    CosineSimilarity names get_metrics MetricCallback SparseToDense SparseTensorDenseMatmul Conv2dBnFoldQuant
    Conv2dBnWithoutFoldQuant Conv2dQuant DenseQuant FakeQuantWithMinMaxObserver ActQuant TensorAddQuant MulQuant
    HSwishQuant Parameter Tensor PipelineGradReducer Module
    """
)
NUMPY: Final = _names(
    """
    abs absolute add amax amin append apply_along_axis apply_over_axes arange arccos arccosh arcsin arcsinh arctan
    arctan2 arctanh argmax argmin argsort around array array_split array_str asarray asfarray atleast_1d atleast_2d
    atleast_3d average bartlett bincount bitwise_and bitwise_or bitwise_xor blackman broadcast_arrays broadcast_to cbrt
    ceil choose clip column_stack concatenate convolve copy copysign corrcoef correlate cos cosh count_nonzero cov cross
    cumprod cumsum deg2rad diag diag_indices diagflat diagonal diff digitize divide divmod dot dsplit dstack ebkml empty
    empty_like equal exp exp2 expand_dims expm1 eye fix flip fliplr flipud float_power floor floor_divide fmax fmin fmod
    full full_like gcd geomspace gradient greater greater_equal hamming hanning heaviside histogram histogram2d
    histogram_bin_edges histogramdd hsplit hstack hypot identity in1d indices inner interp invert isclose isfinite isin
    isinf isnan isneginf isposinf isscalar ix_ kron lcm less less_equal linspace log log10 log1p log2 logaddexp
    logaddexp2 logical_and logical_not logical_or logical_xor logspace matmul matrix_power max maximum mean meshgrid
    mgrid min minimum mod moveaxis multi_dot multiply nancumsum nanmax nanmean nanmin nanstd nansum nanvar negative
    nonzero norm not_equal ogrid ones ones_like outer pad percentile piecewise poly1d polyadd polyder polyint polymul
    polysub polyval positive power product promote_types ptp quantile rad2deg radians rand randint randn ravel
    ravel_multi_index reciprocal remainder repeat reshape result_type rint roll rollaxis rot90 searchsorted select
    setdiff1d sign signbit sin sinh size solve split sqrt square squeeze stack std subtract sum swapaxes take
    take_along_axis tan tanh tensordot tile trace transpose trapz tri tril tril_indices tril_indices_from triu
    triu_indices triu_indices_from true_divide trunc unique unravel_index unwrap vander var vsplit vstack where zeros
    zeros_like sometrue array_equal array_equiv isfortran lexsort shape rank bool_ float_ int_ uint Tensor newaxis
    """
)
TRAIN: Final = MINDSPORE | _names(
    """
    auto_mixed_precision custom_mixed_precision get_white_list get_black_list build_train_network set_boost all_finite
    init_status StaticLossScaler DynamicLossScaler LossScaler is_finite auto_white_list auto_black_list LossScaleManager
    get_metrics SummaryRecord Callback InternalCallbackParam CheckpointConfig ModelCheckpoint save_mindir
    transform_checkpoints restore_group_info_list set_cur_net Node Group History
    """
)
