// Agents of EinStein wuerfelt nicht, as functions of a position and a seed.
#pragma once

#include <cstdint>

#include "agents/agent_state.h"
#include "einstein/einstein.h"

namespace sparring {

// Any legal move, uniformly; without the die of the next side.
Finding random_move(const EinsteinPosition& position, std::uint64_t seed);

// The step of the greatest worth (agents/einstein_steps.h), of equal ones any; any placing.
Finding greedy_step(const EinsteinPosition& position, std::uint64_t seed);

}  // namespace sparring
