// What Python sees of the rules: GoRules and GoPosition. Arguments are checked here, and nowhere
// below; moves out of range and illegal ones raise ValueError naming what was asked.
#include "bind_go.h"

#include <nanobind/ndarray.h>
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "go.h"
#include "go_area.h"
#include "go_ladder.h"
#include "katago_features.h"

namespace nb = nanobind;
using namespace nb::literals;

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

[[noreturn]] void refuse(const std::string& message) { throw nb::value_error(message.c_str()); }

std::string describe(const GoRules& rules) {
  const auto truth = [](bool value) { return value ? "True" : "False"; };
  return "GoRules(ko=\"" + name(kKoNames, rules.ko) + "\", scoring=\"" +
         name(kScoringNames, rules.scoring) + "\", tax=\"" + name(kTaxNames, rules.tax) +
         "\", suicide=" + truth(rules.suicide) + ", button=" + truth(rules.button) +
         ", white_handicap_bonus=\"" + name(kBonusNames, rules.white_handicap_bonus) +
         "\", friendly_pass=" + truth(rules.friendly_pass) + ")";
}

int checked_color(int color) {
  if (color != 0 && color != 1)
    refuse("color " + std::to_string(color) + " is neither 0 (Black) nor 1 (White)");
  return color;
}

int color_or_to_move(const GoPosition& position, std::optional<int> color) {
  return color ? checked_color(*color) : position.to_move();
}

int checked_move(const GoPosition& position, int move) {
  if (move < 0 || move >= position.move_count())
    refuse("move " + std::to_string(move) + " is not one of 0.." +
           std::to_string(position.pass_move()) + " of this " + std::to_string(position.width()) +
           "x" + std::to_string(position.height()) + " board");
  return move;
}

Point checked_point(const GoPosition& position, int move) {
  if (checked_move(position, move) == position.pass_move()) refuse("a pass is not on the board");
  return position.board().point_of(move);
}

void check_komi(float komi) {
  if (!std::isfinite(komi)) refuse("komi " + std::to_string(komi) + " is not a finite number");
}

template <typename T>
using Rows = nb::ndarray<nb::numpy, T>;

// A new array owned by Python, zeroed.
template <typename T>
Rows<T> new_array(std::initializer_list<std::size_t> shape) {
  std::size_t count = 1;
  for (std::size_t size : shape) count *= size;
  T* data = new T[count]();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return Rows<T>(data, shape, owner);
}

template <typename T, typename Value>
Rows<T> board_array(const GoPosition& position, Value value_at) {
  auto out = new_array<T>(
      {static_cast<std::size_t>(position.height()), static_cast<std::size_t>(position.width())});
  for (int move = 0; move < position.pass_move(); ++move)
    out.data()[move] = static_cast<T>(value_at(position.board().point_of(move)));
  return out;
}

Rows<std::int8_t> area_array(const GoPosition& position, const GoArea& area) {
  return board_array<std::int8_t>(
      position, [&](Point p) { return area.owned[0].contains(p) - area.owned[1].contains(p); });
}

GoPosition new_position(int width, int height, const GoRules& rules, float komi) {
  for (int size : {width, height})
    if (size < kMinSize || size > kMaxSize)
      refuse("board size " + std::to_string(width) + "x" + std::to_string(height) +
             " is not within 2..19");
  check_komi(komi);
  return GoPosition(width, height, rules, komi);
}

void set_up(GoPosition& position, const std::vector<std::pair<int, int>>& stones) {
  for (const auto& [color, move] : stones) {
    checked_color(color);
    checked_point(position, move);
  }
  if (!position.setup(stones)) refuse("stones set up twice on a point, or without liberties");
}

bool is_legal(const GoPosition& position, int move, std::optional<int> color, bool tolerant) {
  checked_move(position, move);
  const int mover = color_or_to_move(position, color);
  return tolerant ? position.legal_tolerant(move, mover) : position.legal(move, mover);
}

void play(GoPosition& position, int move, std::optional<int> color, bool tolerant) {
  if (!is_legal(position, move, color, tolerant))
    refuse("illegal move " + std::to_string(move) + " (column " +
           std::to_string(move % position.width()) + ", row " +
           std::to_string(move / position.width()) + ")");
  position.play(move, color_or_to_move(position, color));
}

Rows<std::uint8_t> legal_mask(const GoPosition& position) {
  auto out = new_array<std::uint8_t>({static_cast<std::size_t>(position.move_count())});
  position.legal_mask(out.data());
  return out;
}

auto features(const GoPosition& position, int symmetry, float playout_doubling_advantage,
              int max_history, bool conservative_pass, bool passing_hacks) {
  if (symmetry < 0 || symmetry > 7) refuse("symmetry " + std::to_string(symmetry) + " is not 0..7");
  if (symmetry > 3 && position.width() != position.height())
    refuse("symmetry " + std::to_string(symmetry) + " transposes, and this board is not square");
  auto spatial =
      new_array<std::uint8_t>({GoPosition::kPlanes, static_cast<std::size_t>(position.height()),
                               static_cast<std::size_t>(position.width())});
  auto global = new_array<float>({GoPosition::kGlobals});
  const FeatureOptions options{playout_doubling_advantage, max_history, conservative_pass,
                               passing_hacks};
  katago_features(position, options, symmetry, spatial.data(), global.data());
  return std::make_pair(spatial, global);
}

