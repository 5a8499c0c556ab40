"""Refused and odd settings, options of `jit`, and calls of compiled functions, line by line."""
# pyright: basic, reportMissingImports=false

import mindspore as ms
import numpy as np
from mindspore import JitConfig, Parameter, ParameterTuple, Tensor, context, jit, mutable, nn, ops, set_context

_F3 = Tensor(np.ones(3, np.float32))


def _fn(a, b=2):
    return a * b


class _Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w")

    def construct(self, x):
        return x * self.w


class _Two(nn.Cell):
    def construct(self, x, y=1):
        return x + y


def _two(a, b):
    return a + b


def eager_set_context_mode_graph():
    return set_context(mode="graph")


def eager_set_context_mode_none():
    return set_context(mode=None)


def eager_set_context_device_id_minus_1():
    return set_context(device_id=-1)


def eager_set_context_device_id_5000():
    return set_context(device_id=5000)


def eager_set_context_save_graphs_yes():
    return set_context(save_graphs="yes")


def eager_set_context_max_call_depth_0():
    return set_context(max_call_depth=0)


def eager_set_context_max_call_depth_1():
    return set_context(max_call_depth="1")


def eager_set_context_jit_level_1():
    return set_context(jit_level=1)


def eager_set_context_jit_config_level_o1():
    return set_context(jit_config={"level": "O1"})


def eager_set_context_jit_config_o1():
    return set_context(jit_config="O1")


def eager_set_context_deterministic_yes():
    return set_context(deterministic="YES")


def eager_set_context_deterministic_true():
    return set_context(deterministic=True)


def eager_set_context_op_timeout_minus_1():
    return set_context(op_timeout=-1)


def eager_set_context_aoe_tune_mode_x():
    return set_context(aoe_tune_mode="x")


def eager_set_context_compile_cache_path_1():
    return set_context(compile_cache_path=1)


def eager_set_context_enable_compile_cache_yes():
    return set_context(enable_compile_cache="yes")


def eager_set_context_jit_syntax_level_5():
    return set_context(jit_syntax_level=5)


def eager_set_context_jit_syntax_level_lax():
    return set_context(jit_syntax_level="LAX")


def eager_set_context_nonesuch_1():
    return set_context(nonesuch=1)


def eager_set_context_1():
    return set_context(1)


def eager_set_context_env_config_path_3():
    return set_context(env_config_path=3)


def eager_set_context_precompile_only_x():
    return set_context(precompile_only="x")


def eager_get_context_nonesuch():
    return context.get_context("nonesuch")


def eager_get_context_1():
    return context.get_context(1)


def eager_get_context():
    return context.get_context()


def eager_set_auto_parallel_context_1():
    return context.set_auto_parallel_context(1)


def eager_set_auto_parallel_context_parallel_mode_x():
    return context.set_auto_parallel_context(parallel_mode="x")


def eager_set_auto_parallel_context_device_num_0():
    return context.set_auto_parallel_context(device_num=0)


def eager_set_auto_parallel_context_device_num_a():
    return context.set_auto_parallel_context(device_num="a")


def eager_set_auto_parallel_context_global_rank_minus_1():
    return context.set_auto_parallel_context(global_rank=-1)


def eager_set_auto_parallel_context_global_rank_4096():
    return context.set_auto_parallel_context(global_rank=4096)


def eager_set_auto_parallel_context_gradients_mean_1():
    return context.set_auto_parallel_context(gradients_mean=1)


def eager_set_auto_parallel_context_gradient_fp32_sync_1():
    return context.set_auto_parallel_context(gradient_fp32_sync=1)


def eager_set_auto_parallel_context_auto_parallel_search_mode_wrong():
    return context.set_auto_parallel_context(auto_parallel_search_mode="wrong")


def eager_set_auto_parallel_context_full_batch_wrong():
    return context.set_auto_parallel_context(full_batch="wrong")


def eager_set_auto_parallel_context_dataset_strategy_wrong():
    return context.set_auto_parallel_context(dataset_strategy="wrong")


def eager_set_auto_parallel_context_dataset_strategy_1():
    return context.set_auto_parallel_context(dataset_strategy=[1])


def eager_set_auto_parallel_context_pipeline_stages_0():
    return context.set_auto_parallel_context(pipeline_stages=0)


