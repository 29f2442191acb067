#include "agents/dark_chess_bias.h"

#include <algorithm>
#include <bit>

namespace sparring {

namespace {

// The greatest weight of the face-up pieces of a color on these cells that the filter takes by
// kind; 0 for none.
template <typename Takes>
double heaviest(const DarkChessBoard& board, int color, DarkChessBoard::Bits cells,
                const Takes& takes) {
  double most = 0.0;
  for (int kind = 0; kind < kDarkChessKinds; ++kind)
    if ((board.pieces[piece_code(color, kind)] & cells) != 0 && takes(kind))
      most = std::max(most, kPieceWeights[kind]);
  return most;
}

}  // namespace

double DarkChessBias::operator()(const DarkChessBoard& board, const DarkChessAction& action) const {
  if (!action.is_flip()) return of_move(board, action);
  return values_flips ? of_flip(board, action.from) : 0.0;
}

double DarkChessBias::of_move(const DarkChessBoard& board, const DarkChessAction& action) const {
  const int code = board.code_at(action.from), kind = kind_of(code);
  const double weight = kPieceWeights[kind];
  const bool was_exposed = board.is_exposed(code, action.from);
  DarkChessBoard after = board;
  const int captured = after.move(action.from, action.to);
  const bool is_exposed = after.is_exposed(code, action.to);
  double bias = captured < 0 ? 0.0 : kPieceWeights[kind_of(captured)];
  if (was_exposed && !is_exposed) bias += weight;
  if (!was_exposed && is_exposed) return bias - weight;
  const auto diagonal = after.geometry->diagonals[action.to];
  return bias + curb * heaviest(after, 1 - color_of(code), diagonal,
                                [&](int victim) { return captures_by_step(kind, victim); });
}

double DarkChessBias::of_flip(const DarkChessBoard& board, int cell) const {
  if (board.color == DarkChessBoard::kNoColor) return 0.0;
  const int own = board.color;
  const auto beside = board.geometry->neighbours[cell];
  double bias = 0.0;
  for (int code = 0; code < kPieceCodes; ++code) {
    if (board.pool[code] == 0) continue;
    const int kind = kind_of(code), enemy = 1 - color_of(code);
    const double share = static_cast<double>(board.pool[code]) / board.hidden_count();
    const double victim =
        heaviest(board, enemy, beside, [&](int other) { return captures_by_step(kind, other); });
    const bool is_exposed = board.is_exposed(code, cell);
    if (color_of(code) == own)
      bias += share * (flip * victim - (is_exposed ? kPieceWeights[kind] : 0.0));
    else
      bias += share * ((is_exposed ? flip * kPieceWeights[kind] : 0.0) - victim);
  }
  return bias;
}

double weight_lead(const DarkChessBoard& board, int color) {
  double lead = 0.0;
  for (int code = 0; code < kPieceCodes; ++code) {
    const double weight =
        kPieceWeights[kind_of(code)] * (std::popcount(board.pieces[code]) + board.pool[code]);
    lead += color_of(code) == color ? weight : -weight;
  }
  return lead;
}

}  // namespace sparring
