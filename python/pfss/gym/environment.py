"""One flow shop at a time."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pfss._pfss import InputError
from pfss.columns import whole
from pfss.frames import is_frame
from pfss.gym.construction import Construction
from pfss.instances import Instance, as_instance
from pfss.sources import generate, taillard

Observation: TypeAlias = dict[str, NDArray[Any]]
#: An instance, what makes one (an array, the name of a benchmark), several of them, or a function from a seed to one.
Source: TypeAlias = Any


class FlowShopEnv(gymnasium.Env[Observation, np.int64]):
    """Builds the order of a flow shop, one job at each step.

    An action is the number of a job; with ``bidirectional`` the numbers from ``num_jobs`` on place a job at the back. What
    is seen: the ``times`` (divided by their mean, so that minutes and hours look alike), which jobs are ``placed``, when
    the machines are free at the ``front``, and what they must still do at the ``back``. ``info["action_mask"]`` tells which
    actions are allowed; others raise `pfss.InputError`.

    The reward is ``"makespan"`` (minus the makespan, at the end) or ``"bound"`` (minus what each step adds to the bound of
    the partial order); both sum up to minus the makespan, less the bound at the start for the latter. Times of rewards are
    those of the instance, not scaled.

    >>> import numpy as np, pfss.gym
    >>> environment = pfss.gym.FlowShopEnv(num_jobs=5, num_machines=3, bidirectional=True)
    >>> _, info = environment.reset(seed=1)
    >>> while True:
    ...     action = np.flatnonzero(info["action_mask"])[0]
    ...     _, reward, terminated, _, info = environment.step(action)
    ...     if terminated:
    ...         break
    >>> sorted(info["order"]), bool(-reward == info["makespan"])
    ([0, 1, 2, 3, 4], True)

    Parameters
    ----------
    instance
        One instance, several to draw from, a function from a seed to an instance, or None to draw new ones each time. An
        array of times and the name of a benchmark (``"ta001"``) stand for instances, too.
    num_jobs, num_machines
        The size of the instances that are drawn or that a function gives: 20 and 5 unless said. Given instances tell theirs.
    distribution
        What new instances are drawn from: ``uniform`` unless said.
    bidirectional, reward
        As above.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self,
        instance: Source = None,
        *,
        num_jobs: int | None = None,
        num_machines: int | None = None,
        distribution: str | None = None,
        bidirectional: bool = False,
        reward: str = "makespan",
        render_mode: str | None = None,
    ) -> None:
        self.draws = Draws(instance, num_jobs, num_machines, distribution)
        self.num_jobs, self.num_machines = self.draws.shape
        self.bidirectional, self.reward = bidirectional, checked_reward(reward)
        self.render_mode = checked_render_mode(render_mode)
        self.observation_space, self.action_space = spaces_of(*self.draws.shape, bidirectional)
        self._instance: Instance | None = None
        self._state = Construction(np.zeros((1, self.num_jobs, self.num_machines)))
        self._mean = 1.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins with an instance: that of ``options["instance"]``, or a new one."""
        super().reset(seed=seed)
        given = (options or {}).get("instance")
        self._instance = self.draws.draw(self.np_random) if given is None else self.draws.checked(given)
        times = self._instance.times.astype(np.float64)
        self._mean = float(times.mean()) or 1.0
        self._state = Construction(times[None])
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Places a job."""
        place, job = divmod(whole_action(action), self.num_jobs)
        if self._instance is None:
            raise InputError("call reset before the first step")
        if self._state.placed.all():
            raise InputError("the order is whole; call reset to begin with the next one")
        if not 0 <= place < (2 if self.bidirectional else 1) or self._state.placed[0, job]:
            raise InputError(f"action {action} is not allowed; `action_mask` tells which ones are")
        before = float(self._state.bounds()[0])
        self._state.place(np.asarray([job]), np.asarray([place == 1]))
        terminated = bool(self._state.placed.all())
        bound = float(self._state.bounds()[0])
        reward = before - bound if self.reward == "bound" else -bound if terminated else 0.0
        return self._observation(), reward, terminated, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are allowed, under the name that sb3-contrib looks for."""
        allowed: NDArray[np.bool_] = masks(self._state.placed, self.bidirectional)[0]
        return allowed

    def render(self) -> str:
        """The order so far."""
        return " ".join(str(job) for job in self._state.orders()[0])

    def _observation(self) -> Observation:
        return {key: value[0] for key, value in observation(self._state, np.asarray([self._mean])).items()}

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.action_masks(), "bound": float(self._state.bounds()[0])}
        if self._state.placed.all():
            info.update(order=self._state.orders()[0], makespan=info["bound"])
        return info


class Draws:
    """Where instances come from; all have the same shape."""

    def __init__(
        self, source: Any, num_jobs: int | None, num_machines: int | None, distribution: str | None
    ) -> None:
        self.source = source if source is None or callable(source) else several(source)
        if distribution is not None and source is not None:
            raise InputError("`distribution` is what instances are drawn from, and `instance` gives some; leave one out")
        self.distribution = distribution or "uniform"
        given = (
            None if num_jobs is None else whole(num_jobs, "the number of jobs", 1),
            None if num_machines is None else whole(num_machines, "the number of machines", 1),
        )
        own: tuple[int, int] = (20, 5)
        if isinstance(self.source, list):
            if not self.source:
                raise InputError("there are no instances to draw from; leave the argument out to draw random ones")
            own = self.source[0].num_jobs, self.source[0].num_machines
        elif self.source is None:
            # A name that is not known is told at once.
            generate(self.distribution, num_jobs=1, num_machines=1)
        self.shape = (given[0] or own[0], given[1] or own[1])
        for instance in self.source if isinstance(self.source, list) else []:
            self.checked(instance)

    def checked(self, given: Any) -> Instance:
        """The instance, where it has the right shape and carries times only."""
        instance = one_instance(given)
        shape = (instance.num_jobs, instance.num_machines)
        if shape != self.shape:
            expected = f"{self.shape[0]} on {self.shape[1]}"
            raise InputError(f"the instance has {shape[0]} jobs on {shape[1]} machines, expected are {expected}")
        if not instance.is_plain:
            raise InputError("the instance carries more than times; the environment is for the plain problem")
        return instance

    def draw(self, rng: np.random.Generator) -> Instance:
        """The next instance."""
        if isinstance(self.source, list):
            drawn: Instance = self.source[int(rng.integers(len(self.source)))]
            return drawn
        seed = int(rng.integers(2**31 - 2)) + 1
        if self.source is not None:
            return self.checked(self.source(seed))
        return generate(self.distribution, num_jobs=self.shape[0], num_machines=self.shape[1], seed=seed)[0]


def one_instance(given: Any) -> Instance:
    """An instance, or what stands for one: an array, a table, the name of a benchmark."""
    return taillard(given) if isinstance(given, str) else as_instance(given)


def several(given: Any) -> list[Instance]:
    """Instances to draw from: one, or several of them."""
    if isinstance(given, Instance | str) or is_frame(given) or not isinstance(given, Iterable):
        return [one_instance(given)]
    items = list(given)
    if items and _is_row(items[0]):
        return [one_instance(given)]
    return [one_instance(item) for item in items]


def _is_row(item: Any) -> bool:
    """Whether this is a row of a table: numbers, not a table itself."""
    if isinstance(item, Instance | str) or is_frame(item) or not isinstance(item, Iterable):
        return False
    return not any(isinstance(value, Iterable) for value in item)


def whole_action(action: Any) -> int:
    """The number of an action."""
    try:
        return operator.index(action)
    except TypeError:
        raise InputError(f"action {action!r} is no whole number; `action_mask` tells which actions are allowed") from None


def checked_render_mode(mode: str | None) -> str | None:
    """The only way to show an environment, or none."""
    if mode not in (None, "ansi"):
        raise InputError(f"there is no render mode {mode!r}; known is ansi, the order as text")
    return mode


def checked_reward(reward: str) -> str:
    """One of the two rewards."""
    if reward not in ("makespan", "bound"):
        raise InputError(f"there is no reward `{reward}`; known are makespan and bound")
    return reward


def spaces_of(num_jobs: int, num_machines: int, bidirectional: bool) -> tuple[Any, spaces.Discrete]:
    """What is seen and what can be done."""

    # In units of the mean time, all work together is this; one more for rounding.
    most = num_jobs * num_machines + 1.0

    def numbers(*shape: int) -> spaces.Box:
        return spaces.Box(0.0, most, shape=shape, dtype=np.float32)

    seen = spaces.Dict(
        {
            "times": numbers(num_jobs, num_machines),
            "placed": spaces.MultiBinary(num_jobs),
            "front": numbers(num_machines),
            "back": numbers(num_machines),
        }
    )
    return seen, spaces.Discrete(num_jobs * (2 if bidirectional else 1))


def observation(state: Construction, means: NDArray[np.float64]) -> Observation:
    """What is seen of a batch, times divided by their means."""

    def scaled(values: NDArray[np.float64]) -> NDArray[np.float32]:
        return (values / means.reshape((-1,) + (1,) * (values.ndim - 1))).astype(np.float32)

    return {
        "times": scaled(state.times),
        "placed": state.placed.astype(np.int8),
        "front": scaled(state.front),
        "back": scaled(state.back),
    }


def masks(placed: NDArray[np.bool_], bidirectional: bool) -> NDArray[np.bool_]:
    """Which actions are allowed."""
    return np.concatenate([~placed, ~placed], axis=1) if bidirectional else ~placed
