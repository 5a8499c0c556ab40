"""Distributions in general: what follows of what, and the parameters of a family of distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from jitcore import ops
from jitcore.library.core.marking import made_by
from jitcore.nn.cell import Cell
from jitcore.nn.probability import arguments

_METHODS = (
    "log_prob", "prob", "cdf", "log_cdf", "survival_function", "log_survival", "mean", "sd", "var", "mode", "entropy",
    "kl_loss", "cross_entropy", "sample", "get_dist_args", "get_dist_type",
)  # fmt: skip


class Distribution(Cell):
    """A distribution of random numbers. A derived class defines some of `_prob`, `_log_prob`, `_cdf`, `_log_cdf`,
    `_survival_function`, `_log_survival`, `_mean`, `_var`, `_sd`, `_mode`, `_entropy`, `_kl_loss`, `_cross_entropy`,
    `_sample`; the methods without underscore are those or follow of others, and raise NotImplementedError if they do
    not.

    `param` has the arguments of the constructor, and under 'param_dict' the parameters of the distribution. Each method
    takes other parameters after its own arguments.
    """

    def __init__(self, seed: Any, dtype: Any, name: Any, param: dict[str, Any]) -> None:
        super().__init__()
        self._name = arguments.name(name, type(self).__name__)
        self._seed = arguments.seed(seed, self._name)
        self._dtype = dtype
        self._parameters = {k: v for k, v in param.items() if k != "self" and not k.startswith("_")}
        self._reset_parameters()
        if "distribution" not in self._parameters:
            given = self._parameters["param_dict"]
            self.parameter_type = arguments.parameter_dtype(given, dtype)
            self._batch_shape = arguments.batch_shape(given.values())
            self._broadcast_shape = self._batch_shape
            self._is_scalar_batch = all(v is None or isinstance(v, int | float) for v in given.values())

    @property
    def name(self) -> Any:
        """The name that the distribution was given."""
        return self._name

    @property
    def dtype(self) -> Any:
        """The dtype of samples."""
        return self._dtype

    @property
    def seed(self) -> Any:
        """The seed of samples."""
        return self._seed

    @property
    def parameters(self) -> Any:
        """The arguments of the constructor."""
        return self._parameters

    @property
    def is_scalar_batch(self) -> Any:
        """Whether all parameters are numbers."""
        return self._is_scalar_batch

    @property
    def batch_shape(self) -> Any:
        """The shape that the parameters broadcast to."""
        return self._batch_shape

    @property
    def broadcast_shape(self) -> Any:
        """The shape that the parameters broadcast to."""
        return self._broadcast_shape

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """What derived classes define."""

    # --- parameters, for derived classes ----------------------------------------------------------------

    def _reset_parameters(self) -> None:
        self.default_parameters: list[Any] = []
        self.parameter_names: list[str] = []

    def _add_parameter(self, value: Any, name: str) -> Any:
        """The Tensor of a parameter, which methods use unless they are given another."""
        made = None if value is None else arguments.parameter(value, name, self.parameter_type)
        self.default_parameters = [*self.default_parameters, made]
        self.parameter_names = [*self.parameter_names, name]
        return made

    def _given_or_default(self, args: Any) -> Any:
        """The parameters that a method was given, or those of the distribution in place of None."""
        found = []
        for arg, name, default in zip(args, self.parameter_names, self.default_parameters, strict=False):
            if arg is not None:
                found.append(arguments.tensor(arg, name))
            elif default is not None:
                found.append(default)
            else:
                raise ValueError(f"{name} of {self.name} must be given: the distribution was made without it.")
        return tuple(found)

    def _check_param_type(self, *args: Any) -> Any:
        """Parameters given or the distribution's own, of one dtype and shape; a tuple if there are several."""
        made = tuple([ops.cast(p, self.parameter_type) for p in self._given_or_default(args)])
        return made[0] if len(made) == 1 else ops.broadcast_tensors(*made)

    def _check_value(self, value: Any, name: str) -> Any:
        """A value that is a Tensor."""
        return arguments.tensor(value, name)

    def _value(self, value: Any) -> Any:
        """What a method is asked about, in the dtype of the parameters."""
        return ops.cast(self._check_value(value, "value"), self.parameter_type)

    def _missing(self, method: str) -> NotImplementedError:
        return NotImplementedError(f"{self.name} does not have {method}.")

    # --- what there is to know of a distribution --------------------------------------------------------

    def log_prob(self, value: Any, *args: Any, **keywords: Any) -> Any:
        """The logarithm of the density, or of the probability, at values."""
        if hasattr(self, "_log_prob"):
            return self._log_prob(value, *args, **keywords)
        if hasattr(self, "_prob"):
            return ops.log(self._prob(value, *args, **keywords))
        raise self._missing("log_prob")

    def prob(self, value: Any, *args: Any, **keywords: Any) -> Any:
        """The density, or the probability, at values."""
        if hasattr(self, "_prob"):
            return self._prob(value, *args, **keywords)
        if hasattr(self, "_log_prob"):
            return ops.exp(self._log_prob(value, *args, **keywords))
        raise self._missing("prob")

    def cdf(self, value: Any, *args: Any, **keywords: Any) -> Any:
        """The probability of a number not above values."""
        if hasattr(self, "_cdf"):
            return self._cdf(value, *args, **keywords)
        if hasattr(self, "_log_cdf"):
            return ops.exp(self._log_cdf(value, *args, **keywords))
        if hasattr(self, "_survival_function"):
            return 1.0 - self._survival_function(value, *args, **keywords)
        if hasattr(self, "_log_survival"):
            return -ops.expm1(self._log_survival(value, *args, **keywords))
        raise self._missing("cdf")

    def log_cdf(self, value: Any, *args: Any, **keywords: Any) -> Any:
        """The logarithm of the probability of a number not above values."""
        if hasattr(self, "_log_cdf"):
            return self._log_cdf(value, *args, **keywords)
        return ops.log(self.cdf(value, *args, **keywords))

    def survival_function(self, value: Any, *args: Any, **keywords: Any) -> Any:
        """The probability of a number above values."""
        if hasattr(self, "_survival_function"):
            return self._survival_function(value, *args, **keywords)
        if hasattr(self, "_log_survival"):
            return ops.exp(self._log_survival(value, *args, **keywords))
        return 1.0 - self.cdf(value, *args, **keywords)

    def log_survival(self, value: Any, *args: Any, **keywords: Any) -> Any:
        """The logarithm of the probability of a number above values."""
        if hasattr(self, "_log_survival"):
            return self._log_survival(value, *args, **keywords)
        return ops.log(self.survival_function(value, *args, **keywords))

    def mean(self, *args: Any, **keywords: Any) -> Any:
        """The expected number."""
        if hasattr(self, "_mean"):
            return self._mean(*args, **keywords)
        raise self._missing("mean")

    def var(self, *args: Any, **keywords: Any) -> Any:
        """The variance."""
        if hasattr(self, "_var"):
            return self._var(*args, **keywords)
        if hasattr(self, "_sd"):
            return ops.square(self._sd(*args, **keywords))
        raise self._missing("var")

    def sd(self, *args: Any, **keywords: Any) -> Any:
        """The standard deviation."""
        if hasattr(self, "_sd"):
            return self._sd(*args, **keywords)
        if hasattr(self, "_var"):
            return ops.sqrt(self._var(*args, **keywords))
        raise self._missing("sd")

    def mode(self, *args: Any, **keywords: Any) -> Any:
        """Where the density is highest."""
        if hasattr(self, "_mode"):
            return self._mode(*args, **keywords)
        raise self._missing("mode")

    def entropy(self, *args: Any, **keywords: Any) -> Any:
        """The entropy, in nats."""
        if hasattr(self, "_entropy"):
            return self._entropy(*args, **keywords)
        raise self._missing("entropy")

    def kl_loss(self, dist: Any, *args: Any, **keywords: Any) -> Any:
        """The Kullback-Leibler divergence from another distribution, of the family `dist`, whose parameters come
        first."""
        if hasattr(self, "_kl_loss"):
            return self._kl_loss(dist, *args, **keywords)
        raise self._missing("kl_loss")

    def cross_entropy(self, dist: Any, *args: Any, **keywords: Any) -> Any:
        """The cross entropy with another distribution, of the family `dist`, whose parameters come first."""
        if hasattr(self, "_cross_entropy"):
            return self._cross_entropy(dist, *args, **keywords)
        raise self._missing("cross_entropy")

    def sample(self, *args: Any, **keywords: Any) -> Any:
        """Random numbers: a shape of them for each parameter."""
        if hasattr(self, "_sample"):
            return made_by(self, self._sample(*args, **keywords))
        raise self._missing("sample")

    def get_dist_args(self, *args: Any, **keywords: Any) -> Any:
        """The parameters given, or those of the distribution in their places."""
        if hasattr(self, "_get_dist_args"):
            return self._get_dist_args(*args, **keywords)
        raise self._missing("get_dist_args")

    def get_dist_type(self) -> Any:
        """The name of the family."""
        if hasattr(self, "_get_dist_type"):
            return self._get_dist_type()
        raise self._missing("get_dist_type")

    def construct(self, name: str, *args: Any, **keywords: Any) -> Any:
        """Calls the method with a name."""
        if name in _METHODS:
            return getattr(self, name)(*args, **keywords)
        raise self._missing(name)


