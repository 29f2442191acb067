"""The papers' agents and other yardsticks, behind one interface."""

from engine.agents.agent import Agent
from engine.agents.table import AGENTS, AgentKind, make_agent

__all__ = ["AGENTS", "Agent", "AgentKind", "make_agent"]
