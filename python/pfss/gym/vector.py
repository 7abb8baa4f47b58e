"""Many flow shops at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from pfss._pfss import InputError
from pfss.columns import whole
from pfss.gym.construction import Construction
from pfss.gym.environment import (
    Draws,
    Observation,
    Source,
    checked_render_mode,
    checked_reward,
    masks,
    observation,
    spaces_of,
)


class FlowShopVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """`FlowShopEnv` for many instances of one shape, whose steps are taken together in numpy.

    All orders are whole after ``num_jobs`` steps, so that all instances end and begin together. The step after the end
    ignores its actions and begins anew, as Gymnasium's mode ``NEXT_STEP`` says.

    >>> import numpy as np, pfss.gym
    >>> environments = pfss.gym.FlowShopVectorEnv(8, num_jobs=5, num_machines=3, reward="bound")
    >>> seen, info = environments.reset(seed=1)
    >>> seen["times"].shape, info["action_mask"].shape
    ((8, 5, 3), (8, 5))
    """

    def __init__(
        self,
        num_envs: int = 1,
        instance: Source = None,
        *,
        num_jobs: int | None = None,
        num_machines: int | None = None,
        distribution: str | None = None,
        bidirectional: bool = False,
        reward: str = "makespan",
        render_mode: str | None = None,
    ) -> None:
        self.num_envs = whole(num_envs, "the number of environments", 1)
        self.draws = Draws(instance, num_jobs, num_machines, distribution)
        self.num_jobs, self.num_machines = self.draws.shape
        self.bidirectional, self.reward = bidirectional, checked_reward(reward)
        self.render_mode = checked_render_mode(render_mode)
        self.metadata = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_observation_space, self.single_action_space = spaces_of(*self.draws.shape, bidirectional)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._state: Construction | None = None
        self._means = np.ones(num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins with new instances, or with those of ``options["instances"]``."""
        super().reset(seed=seed)
        given = (options or {}).get("instances")
        given = given if given is None else list(given)
        if given is not None and len(given) != self.num_envs:
            raise InputError(f"there are {len(given)} instances, expected are {self.num_envs}")
        drawn = [self.draws.draw(self.np_random) for _ in range(self.num_envs)] if given is None else given
        times = np.stack([self.draws.checked(one).times.astype(np.float64) for one in drawn])
        self._means = times.mean(axis=(1, 2))
        self._means[self._means == 0.0] = 1.0
        self._state = Construction(times)
        return observation(self._state, self._means), self._info()

    def step(
        self, actions: Any
    ) -> tuple[Observation, NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Places a job of each instance."""
        state = self._state
        if state is None:
            raise InputError("call reset before the first step")
        never = np.zeros(self.num_envs, dtype=bool)
        if state.placed.all():
            seen, info = self.reset()
            return seen, np.zeros(self.num_envs), never, never, info
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,):
            raise InputError(f"the actions have the shape {chosen.shape}; expected is one for each of {self.num_envs}")
        if not np.issubdtype(chosen.dtype, np.integer):
            raise InputError(f"the actions are of the type {chosen.dtype}; expected are whole numbers")
        chosen = chosen.astype(np.int64)
        places, jobs = np.divmod(chosen, self.num_jobs)
        rows = np.arange(self.num_envs)
        last = 2 if self.bidirectional else 1
        if not ((places >= 0) & (places < last)).all() or state.placed[rows, jobs].any():
            raise InputError("an action is not allowed; `action_mask` tells which ones are")
        before = state.bounds()
        state.place(jobs, places == 1)
        terminated = np.full(self.num_envs, bool(state.placed.all()))
        bounds = state.bounds()
        rewards = before - bounds if self.reward == "bound" else np.where(terminated, -bounds, 0.0)
        return observation(state, self._means), rewards, terminated, never, self._info()

    def render(self) -> tuple[str, ...]:
        """The orders so far."""
        orders = [] if self._state is None else self._state.orders()
        return tuple(" ".join(str(job) for job in order) for order in orders)

    def _info(self) -> dict[str, Any]:
        assert self._state is not None
        info: dict[str, Any] = {
            "action_mask": masks(self._state.placed, self.bidirectional),
            "bound": self._state.bounds(),
        }
        if self._state.placed.all():
            info.update(orders=np.asarray(self._state.orders()), makespan=self._state.bounds())
        return info
