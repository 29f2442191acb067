#include "search/go_search.h"

#include <algorithm>

#include "go/go_area.h"
#include "go/katago_features.h"

namespace sparring {

namespace {

// Parts of the keys made here; they meet no other hash.
enum class Part : std::uint64_t { pattern, move, previous, ko };

std::uint64_t part_key(Part part, std::uint64_t index) {
  return mix64(static_cast<std::uint64_t>(part) << 32 | index);
}

bool touches(const GoBoard& board, Point p, Stone stone) {
  return std::any_of(kNeighbours.begin(), kNeighbours.end(),
                     [&](Point d) { return board.at(p + d) == stone; });
}

// Tests whether a stone there joins two chains of its color, one of them not yet alive.
bool joins_unsettled(const GoBoard& board, Point p, Stone stone, const PointSet& alive) {
  if (alive.contains(p)) return false;
  Point first = kNoPoint;
  for (Point d : kNeighbours)
    if (board.at(p + d) == stone && !alive.contains(p + d)) first = board.head(p + d);
  return first != kNoPoint && std::any_of(kNeighbours.begin(), kNeighbours.end(), [&](Point d) {
           return board.at(p + d) == stone && board.head(p + d) != first;
         });
}

}  // namespace

using Traits = SearchTraits<GoPosition>;

GoPosition Traits::searched(const GoPosition& game) {
  GoPosition copy = game;
  copy.prevent_encore = false;  // dead stones are proven by playing on
  return copy;
}

bool Traits::no_result_possible(const GoPosition& game) {
  return game.rules().ko == KoRule::simple || game.rules().scoring == Scoring::territory;
}

bool Traits::is_symmetric(const GoPosition& game, int symmetry) {
  const GoBoard& board = game.board();
  if (board.ko_point() != kNoPoint || !game.superko_banned().empty() || game.phase() != 0)
    return false;
  return PlainTraits<GoPosition>::is_symmetric(game, symmetry);
}

void Traits::owners(const GoPosition& game, std::int8_t* out) {
  const GoArea area = game.area();
  for (int cell = 0; cell < game.board().area(); ++cell) {
    const Point p = game.board().point_of(cell);
    out[cell] = static_cast<std::int8_t>(area.owned[0].contains(p) - area.owned[1].contains(p));
  }
}

std::uint64_t Traits::bias_key(const GoPosition& game, int move) {
  if (move == game.pass_move() || game.recent_turns() == 0) return 0;
  const GoBoard& board = game.board();
  const Point center = board.point_of(move);
  std::uint64_t key = part_key(Part::move, center * 2 + game.to_move()) ^
                      part_key(Part::previous, game.recent_move(0).point) ^
                      part_key(Part::ko, board.ko_point());
  // The 5x5 pattern around the move; chains in atari are distinguished.
  const int cx = GoBoard::x_of(center);
  const int cy = GoBoard::y_of(center);
  for (int y = std::max(0, cy - 2); y <= std::min(board.height() - 1, cy + 2); ++y)
    for (int x = std::max(0, cx - 2); x <= std::min(board.width() - 1, cx + 2); ++x) {
      const Point p = board.point_at(x, y);
      const Stone stone = board.at(p);
      if (stone == kEmpty) continue;
      const int atari = board.liberties(p) == 1;
      key ^= part_key(Part::pattern, ((y - cy + 2) * 5 + x - cx + 2) * 8 + stone * 2 + atari);
    }
  return key == 0 ? 1 : key;
}

int Traits::must_consider(const GoPosition& game) {
  return game.pass_would_end_phase() ? game.pass_move() : -1;
}

bool Traits::looks_past(const GoPosition& game, int move, bool conservative_root) {
  return move == game.pass_move() && (conservative_root || game.pass_end_is_only_friendly());
}

bool Traits::root_is_special(const GoPosition& game, bool conservative) {
  return conservative && game.pass_would_end_game();
}

void Traits::features(const GoPosition& game, std::uint8_t* spatial, float* global, int symmetry,
                      const NetworkView& view) {
  FeatureOptions options;
  options.conservative_pass = view.conservative_pass;
  options.max_history = std::min(options.max_history, view.max_history);
  options.playout_doubling_advantage = view.playout_doubling_advantage;
  katago_features(game, options, symmetry, spatial, global);
}

void Traits::ending_bonus(const GoPosition& game, const Evaluation& evaluation, double points,
                          float* out) {
  constexpr float kSettled = 0.95f;
  std::fill(out, out + game.move_count(), 0.0f);
  const GoBoard& board = game.board();
  const bool area_counts = game.rules().scoring == Scoring::area || game.phase() >= 2;
  const auto cost = static_cast<float>(points);
  if (!area_counts)
    out[game.pass_move()] = -cost * 2.0f / 3.0f;
  else if (game.button_left())
    out[game.pass_move()] = -cost * 0.5f;
  if (board.ko_point() != kNoPoint) return;  // useless moves may be ko threats
  const Stone own = stone_of(game.to_move());
  const GoArea alive = pass_alive_area(board, game.suicide_for_pass_alive());
  const float sign = game.to_move() == 0 ? 1.0f : -1.0f;
  for (int move = 0; move < board.area(); ++move) {
    const Point p = board.point_of(move);
    if (board.at(p) != kEmpty) continue;
    const float ownership = sign * evaluation.ownership(move);
    if (ownership <= -kSettled) {
      if (!area_counts || !board.would_capture(p, own))
        out[move] = -cost * (-kSettled - ownership) / (1 - kSettled);
    } else if (ownership >= kSettled && !touches(board, p, opponent(own)) &&
               !joins_unsettled(board, p, own, alive.owned[game.to_move()])) {
      out[move] = -cost * (ownership - kSettled) / (1 - kSettled);
    }
  }
}

template class Tree<GoPosition>;

}  // namespace sparring
