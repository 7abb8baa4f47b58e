"""Environments for reinforcement learning, in the manner of Gymnasium (``pip install pfss[gym]``).

>>> import gymnasium, pfss.gym
>>> environment = gymnasium.make("pfss/FlowShop-v0", num_jobs=6, num_machines=3)
>>> observation, info = environment.reset(seed=1)
>>> observation["times"].shape, int(info["action_mask"].sum())
((6, 3), 6)
"""

import gymnasium

from pfss.gym.environment import FlowShopEnv
from pfss.gym.vector import FlowShopVectorEnv

__all__ = ["FlowShopEnv", "FlowShopVectorEnv"]

if "pfss/FlowShop-v0" not in gymnasium.registry:
    gymnasium.register(
        "pfss/FlowShop-v0",
        entry_point="pfss.gym.environment:FlowShopEnv",
        vector_entry_point="pfss.gym.vector:FlowShopVectorEnv",
    )
