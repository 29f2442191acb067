// The papers' agents as functions of a position and a seed: equal arguments give equal moves. Each
// needs a position that is not over, and its setting bounds its time. A board size without a table
// raises std::invalid_argument.
#pragma once

#include <cstdint>

#include "agents/agent_state.h"
#include "connect4/connect4.h"
#include "go/go.h"
#include "othello/othello.h"

namespace sparring {

// AlphaDDA's Minimax1 or Minimax2, of depth 3. The paper describes minimax; the published code
// hands every leaf's value up to the root's move, past nodes with another choice: a move is then
// worth the least of all leaves below it. The paper's Elo are those of the code.
struct AlphaDdaMinimax {
  int number = 1;
  bool published = false;
};

// The ranking of Othello's moves by an agent with one ply of search.
enum class OthelloTaste { most_discs, fewest_discs, roxanne };

// ---- Any game
Finding random_move(const GoPosition& position, std::uint64_t seed);
Finding random_move(const OthelloPosition& position, std::uint64_t seed);
Finding random_move(const Connect4Position& position, std::uint64_t seed);
// The first of the candidates of random_move().
Finding first_move(const GoPosition& position);
Finding first_move(const OthelloPosition& position);
Finding first_move(const Connect4Position& position);

// ---- Below random
Finding worst_move(const OthelloPosition& position, std::uint64_t seed);
Finding worst_move(const Connect4Position& position, std::uint64_t seed);

// ---- Liang 2022: Othello; ties are broken at random
Finding tasteful_move(const OthelloPosition& position, OthelloTaste taste, std::uint64_t seed);
// With pruning, alpha-beta: the same move.
Finding liang_minimax(const OthelloPosition& position, int depth, bool pruning, std::uint64_t seed);
// The evaluation of those two and of the tree search, the view of `color`.
int liang_evaluation(const OthelloPosition& position, int color);
Finding liang_tree_search(const OthelloPosition& position, int loops, std::uint64_t seed);

// ---- Fujita 2022, the opponents of AlphaDDA; ties go to the first move
Finding alphadda_tree_search(const OthelloPosition& position, int playouts, std::uint64_t seed);
Finding alphadda_tree_search(const Connect4Position& position, int playouts, std::uint64_t seed);
// Boards of Othello: 6x6 and 8x8. In the last six turns it searches to the end.
Finding alphadda_minimax(const OthelloPosition& position, AlphaDdaMinimax kind);
Finding alphadda_minimax(const Connect4Position& position, AlphaDdaMinimax kind);
// Their evaluation of a position, the mover's view.
int alphadda_evaluation(const OthelloPosition& position, AlphaDdaMinimax kind);
int alphadda_evaluation(const Connect4Position& position, AlphaDdaMinimax kind);

}  // namespace sparring
