// The Python interface of the rules: GoRules and GoPosition. Arguments are checked here alone.
#include "bindings/bind_go.h"

#include <nanobind/operators.h>
#include <nanobind/stl/tuple.h>

#include <array>
#include <string>
#include <string_view>

#include "bindings/bind_position.h"
#include "common/bounds.h"
#include "go/go.h"
#include "go/go_area.h"
#include "go/go_ladder.h"
#include "go/katago_features.h"

namespace sparring {

namespace {

constexpr std::array<std::string_view, 3> kKoNames = {"SIMPLE", "POSITIONAL", "SITUATIONAL"};
constexpr std::array<std::string_view, 2> kScoringNames = {"AREA", "TERRITORY"};
constexpr std::array<std::string_view, 3> kTaxNames = {"NONE", "SEKI", "ALL"};
constexpr std::array<std::string_view, 3> kBonusNames = {"0", "N", "N-1"};

template <typename Choice, std::size_t N>
Choice parse(const std::array<std::string_view, N>& names, const char* rule,
             const std::string& text) {
  std::string known;
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == text) return static_cast<Choice>(i);
    known += (i > 0 ? ", " : "") + std::string(names[i]);
  }
  const std::string message = std::string(rule) + " \"" + text + "\" is none of " + known;
  throw nb::value_error(message.c_str());
}

template <typename Choice, std::size_t N>
std::string name(const std::array<std::string_view, N>& names, Choice choice) {
  return std::string(names[static_cast<std::size_t>(choice)]);
}

std::string describe(const GoRules& rules) {
  const auto truth = [](bool value) { return value ? "True" : "False"; };
  return "GoRules(ko=\"" + name(kKoNames, rules.ko) + "\", scoring=\"" +
         name(kScoringNames, rules.scoring) + "\", tax=\"" + name(kTaxNames, rules.tax) +
         "\", suicide=" + truth(rules.suicide) + ", button=" + truth(rules.button) +
         ", white_handicap_bonus=\"" + name(kBonusNames, rules.white_handicap_bonus) +
         "\", friendly_pass=" + truth(rules.friendly_pass) + ")";
}

Point checked_point(const GoPosition& position, int move) {
  if (checked_move(position, move) == position.pass_move()) refuse("a pass is not on the board");
  return position.board().point_of(move);
}

// Above the largest board's points, and small enough for an exact square of a score.
constexpr double kLargestKomi = 1000;

float checked_komi(double komi) {
  return static_cast<float>(checked("komi", komi, -kLargestKomi, kLargestKomi));
}

// The same from `value_at` of each point.
template <typename T, typename Value>
Array<T> point_array(const GoPosition& position, Value value_at) {
  return board_array<T>(position,
                        [&](int cell) { return value_at(position.board().point_of(cell)); });
}

Array<std::int8_t> area_array(const GoPosition& position, const GoArea& area) {
  return point_array<std::int8_t>(
      position, [&](Point p) { return area.owned[0].contains(p) - area.owned[1].contains(p); });
}

GoPosition new_position(int width, int height, const GoRules& rules, double komi) {
  for (int size : {width, height})
    if (size < kMinSize || size > kMaxSize)
      refuse("board size " + std::to_string(width) + "x" + std::to_string(height) +
             " is not within 2..19");
  return GoPosition(width, height, rules, checked_komi(komi));
}

void weigh_territory(GoPosition& position, double beta, int middle_line) {
  position.weights = {static_cast<float>(checked("beta", beta, -1, 1)),
                      checked("middle_line", middle_line, 1, kMaxSize)};
}

void set_up(GoPosition& position, const std::vector<std::pair<int, int>>& stones, int to_move) {
  check_stones(position, stones);
  checked_color(to_move);
  if (!position.setup(stones)) refuse("stones set up twice on a point, or without liberties");
  if (to_move != 0) position.set_to_move(to_move);
}

