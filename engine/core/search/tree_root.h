// What is particular to the root of a search: its averaged evaluation, its policy as searched, and
// the values of finished games.
#pragma once

#include <functional>

#include "common/random.h"
#include "game/game.h"
#include "search/evaluation.h"
#include "search/tree_select.h"

namespace sparring {

struct RootInputs {
  const Evaluation* evaluation;
  unsigned symmetries;  // bit s: the position is unchanged by symmetry s; bit 0 always
  std::function<int(int move, int symmetry)> symmetric_move;
  std::function<bool(int move)> allowed;
  const std::vector<float>* weights;  // [moves], 0 or more: factors on the policy; empty: all 1
};

// The root's policy with temperature, Dirichlet noise and weights, -1 where a move is not to be
// searched: illegal, not allowed, of weight 0, or the mirror of an earlier move. Weights leave the
// sum over the moves searched as it was; where all of those have 0 they are ignored. bonus_points
// is left empty.
RootView make_root_view(const RootInputs& inputs, const SearchSettings& s, Random& random);

// The values of a finished game: a draw is worth s.draw_equivalent_wins to Black.
Values terminal_values(const Outcome& outcome, const SearchSettings& s,
                       const NetworkScales& scales);

// Averages evaluations of one position: add each, `first` starting anew, then divide.
void add_decoded(const Decoded& decoded, int moves, int cells, bool first, Decoded& sum);
void divide_decoded(int count, int moves, int cells, Decoded& sum);

}  // namespace sparring
