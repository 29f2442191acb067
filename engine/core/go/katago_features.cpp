#include "go/katago_features.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "game/symmetry.h"
#include "go/go_area.h"
#include "go/go_ladder.h"

namespace sparring {
namespace {

// The first plane of each group of spatial planes; own planes go before the opponent's.
namespace plane {
constexpr int on_board = 0, stones = 1, liberties = 3, ko_ban = 6, recapture_block = 7;
constexpr int recent_moves = 9, ladders = 14, winning_ladder_moves = 17, area = 18;
constexpr int second_encore_stones = 20;
}  // namespace plane

namespace input {
constexpr int recent_passes = 0, self_komi = 5, ko_rule = 6, suicide = 8, territory = 9, tax = 10;
constexpr int encore = 12, pass_ends_phase = 14, playout_doublings = 15, button = 17;
constexpr int komi_parity = 18;
}  // namespace input

constexpr float kKomiMargin = 20.0f, kKomiScale = 20.0f;

class Planes {
 public:
  Planes(const GoBoard& board, int symmetry, std::uint8_t* cells)
      : map_(board.width(), board.height(), symmetry), cells_(cells), size_(board.area()) {
    std::memset(cells, 0, static_cast<std::size_t>(GoPosition::kPlanes) * size_);
    std::memset(cells + plane::on_board * size_, 1, size_);
  }

  void mark(int plane, Point p) {
    cells_[plane * size_ + map_.index(GoBoard::x_of(p), GoBoard::y_of(p))] = 1;
  }
  void mark(int plane, const PointSet& points) {
    points.for_each([&](Point p) { mark(plane, p); });
  }