auto features(const GoPosition& position, int symmetry, double playout_doubling_advantage,
              int max_history, bool conservative_pass, bool passing_hacks) {
  checked_symmetry(position, symmetry);
  const auto advantage = static_cast<float>(
      checked("playout_doubling_advantage", playout_doubling_advantage, -10, 10));
  checked("max_history", max_history, 0, GoPosition::kRecentMoves);
  auto spatial =
      new_array<std::uint8_t>({GoPosition::kPlanes, static_cast<std::size_t>(position.height()),
                               static_cast<std::size_t>(position.width())});
  auto global = new_array<float>({GoPosition::kGlobals});
  const FeatureOptions options{advantage, max_history, conservative_pass, passing_hacks};
  katago_features(position, options, symmetry, spatial.data(), global.data());
  return std::make_pair(spatial, global);
}

auto ladder(const GoPosition& position) {
  const Ladders ladders = find_ladders(position.board());
  const auto mark = [&](const PointSet& points) {
    return point_array<std::uint8_t>(position, [&](Point p) { return points.contains(p); });
  };
  return std::make_pair(mark(ladders.captured),
                        mark(ladders.winning_moves[1 - position.to_move()]));
}

int liberties(const GoPosition& position, int move) {
  const Point p = checked_point(position, move);
  const Stone stone = position.board().at(p);
  return stone == kBlack || stone == kWhite ? position.board().liberties(p) : 0;
}

void bind_rules(nb::module_& m) {
  nb::class_<GoRules>(m, "GoRules", "A rule set of Go; the values are those of KataGo's JSON.")
      .def(
          "__init__",
          [](GoRules* self, const std::string& ko, const std::string& scoring,
             const std::string& tax, bool suicide, bool button,
             const std::string& white_handicap_bonus, bool friendly_pass) {
            new (self) GoRules{
                parse<KoRule>(kKoNames, "ko rule", ko),
                parse<Scoring>(kScoringNames, "scoring rule", scoring),
                parse<Tax>(kTaxNames, "tax rule", tax),
                suicide,
                button,
                parse<HandicapBonus>(kBonusNames, "white handicap bonus", white_handicap_bonus),
                friendly_pass};
          },
          nb::kw_only(), "ko"_a = "POSITIONAL", "scoring"_a = "AREA", "tax"_a = "NONE",
          "suicide"_a = true, "button"_a = false, "white_handicap_bonus"_a = "0",
          "friendly_pass"_a = false)
      .def_prop_ro("ko", [](const GoRules& self) { return name(kKoNames, self.ko); })
      .def_prop_ro("scoring", [](const GoRules& self) { return name(kScoringNames, self.scoring); })
      .def_prop_ro("tax", [](const GoRules& self) { return name(kTaxNames, self.tax); })
      .def_ro("suicide", &GoRules::suicide)
      .def_ro("button", &GoRules::button)
      .def_prop_ro("white_handicap_bonus",
                   [](const GoRules& self) { return name(kBonusNames, self.white_handicap_bonus); })
      .def_ro("friendly_pass", &GoRules::friendly_pass)
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def("__hash__", [](const GoRules& self) { return nb::hash(nb::cast(describe(self))); })
      .def("__repr__", &describe);
}

}  // namespace

