// The root of a search: its averaged evaluation, its policy with noise and weights, and the values
// of finished games.
#pragma once

#include <functional>

#include "common/random.h"
#include "game/game.h"
#include "search/evaluation.h"
#include "search/tree_select.h"

namespace sparring {

struct RootInputs {
  const Evaluation* evaluation;
  unsigned symmetries;  // bit s: symmetry s maps the position to itself; bit 0 always
  std::function<int(int move, int symmetry)> symmetric_move;
  std::function<bool(int move)> allowed;
  const std::vector<float>* weights;  // [moves], 0 or more: factors on the policy; empty: all 1
};

// The root's policy with temperature, Dirichlet noise and weights, -1 for an excluded move:
// illegal, not allowed, of weight 0, or the mirror of an earlier move. Weights keep the sum over
// the searched moves; they are ignored if all of these have 0. bonus_points stays empty.
RootView make_root_view(const RootInputs& inputs, const SearchSettings& s, Random& random);

// The values of a finished game: a draw is worth s.draw_equivalent_wins to Black.
Values terminal_values(const Outcome& outcome, const SearchSettings& s,
                       const NetworkScales& scales);

// Averages evaluations of one position: add each (`first` resets the sum), then divide.
void add_decoded(const Decoded& decoded, int moves, int cells, bool first, Decoded& sum);
void divide_decoded(int count, int moves, int cells, Decoded& sum);

}  // namespace sparring
