// Counts of move sequences and positions, for tests of the rules and of their speed.
#pragma once

#include <cstdint>
#include <vector>

#include "connect4/connect4.h"
#include "othello/othello.h"

namespace sparring {

// Sequences of exactly `moves` moves, passes included, without games that end earlier.
std::uint64_t perft(const OthelloPosition& position, int moves);
std::uint64_t perft(const Connect4Position& position, int moves);

// Distinct positions after 0, 1, ... `moves` moves.
std::vector<std::uint64_t> distinct_positions(const OthelloPosition& position, int moves);
std::vector<std::uint64_t> distinct_positions(const Connect4Position& position, int moves);

}  // namespace sparring
