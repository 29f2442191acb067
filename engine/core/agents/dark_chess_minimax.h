// Expectiminimax on weighted material: EMM of Hsueh's thesis (2019, section 3.1).
#pragma once

#include <cstdint>

#include "agents/agent_state.h"
#include "darkchess/darkchess.h"

namespace sparring {

// The action with the best expected lead in weights after so many plies, of equal ones any. Every
// piece that a flip may reveal is searched. A won game counts more than any material.
Finding dark_chess_minimax(const DarkChessPosition& position, int plies, std::uint64_t seed);

// Any legal move, uniformly; a flip without its outcome.
Finding random_move(const DarkChessPosition& position, std::uint64_t seed);

}  // namespace sparring
