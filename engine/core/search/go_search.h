// Search traits of Go, beyond the Game concept.
#pragma once

#include "go/go.h"
#include "search/search_traits.h"
#include "search/tree.h"

namespace sparring {

template <>
struct SearchTraits<GoPosition> : PlainTraits<GoPosition> {
  static constexpr bool kProves = false;  // komi, and games without a result
  static GoPosition searched(const GoPosition& game);
  static bool no_result_possible(const GoPosition& game);
  static bool is_symmetric(const GoPosition& game, int symmetry);
  static void owners(const GoPosition& game, std::int8_t* out);
  static std::uint64_t bias_key(const GoPosition& game, int move);
  static int must_consider(const GoPosition& game);
  static bool looks_past(const GoPosition& game, int move, bool conservative_root);
  static bool root_is_special(const GoPosition& game, bool conservative);
  static void features(const GoPosition& game, std::uint8_t* spatial, float* global, int symmetry,
                       const NetworkView& view);
  // Penalizes moves in settled areas that neither capture nor connect, and under rules without
  // points for dame slightly a pass before the dame are filled (KataGo's root ending bonus).
  static void ending_bonus(const GoPosition& game, const Evaluation& evaluation, double points,
                           float* out);
};

extern template class Tree<GoPosition>;

}  // namespace sparring