def eager_set_auto_parallel_context_pipeline_stages_a():
    return context.set_auto_parallel_context(pipeline_stages="a")


def eager_set_auto_parallel_context_enable_parallel_optimizer_1():
    return context.set_auto_parallel_context(enable_parallel_optimizer=1)


def eager_set_auto_parallel_context_enable_alltoall_1():
    return context.set_auto_parallel_context(enable_alltoall=1)


def eager_set_auto_parallel_context_comm_fusion_x_1():
    return context.set_auto_parallel_context(comm_fusion={"x": 1})


def eager_set_auto_parallel_context_comm_fusion_allreduce_1():
    return context.set_auto_parallel_context(comm_fusion={"allreduce": 1})


def eager_set_auto_parallel_context_all_reduce_fusion_config_1():
    return context.set_auto_parallel_context(all_reduce_fusion_config=1)


def eager_set_auto_parallel_context_all_reduce_fusion_config_a():
    return context.set_auto_parallel_context(all_reduce_fusion_config=["a"])


def eager_set_auto_parallel_context_strategy_ckpt_config_1():
    return context.set_auto_parallel_context(strategy_ckpt_config=1)


def eager_set_auto_parallel_context_strategy_ckpt_config_a_1():
    return context.set_auto_parallel_context(strategy_ckpt_config={"a": 1})


def eager_set_auto_parallel_context_parallel_optimizer_config_1():
    return context.set_auto_parallel_context(parallel_optimizer_config=1)


def eager_set_auto_parallel_context_parallel_optimizer_config_parallel():
    return context.set_auto_parallel_context(parallel_optimizer_config={"parallel_optimizer_threshold": -1})


def eager_set_auto_parallel_context_optimizer_weight_shard_size_a():
    return context.set_auto_parallel_context(optimizer_weight_shard_size="a")


def eager_set_auto_parallel_context_grad_accumulation_step_0():
    return context.set_auto_parallel_context(grad_accumulation_step=0)


def eager_get_auto_parallel_context_nonesuch():
    return context.get_auto_parallel_context("nonesuch")


def eager_get_auto_parallel_context_1():
    return context.get_auto_parallel_context(1)


def eager_ms_set_device_1():
    return ms.set_device(1)


def eager_ms_set_device_cpu_0():
    return ms.set_device("CPU", "0")


def eager_ms_set_device_cpu():
    return ms.set_device("cpu")


def eager_ms_set_deterministic_true():
    return ms.set_deterministic("True")


def eager_ms_set_algo_parameters_nonesuch_1():
    return ms.set_algo_parameters(nonesuch=1)


def eager_ms_set_algo_parameters_fully_use_devices_1():
    return ms.set_algo_parameters(fully_use_devices=1)


def eager_jitconfig_jit_level_o7():
    return JitConfig(jit_level="O7")


def eager_jitconfig_jit_level_1():
    return JitConfig(jit_level=1)


def eager_jitconfig_exc_mode_x():
    return JitConfig(exc_mode="x")


def eager_jitconfig_jit_syntax_level_x():
    return JitConfig(jit_syntax_level="x")


def eager_jitconfig_debug_level_x():
    return JitConfig(debug_level="x")


def eager_jitconfig_o1_auto_lax_off_3():
    return JitConfig("O1", "auto", "LAX", "off", "", 3)


def eager_jit_fn_capture_mode_1():
    return jit(_fn, capture_mode=1)


def eager_jit_fn_jit_level_1():
    return jit(_fn, jit_level=1)


def eager_jit_fn_jit_level_x():
    return jit(_fn, jit_level="")(_F3)


def eager_jit_fn_dynamic_2():
    return jit(_fn, dynamic=2)


def eager_jit_fn_fullgraph_x():
    return jit(_fn, fullgraph="x")


def eager_jit_fn_backend_x_x():
    return jit(_fn, backend="x")(_F3)


def eager_jit_fn_ast():
    return jit(_fn, "ast")


def eager_jit_fn():
    return jit(_fn)()


def eager_jit_fn_c_1():
    return jit(_fn)(c=1)


def eager_jit_fn_x_c_1():
    return jit(_fn)(_F3, c=1)


def eager_jit_two_x_1_2():
    return jit(_two)(_F3, 1, 2)


def eager_jit_two_a_x():
    return jit(_two)(a=_F3)


def eager_jit_two_times_x():
    return jit(_two)(*[_F3])
