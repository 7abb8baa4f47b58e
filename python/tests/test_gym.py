"""The environments keep Gymnasium's rules."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import pfss

gymnasium = pytest.importorskip("gymnasium")

import pfss.gym as environments  # noqa: E402


def masked_play(environment: Any, seed: int) -> tuple[float, dict[str, Any]]:
    """An episode of random allowed actions: all rewards together, and the last info."""
    rng = np.random.default_rng(seed)
    _, info = environment.reset(seed=seed)
    total, terminated = 0.0, False
    while not terminated:
        _, reward, terminated, truncated, info = environment.step(rng.choice(np.flatnonzero(info["action_mask"])))
        assert not truncated
        total += reward
    return total, info


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("reward", ["makespan", "bound"])
def test_gymnasiums_checker_passes(bidirectional: bool, reward: str) -> None:
    from gymnasium.utils.env_checker import check_env

    arguments: dict[str, Any] = {"num_jobs": 6, "num_machines": 3, "bidirectional": bidirectional, "reward": reward}
    environment = gymnasium.make("pfss/FlowShop-v0", disable_env_checker=True, **arguments).unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(environment)


@pytest.mark.parametrize("bidirectional", [False, True])
def test_rewards_sum_up_to_the_makespan(bidirectional: bool) -> None:
    for seed, shop in enumerate(pfss.generate("gamma", num_jobs=9, num_machines=4, count=5)):
        for reward in ("makespan", "bound"):
            environment = environments.FlowShopEnv(shop, bidirectional=bidirectional, reward=reward)
            first = environment.reset()[1]["bound"]
            total, info = masked_play(environment, seed)
            makespan = pfss.evaluate(shop, info["order"])
            assert np.isclose(info["makespan"], makespan)
            assert np.isclose(-total, makespan - (first if reward == "bound" else 0.0))
            assert first <= pfss.solve(shop, time_limit=1).makespan + 1e-9


def test_masks_and_wrong_actions() -> None:
    environment = environments.FlowShopEnv(num_jobs=4, num_machines=2, bidirectional=True)
    with pytest.raises(pfss.InputError, match="reset"):
        environment.step(0)
    _, info = environment.reset(seed=1)
    assert info["action_mask"].shape == (8,) and info["action_mask"].all()
    _, _, _, _, info = environment.step(5)
    assert info["action_mask"].tolist() == [True, False, True, True] * 2
    for wrong in (1, 5, 8, -1):
        with pytest.raises(pfss.InputError, match="action_mask"):
            environment.step(wrong)
    assert environment.render() == "1"
    while info["action_mask"].any():
        info = environment.step(np.flatnonzero(info["action_mask"])[0])[4]
    with pytest.raises(pfss.InputError, match="call reset"):
        environment.step(0)


def test_instances_come_from_where_one_says() -> None:
    shops = pfss.generate("uniform", num_jobs=5, num_machines=3, count=3)
    seen = environments.FlowShopEnv(shops[0]).reset()[0]
    assert np.allclose(seen["times"] * shops[0].times.mean(), shops[0].times)
    environment = environments.FlowShopEnv(lambda seed: shops[seed % 3], num_jobs=5, num_machines=3)
    environment.reset(seed=1)
    environment.reset(options={"instance": shops[2]})
    with pytest.raises(pfss.InputError, match="expected are"):
        environment.reset(options={"instance": pfss.taillard("ta001")})
    with pytest.raises(pfss.InputError, match="plain problem"):
        environments.FlowShopEnv(pfss.Instance(shops[0].times, due=[9] * 5))
    with pytest.raises(pfss.InputError, match="no instances"):
        environments.FlowShopEnv([])
    environments.FlowShopEnv(tuple(shops)).reset()
    with pytest.raises(pfss.InputError, match="no reward"):
        environments.FlowShopEnv(reward="speed")
    same = [environments.FlowShopEnv().reset(seed=7)[0]["times"] for _ in range(2)]
    assert (same[0] == same[1]).all()


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("reward", ["makespan", "bound"])
def test_many_at_once_are_many_single_ones(bidirectional: bool, reward: str) -> None:
    shops = pfss.generate("uniform", num_jobs=6, num_machines=3, count=5)
    arguments: dict[str, Any] = {"bidirectional": bidirectional, "reward": reward}
    together = environments.FlowShopVectorEnv(5, shops, **arguments)
    alone = [environments.FlowShopEnv(shop, **arguments) for shop in shops]
    seen, info = together.reset(options={"instances": shops})
    assert together.observation_space.contains(seen)
    for environment in alone:
        environment.reset()
    rng = np.random.default_rng(1)
    for step in range(6):
        actions = np.asarray([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        seen, rewards, terminated, _, info = together.step(actions)
        for row, environment in enumerate(alone):
            own, own_reward, own_end, _, own_info = environment.step(actions[row])
            assert all(np.array_equal(seen[key][row], own[key]) for key in own)
            assert rewards[row] == own_reward and terminated[row] == own_end
            assert (info["action_mask"][row] == own_info["action_mask"]).all()
    assert terminated.all() and info["orders"].shape == (5, 6)
    seen, rewards, terminated, _, info = together.step(np.zeros(5, dtype=int))
    assert not terminated.any() and info["action_mask"].all() and not rewards.any()
    for wrong in (np.full(5, 99), np.zeros(3)):
        with pytest.raises(pfss.InputError):
            together.step(wrong)


def test_gymnasium_makes_both() -> None:
    one = gymnasium.make("pfss/FlowShop-v0", num_jobs=5, num_machines=2, disable_env_checker=True)
    assert one.reset(seed=1)[0]["times"].shape == (5, 2)
    many = gymnasium.make_vec("pfss/FlowShop-v0", num_envs=3, num_jobs=5, num_machines=2)
    # Wrappers count on the way in which episodes begin anew.
    counted = gymnasium.wrappers.vector.RecordEpisodeStatistics(many)
    _, info = counted.reset(seed=1)
    for step in range(12):
        actions = [np.flatnonzero(mask)[0] if mask.any() else 0 for mask in info["action_mask"]]
        _, rewards, terminated, _, info = counted.step(np.asarray(actions))
        assert terminated.all() == (step in (4, 10))
        if terminated.all():
            assert np.allclose(info["episode"]["r"], -info["makespan"]) and (info["episode"]["l"] == 5).all()
    assert isinstance(many.unwrapped, environments.FlowShopVectorEnv)
    assert many.reset(seed=1)[0]["times"].shape == (3, 5, 2)


TIMES = [[4, 3], [2, 5], [3, 1]]


@pytest.mark.parametrize(
    ("instance", "shape"),
    [
        (TIMES, (3, 2)),
        (np.asarray(TIMES), (3, 2)),
        ("ta001", (20, 5)),
        ([TIMES, pfss.Instance(TIMES)], (3, 2)),
        (np.asarray([TIMES, TIMES], dtype=float), (3, 2)),
        (["ta001", "ta002"], (20, 5)),
        (lambda _: pfss.taillard(1).times, (20, 5)),
    ],
    ids=["rows", "array", "name", "list", "arrays", "names", "function"],
)
def test_what_stands_for_an_instance_is_taken(instance: Any, shape: tuple[int, int]) -> None:
    environment = environments.FlowShopEnv(instance)
    assert environment.reset(seed=1)[0]["times"].shape == shape
    vectors = environments.FlowShopVectorEnv(2, instance)
    assert vectors.reset(seed=1)[0]["times"].shape == (2, *shape)


def test_instances_in_options_may_be_arrays_and_names() -> None:
    environment = environments.FlowShopEnv(num_jobs=20, num_machines=5)
    for given in ("ta001", pfss.taillard(1).times, pfss.taillard(1)):
        _, _ = environment.reset(options={"instance": given})
        assert environment.step(3)[4]["bound"] == masked_bound(pfss.taillard(1))
    vectors = environments.FlowShopVectorEnv(2, num_jobs=20, num_machines=5)
    vectors.reset(options={"instances": ["ta001", pfss.taillard(2).times]})
    assert vectors.step(np.asarray([3, 3]))[4]["bound"][0] == masked_bound(pfss.taillard(1))
    assert vectors.render() == ("3", "3")


def masked_bound(shop: pfss.Instance) -> float:
    environment = environments.FlowShopEnv(shop)
    environment.reset()
    return float(environment.step(3)[4]["bound"])


@pytest.mark.parametrize("kind", [environments.FlowShopEnv, environments.FlowShopVectorEnv])
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"instance": TIMES, "num_jobs": 4}, "has 3 jobs on 2 machines, expected are 4 on 2"),
        ({"instance": TIMES, "num_machines": 5}, "expected are 3 on 5"),
        ({"instance": [TIMES, [[1, 2]]]}, "has 1 jobs on 2 machines, expected are 3 on 2"),
        ({"instance": TIMES, "distribution": "gamma"}, "leave one out"),
        ({"instance": "ta999"}, "ta999"),
        ({"instance": 7}, "the times are no table"),
        ({"instance": [1, 2]}, "row"),
        ({"instance": []}, "no instances to draw from"),
        ({"num_jobs": 2.5}, "the number of jobs is 2.5"),
        ({"num_jobs": 0}, "the number of jobs is 0"),
        ({"distribution": "beta"}, "beta"),
        ({"render_mode": "human"}, "no render mode 'human'"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_wrong_arguments_are_told(kind: Any, arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(pfss.InputError, match=told):
        kind(**arguments)


@pytest.mark.parametrize("action", [1.7, "1", None, [1], np.asarray([1.0])])
def test_actions_are_whole_numbers(action: Any) -> None:
    environment = environments.FlowShopEnv(TIMES)
    environment.reset(seed=1)
    with pytest.raises(pfss.InputError, match="no whole number"):
        environment.step(action)
    for allowed, kind in ((0, int), (1, np.int64), (2, np.asarray)):
        environment.step(kind(allowed))
    vectors = environments.FlowShopVectorEnv(2, TIMES)
    vectors.reset(seed=1)
    with pytest.raises(pfss.InputError, match="whole numbers"):
        vectors.step(np.asarray([0.0, 1.7]))
    with pytest.raises(pfss.InputError, match="the number of environments is 0"):
        environments.FlowShopVectorEnv(0, TIMES)
