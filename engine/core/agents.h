// The papers' agents as functions of a position and a seed: the same two always give the same move.
// Each wants a position that is not over, and takes no longer than its setting says. Where a board
// size has no table, std::invalid_argument says so.
#pragma once

#include <cstdint>

#include "agent_state.h"
#include "connect4.h"
#include "go.h"
#include "othello.h"

namespace sparring {

// How an agent that looks one move ahead ranks the moves of Othello.
enum class OthelloTaste { most_discs, fewest_discs, roxanne };

// ---- Any game
// Any legal move, each as likely. In Go none that fills an eye of one point of its own, and a pass
// where nothing else is left, so that games end.
Finding random_move(const GoPosition& position, std::uint64_t seed);
Finding random_move(const OthelloPosition& position, std::uint64_t seed);
Finding random_move(const Connect4Position& position, std::uint64_t seed);
// The first of those that random_move() takes from.
Finding first_move(const GoPosition& position);
Finding first_move(const OthelloPosition& position);
Finding first_move(const Connect4Position& position);

// ---- Below random
// The move that leaves its mover worst off after the opponent's best reply, by Liang's evaluation
// of Othello and AlphaDDA's of Connect4.
Finding worst_move(const OthelloPosition& position, std::uint64_t seed);
Finding worst_move(const Connect4Position& position, std::uint64_t seed);

// ---- Liang 2022: Othello; ties are broken at random
Finding tasteful_move(const OthelloPosition& position, OthelloTaste taste, std::uint64_t seed);
// With pruning, alpha-beta: the same move.
Finding liang_minimax(const OthelloPosition& position, int depth, bool pruning, std::uint64_t seed);
Finding liang_tree_search(const OthelloPosition& position, int loops, std::uint64_t seed);

// ---- Fujita 2022, the opponents of AlphaDDA; ties go to the first move
Finding alphadda_tree_search(const OthelloPosition& position, int playouts, std::uint64_t seed);
Finding alphadda_tree_search(const Connect4Position& position, int playouts, std::uint64_t seed);
// variant: 1 or 2. Boards of Othello: 6x6 and 8x8.
Finding alphadda_minimax(const OthelloPosition& position, int variant);
Finding alphadda_minimax(const Connect4Position& position, int variant);

}  // namespace sparring
