// Selects a playout's move at a node: PUCT over the node's edges and its best untried move.
#pragma once

#include <vector>

#include "common/random.h"
#include "search/tree_values.h"

namespace sparring {

// The root's policy as searched (temperature, noise, weights, excluded moves) and corrections of
// its moves' values.
struct RootView {
  std::vector<float> prior;                // [moves], -1 for excluded ones
  std::vector<float> bonus_points;         // [moves], the mover's
  std::vector<int16_t> duplicate_of;       // [moves], the earlier mirror image of this move, or -1
  std::vector<int8_t> duplicate_symmetry;  // [moves], the symmetry from that move to this one
};

// Moves excluded before a depth (0 is the root): KataGo's avoid and allow lists.
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

// The next move of a playout. `edge` is the number of edges for a new move.
struct Pick {
  int edge = -1;  // -1: none
  int move = -1;
  bool counted = true;  // false: adds no visits to the ancestors
};

struct PickContext {
  const RootView* root = nullptr;  // null away from the root
  const Restriction* restriction;
  int depth;
  int must_consider = -1;  // SearchTraits::must_consider
  bool by_proof = false;   // spend no visits on moves proven no better than others
  Random* random;
};

Pick pick_move(Node& node, const SearchSettings& s, const UtilityScale& scale,
               const PickContext& context);

}  // namespace sparring
