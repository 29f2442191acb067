// The rules of Go as data: the differences between KataGo's named rule sets. Komi belongs to a game
// instead. Names of rule sets are in engine/games/rules.py.
#pragma once

#include <cstdint>

namespace sparring {

enum class KoRule : std::uint8_t { simple, positional, situational };
enum class Scoring : std::uint8_t { area, territory };
enum class Tax : std::uint8_t { none, seki, all };
// Points White receives for Black's handicap stones: none, one a stone, or one a stone but the
// first.
enum class HandicapBonus : std::uint8_t { zero, stones, stones_minus_one };

struct GoRules {
  KoRule ko = KoRule::positional;
  Scoring scoring = Scoring::area;
  Tax tax = Tax::none;
  bool suicide = true;  // of two stones or more; suicide of a single stone is never legal
  bool button = false;
  HandicapBonus white_handicap_bonus = HandicapBonus::zero;
  bool friendly_pass = false;

  bool operator==(const GoRules&) const = default;
};

}  // namespace sparring
