"""Methods of Tensors in graphs: what they are given by count, name and type, and what those that are functions of Python look at."""
# pyright: basic, reportMissingImports=false


def reshape_of_a_string(x):
    return x.reshape("a")


def reshape_of_a_float(x):
    return x.reshape(0.5)


def reshape_of_two_strings(x):
    return x.reshape("a", "b")


def reshape_of_two_floats(x):
    return x.reshape(0.5, 0.5)


def reshape_of_an_unknown_keyword(x):
    return x.reshape(zzz=1)


def reshape_of_nothing(x):
    return x.reshape()


def reshape_of_two_tensors(x):
    return x.reshape(x, x)


def reshape_of_an_int_and_a_string(x):
    return x.reshape((1, "a"))


def transpose_of_a_string(x):
    return x.transpose("a")


def transpose_of_a_float(x):
    return x.transpose(0.5)


def transpose_of_two_strings(x):
    return x.transpose("a", "b")


def transpose_of_an_int_and_an_unknown_keyword(x):
    return x.transpose(1, zzz=2)


def transpose_of_an_unknown_keyword(x):
    return x.transpose(zzz=1)


def transpose_of_none(x):
    return x.transpose(None)


def tile_of_two_strings(x):
    return x.tile("a", "b")


def tile_of_nothing(x):
    return x.tile()


def tile_of_a_list_of_a_float(x):
    return x.tile([1.5])


def tile_of_an_int_and_an_unknown_keyword(x):
    return x.tile(1, zzz=2)


def view_of_two_strings(x):
    return x.view("a", "b")


def view_of_two_floats(x):
    return x.view(0.5, 0.5)


def view_of_a_string(x):
    return x.view("a")


def view_of_nothing(x):
    return x.view()


def repeat_of_two_strings(x):
    return x.repeat("a", "b")


def repeat_of_nothing(x):
    return x.repeat()


def repeat_of_an_int_and_a_string(x):
    return x.repeat((1, "a"))


def broadcast_to_of_a_string(x):
    return x.broadcast_to("a")


def broadcast_to_of_nothing(x):
    return x.broadcast_to()


def broadcast_to_of_an_int_and_a_string(x):
    return x.broadcast_to((1, "a"))


def permute_of_two_strings(x):
    return x.permute("a", "b")


def permute_of_two_ints(x):
    return x.permute(1, 1)


def permute_of_seven_ints(x):
    return x.permute(1, 2, 3, 4, 5, 6, 7)


def std_of_a_string(x):
    return x.std("a")


def std_of_two_tensors(x):
    return x.std(x, x)


def std_of_an_int_and_an_unknown_keyword(x):
    return x.std(1, zzz=2)


def std_of_axis_of_a_string(x):
    return x.std(axis="a")


def std_of_an_unknown_keyword(x):
    return x.std(zzz=1)


def std_of_a_list_of_a_float(x):
    return x.std([1.5])


def std_of_an_int_and_a_string(x):
    return x.std((1, "a"))


def std_of_seven_ints(x):
    return x.std(1, 2, 3, 4, 5, 6, 7)


def cumsum_of_a_string(x):
    return x.cumsum("a")


def cumsum_of_two_strings(x):
    return x.cumsum("a", "b")


def cumsum_of_axis_of_a_string(x):
    return x.cumsum(axis="a")


def sum_of_two_strings(x):
    return x.sum("a", "b")


def sum_of_an_int_and_an_unknown_keyword(x):
    return x.sum(1, zzz=2)


def sum_of_a_string(x):
    return x.sum("a")


def sum_of_two_tensors(x):
    return x.sum(x, x)


def sum_of_two_ints(x):
    return x.sum(1, 1)


def flatten_of_two_strings(x):
    return x.flatten("a", "b")


def flatten_of_an_int_and_an_unknown_keyword(x):
    return x.flatten(1, zzz=2)


def flatten_of_an_unknown_keyword(x):
    return x.flatten(zzz=1)


def gather_of_two_strings(x):
    return x.gather("a", "b")


def gather_of_an_int(x):
    return x.gather(1)


def gather_of_an_int_and_an_unknown_keyword(x):
    return x.gather(1, zzz=2)


def gather_of_two_ints(x):
    return x.gather(1, 1)


def take_of_a_string(x):
    return x.take("a")


def take_of_two_strings(x):
    return x.take("a", "b")


def take_of_an_unknown_keyword(x):
    return x.take(zzz=1)


def diag_of_a_string(x):
    return x.diag("a")


def diag_of_an_unknown_keyword(x):
    return x.diag(zzz=1)


def diag_of_two_ints(x):
    return x.diag(1, 1)


def gt_of_a_string(x):
    return x.gt("a")


def gt_of_nothing(x):
    return x.gt()


def gt_of_an_int_and_an_unknown_keyword(x):
    return x.gt(1, zzz=2)


def gt_of_two_ints(x):
    return x.gt(1, 1)


def gt_of_a_dict(x):
    return x.gt({"a": 1})


def gt_of_an_unknown_keyword(x):
    return x.gt(zzz=1)


def abs_of_an_int_and_an_unknown_keyword(x):
    return x.abs(1, zzz=2)


def abs_of_an_unknown_keyword(x):
    return x.abs(zzz=1)


def abs_of_a_string(x):
    return x.abs("a")


def masked_select_of_a_float(x):
    return x.masked_select(0.5)


def masked_select_of_nothing(x):
    return x.masked_select()