class Family(Distribution):
    """A distribution of a family with parameters `given`, some of which must be positive."""

    kind: ClassVar[str] = ""
    """What the family is called where two distributions are compared."""

    def __init__(self, given: dict[str, Any], seed: Any, dtype: Any, name: Any, positive: tuple[str, ...] = ()) -> None:
        param = {**given, "seed": seed, "dtype": dtype, "name": name, "param_dict": given}
        super().__init__(seed, dtype, name, param)
        for key, value in given.items():
            made = self._add_parameter(value, key)
            if key in positive:
                arguments.positive(made, key)

    def _get_dist_args(self, *args: Any, **keywords: Any) -> Any:
        given = [*args, *[keywords.get(name) for name in self.parameter_names[len(args) :]]]
        return self._given_or_default(given)

    def _get_dist_type(self) -> str:
        return self.kind

    def _of_own_kind(self, dist: Any, *params: Any) -> Any:
        """The parameters of a distribution of the same family, as Tensors of the parameters' dtype."""
        arguments.family(dist, self.kind)
        made = []
        for value, name in zip(params, self.parameter_names, strict=True):
            made.append(ops.cast(self._check_value(value, f"{name}_b"), self.parameter_type))
        return made[0] if len(made) == 1 else tuple(made)

    def _cross_entropy(self, dist: Any, *args: Any, **keywords: Any) -> Any:
        """The entropy and the divergence."""
        own = {name: value for name, value in keywords.items() if name in self.parameter_names}
        others = len([name for name in keywords if name not in own])
        divergence = self.kl_loss(dist, *args, **keywords)
        return self.entropy(*args[len(self.parameter_names) - others :], **own) + divergence

    def _extents(self, shape: Any, like: Any) -> Any:
        """The shape of a sample: a shape for each parameter."""
        if not isinstance(shape, tuple):
            raise TypeError(f"The shape of a sample must be a tuple, not {type(shape).__name__}.")
        return shape + like.shape

    def _unit(self, shape: Any, like: Any) -> Any:
        """Uniform random numbers above 0 and below 1."""
        return ops.maximum(ops.uniform(self._extents(shape, like), 0.0, 1.0, self.seed), 2.0**-25)
