// Which move a playout takes at a node: PUCT over the node's edges and its best untried move.
#pragma once

#include <vector>

#include "common/random.h"
#include "search/tree_values.h"

namespace sparring {

// What is particular to the root: its policy as searched (temperature, noise, weights, moves not
// allowed) and corrections of its moves' values.
struct RootView {
  std::vector<float> prior;                // [moves], -1 where not to be searched
  std::vector<float> bonus_points;         // [moves], the mover's
  std::vector<int16_t> duplicate_of;       // [moves], the earlier move this one mirrors, or -1
  std::vector<int8_t> duplicate_symmetry;  // [moves], the symmetry that turns that one into this
};

// Moves that may not be played before a depth (0 is the root): KataGo's avoid and allow lists.
class Restriction {
 public:
  // `until[move]` is the first depth at which that color may play the move again; empty lifts all.
  void set(int color, std::vector<int> until) { until_[color] = std::move(until); }
  void clear() { until_[0].clear(), until_[1].clear(); }
  bool active(int color) const { return !until_[color].empty(); }
  bool forbids(int color, int move, int depth) const {
    return active(color) && depth < until_[color][move];
  }

 private:
  std::vector<int> until_[2];
};

// A move to descend by. `edge` is the number of edges when the move is new.
struct Pick {
  int edge = -1;  // -1: there is none
  int move = -1;
  bool counted = true;  // false: a look that adds no visits to the ancestors
};

struct PickContext {
  const RootView* root = nullptr;  // null away from the root
  const Restriction* restriction;
  int depth;
  int must_consider = -1;  // SearchTraits::must_consider
  bool by_proof = false;   // spend no visits on moves that are known not to be better than others
  Random* random;
};

Pick pick_move(Node& node, const SearchSettings& s, const UtilityScale& scale,
               const PickContext& context);

}  // namespace sparring