auto ladder(const GoPosition& position) {
  const Ladders ladders = find_ladders(position.board());
  const auto mark = [&](const PointSet& points) {
    return board_array<std::uint8_t>(position, [&](Point p) { return points.contains(p); });
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
      "A position of Go with the history that its rules and the network need. Colors are 0 Black\n"
      "and 1 White; a move is y * width + x from the top left, a pass is width * height.");
  position
      .def(
          "__init__",
          [](GoPosition* self, int width, int height, const GoRules& rules, float komi) {
            new (self) GoPosition(new_position(width, height, rules, komi));
          },
          "width"_a, "height"_a, "rules"_a, "komi"_a = 7.5f)
      .def("copy", [](const GoPosition& self) { return self; })
      .def_prop_ro("width", &GoPosition::width)
      .def_prop_ro("height", &GoPosition::height)
      .def_prop_ro("rules", &GoPosition::rules)
      .def_prop_rw("komi", &GoPosition::komi,
                   [](GoPosition& self, float komi) {
                     check_komi(komi);
                     self.set_komi(komi);
                   })
      .def_prop_ro("move_number", &GoPosition::move_number)
      .def_prop_ro("pass_move", &GoPosition::pass_move)
      .def_prop_rw("to_move", &GoPosition::to_move,
                   [](GoPosition& self, int color) { self.set_to_move(checked_color(color)); })
      .def_rw("prevent_encore", &GoPosition::prevent_encore,
              "Whether two passes end the game instead of starting the encore (territory scoring).")
      .def_rw("pass_alive_under_suicide", &GoPosition::pass_alive_under_suicide);
  position
      .def("setup", &set_up, "stones"_a,
           "Replaces the board by (color, move) stones, Black to move, and clears the history.\n"
           "ValueError, with nothing changed, on a point set twice or a chain without liberties.")
      .def("is_legal", &is_legal, "move"_a, "color"_a = nb::none(), nb::kw_only(),
           "tolerant"_a = false,
           "Whether color (default: to_move) may play the move; tolerant ignores superko.")
      .def("play", &play, "move"_a, "color"_a = nb::none(), nb::kw_only(), "tolerant"_a = false,
           "Plays the move, out of turn too; a finished game goes on. ValueError if illegal.")
      .def("legal_mask", &legal_mask, "uint8 [width * height + 1], 1 where to_move may play.")
      .def("end_and_score", &GoPosition::end_and_score,
           "Ends the game now and counts it, with every stone alive that is not in the other's\n"
           "pass-alive territory.");
  position
      .def_prop_ro(
          "stones",
          [](const GoPosition& self) {
            return board_array<std::uint8_t>(self, [&](Point p) { return self.board().at(p); });
          },
          nb::rv_policy::automatic, "uint8 [height, width]: 0 empty, 1 Black, 2 White.")
      .def("liberties", &liberties, "move"_a, "Liberties of the chain there; 0 on an empty point.")
      .def_prop_ro(
          "ko_move",
          [](const GoPosition& self) {
            const Point ko = self.board().ko_point();
            return ko == kNoPoint ? -1 : self.board().move_of(ko);
          },
          "The point where a simple ko forbids to_move to play, or -1.")
      .def_prop_ro(
          "captured",
          [](const GoPosition& self) {
            return std::make_pair(self.board().captured(0), self.board().captured(1));
          },
          "Stones of Black and of White taken off the board so far.")
      .def_prop_ro("is_over", &GoPosition::is_over)
      .def_prop_ro("is_no_result", &GoPosition::no_result)
      .def_prop_ro("winner", &GoPosition::winner,
                   "0 or 1; -1 when drawn, without result or not over.")
      .def_prop_ro("black_score", &GoPosition::black_score,
                   "Black's lead with komi and bonuses, counted as end_and_score() does.")
      .def_prop_ro("white_bonus", &GoPosition::white_bonus,
                   "Points White has beside the board: komi, handicap, button, moves.")
      .def_prop_ro("handicap_stones", &GoPosition::handicap_stones)
      .def_prop_ro("phase", &GoPosition::phase)
      .def_prop_ro("consecutive_passes", &GoPosition::consecutive_passes)
      .def_prop_ro("pass_would_end_phase", &GoPosition::pass_would_end_phase)
      .def_prop_ro("pass_would_end_game", &GoPosition::pass_would_end_game)
      .def_prop_ro("hash", [](const GoPosition& self) { return self.board().hash(); })
      .def_prop_ro("graph_hash", &GoPosition::graph_hash)
      .def_prop_ro("network_hash", &GoPosition::network_hash);
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
           "(captured, winning moves), both uint8 [height, width]: stones of chains that a ladder\n"
           "captures, and moves of the player to move that start such a capture.")
      .def("features", &features, "symmetry"_a = 0, nb::kw_only(),
           "playout_doubling_advantage"_a = 0.0f, "max_history"_a = GoPosition::kRecentMoves,
           "conservative_pass"_a = false, "passing_hacks"_a = false,
           "(uint8 [22, height, width], float32 [19]) as the network sees the position: KataGo's\n"
           "input features, version 7. conservative_pass hides that a pass would end the game,\n"
           "passing_hacks does where that would be no win.");
}

}  // namespace sparring