def nan_to_num_of_none(x):
    return x.nan_to_num(None)


def nan_to_num_of_two_tensors(x):
    return x.nan_to_num(x, x)


def hardshrink_of_a_list_of_a_float(x):
    return x.hardshrink([1.5])


def hardshrink_of_a_dict(x):
    return x.hardshrink({"a": 1})


def unique_of_a_float(x):
    return x.unique(0.5)


def unique_of_axis_of_a_string(x):
    return x.unique(axis="a")


def trace_of_a_string(x):
    return x.trace("a")


def trace_of_seven_ints(x):
    return x.trace(1, 2, 3, 4, 5, 6, 7)


def trace_of_an_int(x):
    return x.trace(1)


def trace_of_two_ints(x):
    return x.trace(1, 1)


def nonzero_of_a_string(x):
    return x.nonzero("a")


def nonzero_of_an_unknown_keyword(x):
    return x.nonzero(zzz=1)


def nonzero_of_seven_ints(x):
    return x.nonzero(1, 2, 3, 4, 5, 6, 7)


def softmax_of_nothing(x):
    return x.softmax()


def softmax_of_two_strings(x):
    return x.softmax("a", "b")


def softmax_of_an_unknown_keyword(x):
    return x.softmax(zzz=1)


def softmax_of_seven_ints(x):
    return x.softmax(1, 2, 3, 4, 5, 6, 7)


def amax_of_a_string(x):
    return x.amax("a")


def amax_of_two_ints(x):
    return x.amax(1, 1)


def amax_of_two_strings(x):
    return x.amax("a", "b")


def amax_of_an_unknown_keyword(x):
    return x.amax(zzz=1)


def cummax_of_a_string(x):
    return x.cummax("a")


def cummax_of_a_dict(x):
    return x.cummax({"a": 1})


def flip_of_an_int(x):
    return x.flip(1)


def flip_of_none(x):
    return x.flip(None)


def flip_of_a_list_of_a_float(x):
    return x.flip([1.5])


def hsplit_of_a_list_of_a_float(x):
    return x.hsplit([1.5])


def hsplit_of_a_string(x):
    return x.hsplit("a")


def hsplit_of_an_unknown_keyword(x):
    return x.hsplit(zzz=1)


def slice_scatter_of_an_int(x):
    return x.slice_scatter(1)


def slice_scatter_of_nothing(x):
    return x.slice_scatter()


def slice_scatter_of_an_unknown_keyword(x):
    return x.slice_scatter(zzz=1)


def fill_diagonal_of_an_int(x):
    return x.fill_diagonal(1)


def fill_diagonal_of_two_floats(x):
    return x.fill_diagonal(0.5, 0.5)


def fill_diagonal_of_nothing(x):
    return x.fill_diagonal()


def ptp_of_two_ints(x):
    return x.ptp(1, 1)


def ptp_of_a_string(x):
    return x.ptp("a")


def logit_of_an_int(x):
    return x.logit(1)


def searchsorted_of_two_strings(x):
    return x.searchsorted("a", "b")


def cumprod_of_nothing(x):
    return x.cumprod()


def cumprod_of_two_strings(x):
    return x.cumprod("a", "b")


def cumprod_of_two_floats(x):
    return x.cumprod(0.5, 0.5)


def type_of_none(x):
    return x.type(None)


def type_of_nothing(x):
    return x.type()


def to_of_nothing(x):
    return x.to()


def to_of_none(x):
    return x.to(None)


def to_of_a_string(x):
    return x.to("a")


def max_of_a_list_of_a_float(x):
    return x.max([1.5])


def max_of_an_int_and_a_string(x):
    return x.max((1, "a"))


def max_of_two_strings(x):
    return x.max("a", "b")


def add_of_a_list_of_a_float(x):
    return x.add([1.5])


def add_of_none(x):
    return x.add(None)


def sub_of_a_list_of_a_float(x):
    return x.sub([1.5])


def split_of_an_int_and_a_string(x):
    return x.split((1, "a"))


def split_of_dim(x):
    return x.split(dim=1)


def topk_of_dim(x):
    return x.topk(dim=1)


def topk_of_a_string(x):
    return x.topk("a")


def chunk_of_dim(x):
    return x.chunk(dim=1)


def squeeze_of_an_int_and_a_string(x):
    return x.squeeze((1, "a"))


def roll_of_an_int_and_a_string(x):
    return x.roll((1, "a"))


def repeat_interleave_of_an_int_and_a_string(x):
    return x.repeat_interleave((1, "a"))


def repeat_interleave_of_a_list_of_a_float(x):
    return x.repeat_interleave([1.5])


def diagonal_of_a_string(x):
    return x.diagonal("a")


def new_ones_of_a_list_of_a_float(x):
    return x.new_ones([1.5])


def new_ones_of_two_ints(x):
    return x.new_ones(1, 1)


def norm_of_two_strings(x):
    return x.norm("a", "b")


def norm_of_an_unknown_keyword(x):
    return x.norm(zzz=1)


def clip_of_none(x):
    return x.clip(None)


def sum_to_size_of_seven_ints(x):
    return x.sum_to_size(1, 2, 3, 4, 5, 6, 7)


def sum_to_size_of_an_unknown_keyword(x):
    return x.sum_to_size(zzz=1)


def inner_of_an_int(x):
    return x.inner(1)


def diff_of_a_string(x):
    return x.diff("a")


def diff_of_a_dict(x):
    return x.diff({"a": 1})