void bind_go(nb::module_& m) {
  bind_rules(m);
  auto position = nb::class_<GoPosition>(
      m, "GoPosition",
      "A position of Go with the history for its rules and the network. Colors are 0 Black\n"
      "and 1 White; a move is y * width + x from the top left, a pass is width * height.");
  bind_common(position);
  position
      .def(
          "__init__",
          [](GoPosition* self, int width, int height, const GoRules& rules, double komi) {
            new (self) GoPosition(new_position(width, height, rules, komi));
          },
          "width"_a, "height"_a, "rules"_a, "komi"_a = 7.5)
      .def_prop_ro("rules", &GoPosition::rules)
      .def_prop_rw("komi", &GoPosition::komi,
                   [](GoPosition& self, double komi) { self.set_komi(checked_komi(komi)); })
      .def_prop_rw("to_move", &GoPosition::to_move,
                   [](GoPosition& self, int color) { self.set_to_move(checked_color(color)); })
      .def_rw("prevent_encore", &GoPosition::prevent_encore,
              "Whether two passes end the game without an encore (territory scoring).")
      .def_rw("pass_alive_under_suicide", &GoPosition::pass_alive_under_suicide)
      .def("weigh_territory", &weigh_territory, "beta"_a, "middle_line"_a = 4,
           "From now on points of the middle line count 1, those nearer to the border 1 -\n"
           "beta and those farther in 1 + beta: for games with a style.");
  position
      .def("setup", &set_up, "stones"_a, "to_move"_a = 0,
           "Replaces the board by (color, move) stones and clears the history. ValueError, with\n"
           "nothing changed, on a point set twice or a chain without liberties.")
      .def("end_and_score", &GoPosition::end_and_score,
           "Ends the game now and counts it; only stones in the other's pass-alive\n"
           "territory are dead.");
  position
      .def_prop_ro(
          "stones",
          [](const GoPosition& self) {
            return point_array<std::uint8_t>(self, [&](Point p) { return self.board().at(p); });
          },
          nb::rv_policy::automatic, "uint8 [height, width]: 0 empty, 1 Black, 2 White.")
      .def("liberties", &liberties, "move"_a, "Liberties of the chain there; 0 on an empty point.")
      .def_prop_ro(
          "ko_move",
          [](const GoPosition& self) {
            const Point ko = self.board().ko_point();
            return ko == kNoPoint ? -1 : self.board().move_of(ko);
          },
          "The forbidden point of a simple ko for to_move, or -1.")
      .def_prop_ro(
          "captured",
          [](const GoPosition& self) {
            return std::make_pair(self.board().captured(0), self.board().captured(1));
          },
          "Stones of Black and of White taken off the board so far.")
      .def_prop_ro("is_no_result", &GoPosition::no_result)
      .def_prop_ro("black_score", &GoPosition::black_score,
                   "Black's lead with komi and bonuses, counted as end_and_score() does.")
      .def_prop_ro("white_bonus", &GoPosition::white_bonus,
                   "White's points beside the board: komi, handicap, button, moves.")
      .def_prop_ro("handicap_stones", &GoPosition::handicap_stones)
      .def_prop_ro("phase", &GoPosition::phase)
      .def_prop_ro("consecutive_passes", &GoPosition::consecutive_passes)
      .def_prop_ro("pass_would_end_phase", &GoPosition::pass_would_end_phase)
      .def_prop_ro("pass_would_end_game", &GoPosition::pass_would_end_game)
      .def_prop_ro("hash", [](const GoPosition& self) { return self.board().hash(); });
  position
      .def(
          "area", [](const GoPosition& self) { return area_array(self, self.area()); },
          "int8 [height, width]: +1 Black's, -1 White's point as black_score counts them.")
      .def(
          "pass_alive",
          [](const GoPosition& self) {
            return area_array(self, pass_alive_area(self.board(), self.suicide_for_pass_alive()));
          },
          "int8 [height, width]: +1 Black's, -1 White's pass-alive stones and territory (Benson).")
      .def("ladder", &ladder,
           "(captured, winning moves), both uint8 [height, width]: stones of chains captured in a "
           "ladder (shicho), and moves of the player to\n"
           "move at the start of such a capture.")
      .def("features", &features, "symmetry"_a = 0, nb::kw_only(),
           "playout_doubling_advantage"_a = 0.0, "max_history"_a = GoPosition::kRecentMoves,
           "conservative_pass"_a = false, "passing_hacks"_a = false,
           "(uint8 [22, height, width], float32 [19]) the network's inputs: KataGo's input "
           "features, version 7. conservative_pass\n"
           "hides the end of the game by a pass, passing_hacks hides it for a loss.");
}

}  // namespace sparring
