// Counts of move sequences and positions of games of chance, for tests of the rules and of their
// speed.
#pragma once

#include <cstdint>
#include <vector>

#include "darkchess/darkchess.h"
#include "einstein/einstein.h"

namespace sparring {

// Sequences of exactly `moves` moves, each outcome of a move a move of its own, without games that
// end earlier.
std::uint64_t perft(const DarkChessPosition& position, int moves);
std::uint64_t perft(const EinsteinPosition& position, int moves);

// Distinct boards, with the player to move and the die, after 0, 1, ... `moves` moves.
std::vector<std::uint64_t> distinct_positions(const DarkChessPosition& position, int moves);
std::vector<std::uint64_t> distinct_positions(const EinsteinPosition& position, int moves);

}  // namespace sparring
