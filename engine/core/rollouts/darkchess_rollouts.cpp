#include "rollouts/darkchess_rollouts.h"

#include <algorithm>
#include <cmath>

#include "agents/dark_knight_playout.h"

namespace sparring {

namespace {

constexpr int kQuietLimit = 40;  // of the rows' share of quiet moves, and of playouts
constexpr float kIllegal = -10.0f;

}  // namespace

DarkChessRollouts::DarkChessRollouts(int width, int height, const KindCounts& material,
                                     const DarkChessJudging& judging)
    : start_(DarkChessGeometry::of(width, height), material),
      material_(material),
      judging_(judging) {
  settings_.ends_early = true;
}

DarkChessBoard DarkChessRollouts::read_board(const RowView& row) const {
  DarkChessBoard board = start_;
  if (row.globals[0] == 0) return board;
  board.color = 0;
  board.hidden = 0;
  for (int cell = 0; cell < area(); ++cell) {
    const DarkChessBoard::Bits bit = DarkChessBoard::Bits{1} << cell;
    if (row.spatial[3 * area() + cell]) board.hidden |= bit;
    for (int code = 0; code < kPieceCodes; ++code) {
      if (!row.spatial[(4 + code) * area() + cell]) continue;
      board.pieces[code] |= bit;
      board.colors[color_of(code)] |= bit;
    }
  }
  for (int code = 0; code < kPieceCodes; ++code)
    board.pool[code] =
        static_cast<std::uint8_t>(std::lround(row.globals[2 + code] * material_[kind_of(code)]));
  return board;
}

double DarkChessRollouts::value_of(const DarkChessBoard& board, int quiet) const {
  // Both sides are alike before the first flip.
  if (board.color == DarkChessBoard::kNoColor) return 0.0;
  Random random(mix64(board.hash() ^ mix64(judging_.seed + quiet)));
  double sum = 0.0;
  for (int i = 0; i < judging_.rollouts; ++i) {
    DarkKnightGame game(board, quiet, kQuietLimit, settings_);
    game.play_out(random);
    if (game.winner() >= 0) sum += game.winner() == board.color ? 1.0 : -1.0;
  }
  const double lead = weight_lead(board, board.color);
  const double material = 2.0 / (1.0 + std::exp(-judging_.material_scale * lead)) - 1.0;
  return (1.0 - judging_.material_share) * sum / judging_.rollouts +
         judging_.material_share * material;
}

void DarkChessRollouts::evaluate(const RowView& row) const {
  const DarkChessBoard board = read_board(row);
  const int quiet = static_cast<int>(std::lround(row.globals[1] * kQuietLimit));
  const double value = value_of(board, quiet);
  write_estimate({(value + 1.0) / 2.0, value, std::sqrt(std::max(0.0, 1.0 - value * value))}, row);
  std::fill(row.ownership, row.ownership + area(), 0.0f);
  std::fill(row.policy, row.policy + moves(), kIllegal);
  const DarkChessGeometry& geometry = *board.geometry;
  const auto scale = static_cast<float>(judging_.policy_scale);
  for (const DarkChessAction& action : board.actions())
    row.policy[geometry.move_of(action.from, action.to)] =
        board.color == DarkChessBoard::kNoColor
            ? 0.0f
            : static_cast<float>(settings_.bias(board, action)) / scale;
}

}  // namespace sparring