 private:
  const SymmetryMap map_;
  std::uint8_t* const cells_;
  const int size_;
};

void mark_stones(const GoBoard& board, int color, Planes& planes) {
  for (int side : {0, 1}) {
    board.points(stone_of(side == 0 ? color : 1 - color)).for_each([&](Point p) {
      planes.mark(plane::stones + side, p);
      const int liberties = board.liberties(p);
      if (liberties <= 3) planes.mark(plane::liberties + liberties - 1, p);
    });
  }
}

void mark_ko_bans(const GoPosition& position, Planes& planes) {
  if (position.phase() > 0)
    planes.mark(plane::recapture_block, position.recapture_blocked());
  else if (position.board().ko_point() != kNoPoint)
    planes.mark(plane::ko_ban, position.board().ko_point());
  planes.mark(plane::ko_ban, position.superko_banned());
}

// Marks recent moves as long as the players alternate, passes among the globals; returns the number
// of turns marked.
int mark_recent_moves(const GoPosition& position, int turns, Planes& planes, float* global) {
  const int color = position.to_move();
  for (int i = 0; i < turns; ++i) {
    const RecentMove& move = position.recent_move(i);
    if (move.color != (i % 2 == 0 ? 1 - color : color)) return i;
    if (move.point == kNoPoint)
      global[input::recent_passes + i] = 1.0f;
    else
      planes.mark(plane::recent_moves + i, move.point);
  }
  return turns;
}

// The board before an unmarked turn is replaced by the next newer one.
void mark_ladders(const GoPosition& position, int turns_shown, Planes& planes) {
  Ladders ladders = cached_ladders(position.board());
  planes.mark(plane::winning_ladder_moves, ladders.winning_moves[1 - position.to_move()]);
  for (int plies_ago = 0; plies_ago < GoPosition::kRecentBoards; ++plies_ago) {
    if (plies_ago > 0 && plies_ago <= turns_shown)
      ladders = cached_ladders(position.board_before(plies_ago));
    planes.mark(plane::ladders + plies_ago, ladders.captured);
  }
}

PointSet second_encore_stones(const GoPosition& position, int color) {
  PointSet stones;
  for (Point p = 0; p < kPoints; ++p)
    if (position.second_encore_start(p) == stone_of(color)) stones.insert(p);
  return stones;
}

bool has_area(const GoPosition& position) {
  return position.rules().scoring == Scoring::area || position.phase() >= 2;
}

// Whether a count now is no win for the player to move.
bool would_not_win(const GoPosition& position, const GoArea& area) {
  const int own = position.to_move(), other = 1 - own;
  float lead = static_cast<float>(area.owned[own].size() - area.owned[other].size());
  if (position.rules().tax == Tax::all)
    lead -=
        2.0f * static_cast<float>(area.independent_regions[own] - area.independent_regions[other]);
  return lead + position.self_komi(own) <= 0.0f;
}

// A triangle wave over self_komi with a period of two points. It rises through the komis with
// possible draws by the board's parity.
float komi_parity_wave(float self_komi, int board_area) {
  const float parity = board_area % 2 == 0 ? 0.0f : 1.0f;
  const float drawable = std::floor((self_komi - parity) / 2.0f) * 2.0f + parity;
  const float above = std::clamp(self_komi - drawable, 0.0f, 2.0f);
  if (above < 0.5f) return above;
  return above < 1.5f ? 1.0f - above : above - 2.0f;
}

void fill_rules(const GoRules& rules, float* global) {
  if (rules.ko != KoRule::simple) {
    global[input::ko_rule] = 1.0f;
    global[input::ko_rule + 1] = rules.ko == KoRule::positional ? 0.5f : -0.5f;
  }
  global[input::suicide] = rules.suicide;
  global[input::territory] = rules.scoring == Scoring::territory;
  global[input::tax] = rules.tax != Tax::none;
  global[input::tax + 1] = rules.tax == Tax::all;
}

void fill_globals(const GoPosition& position, const FeatureOptions& options, float* global) {
  const float limit = static_cast<float>(position.board().area()) + kKomiMargin;
  const float self_komi = std::clamp(position.self_komi(position.to_move()), -limit, limit);
  global[input::self_komi] = self_komi / kKomiScale;
  fill_rules(position.rules(), global);
  global[input::encore] = position.phase() > 0;
  global[input::encore + 1] = position.phase() > 1;
  if (options.playout_doubling_advantage != 0.0f) {
    global[input::playout_doublings] = 1.0f;
    global[input::playout_doublings + 1] = 0.5f * options.playout_doubling_advantage;
  }
  global[input::button] = position.button_left();
  if (has_area(position))
    global[input::komi_parity] = komi_parity_wave(self_komi, position.board().area());
}

}  // namespace

void katago_features(const GoPosition& position, const FeatureOptions& options, int symmetry,
                     std::uint8_t* spatial, float* global) {
  const GoBoard& board = position.board();
  const int color = position.to_move();
  Planes planes(board, symmetry, spatial);
  std::fill_n(global, GoPosition::kGlobals, 0.0f);
  fill_globals(position, options, global);
  mark_stones(board, color, planes);
  mark_ko_bans(position, planes);

  bool no_win_by_passing = false;
  if (has_area(position)) {
    const GoArea area = position.area();
    planes.mark(plane::area, area.owned[color]);
    planes.mark(plane::area + 1, area.owned[1 - color]);
    no_win_by_passing = options.passing_hacks && would_not_win(position, area);
  }

  const bool hide_pass_end =
      position.pass_would_end_game() &&
      (options.conservative_pass || no_win_by_passing || position.pass_end_is_only_friendly());
  global[input::pass_ends_phase] = !hide_pass_end && position.pass_would_end_phase();
  int turns = std::min(options.max_history, position.recent_turns());
  if (hide_pass_end)
    turns = 0;
  else if (position.is_over() || position.past_normal_end())
    turns = std::min(turns, 1);
  mark_ladders(position, mark_recent_moves(position, turns, planes, global), planes);

  if (position.phase() >= 2) {
    planes.mark(plane::second_encore_stones, second_encore_stones(position, color));
    planes.mark(plane::second_encore_stones + 1, second_encore_stones(position, 1 - color));
  }
}

void GoPosition::features(std::uint8_t* spatial, float* global, int symmetry) const {
  katago_features(*this, FeatureOptions{}, symmetry, spatial, global);
}

}  // namespace sparring
