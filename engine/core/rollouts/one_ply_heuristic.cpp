#include "rollouts/one_ply_heuristic.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <variant>
#include <vector>

#include "agents/dark_chess_bias.h"
#include "agents/einstein_steps.h"
#include "go/go_sensible.h"

namespace sparring {

namespace {

constexpr struct {
  float four = 4.0f, others_four = 3.0f;    // completed now, or denied to the opponent
  float three = 0.7f, others_three = 0.4f;  // for each cell that would complete four from now on
  float off_middle = 0.15f;                 // subtracted for each column
} kConnect4;

constexpr struct {
  float flipped = 0.15f;  // for each disc
  float corner = 2.5f;
  float edge = 0.5f;
} kOthello;

constexpr struct {
  float capture = 1.5f, captured_stone = 0.2f;
  float rescue = 1.0f;  // of stones in atari
  float atari = 0.6f;
  float self_atari = 1.5f;  // subtracted
  float near = 1.2f;        // beside the last move
  float near_reach = 2.0f;  // points of distance for a fall by the factor e
  float first_line = 0.7f;  // subtracted
  int most_stones = 8;      // counted at most
} kGo;

constexpr struct {
  float weight = 10.0f;  // a pawn weighs 8, a king 55
} kDarkChess;

// The empty cells that would complete four for these discs with this one added.
int new_threats(const Connect4Board& board, Connect4Board::Bits discs, Connect4Board::Bits cell) {
  const auto taken = ~(board.all | cell);
  return std::popcount(board.winning_cells(discs | cell) & taken) -
         std::popcount(board.winning_cells(discs) & taken);
}

template <int N>
void heuristic_of(const OthelloBoard<N>& board, float* out) {
  for (int cell = 0; cell < OthelloBoard<N>::kCells; ++cell) {
    if (out[cell] == kNotConsidered) continue;
    const int x = cell % N, y = cell / N;
    const int edges = (x == 0 || x == N - 1) + (y == 0 || y == N - 1);
    out[cell] = kOthello.flipped * count_bits(board.flips(OthelloBoard<N>::square_of(cell)));
    out[cell] += edges == 2 ? kOthello.corner : edges == 1 ? kOthello.edge : 0.0f;
  }
}

// The value of a move's effect on the chains beside it. The board is restored at the end.
float heuristic_of(GoBoard& board, Point point, int color) {
  const Stone own = stone_of(color), other = opponent(own);
  float worth = 0.0f;
  int captured = 0;
  bool rescues = false, attacks = false;
  PointSet counted;  // heads of captured chains
  for (const Point step : kNeighbours) {
    const Point beside = point + step;
    const Stone stone = board.at(beside);
    if (stone == other && board.liberties(beside) == 1 && !counted.contains(board.head(beside))) {
      captured += board.chain_size(beside);
      counted.insert(board.head(beside));
    }
    if (stone == other && board.liberties(beside) == 2) attacks = true;
    if (stone == own && board.liberties(beside) == 1) rescues = true;
  }
  if (captured > 0) worth += kGo.capture + kGo.captured_stone * std::min(captured, kGo.most_stones);
  if (attacks) worth += kGo.atari;
  const PlayRecord record = board.play(point, own);
  const bool in_atari = record.suicide || board.liberties(point) == 1;
  board.undo(record);
  if (rescues && !in_atari) worth += kGo.rescue;
  if (in_atari && captured == 0) worth -= kGo.self_atari;
  return worth;
}

float nearness(const GoPosition& position, Point point) {
  if (position.recent_turns() == 0) return 0.0f;
  const Point last = position.recent_move(0).point;
  if (last == kNoPoint) return 0.0f;
  const float dx = GoBoard::x_of(point) - GoBoard::x_of(last);
  const float dy = GoBoard::y_of(point) - GoBoard::y_of(last);
  return kGo.near * std::exp((1.0f - std::hypot(dx, dy)) / kGo.near_reach);
}

// 0 for legal moves.
template <typename Position>
void uniform_over_legal(const Position& position, float* out) {
  std::vector<std::uint8_t> mask(position.move_count());
  position.legal_mask(mask.data());
  for (int move = 0; move < position.move_count(); ++move)
    out[move] = mask[move] != 0 ? 0.0f : kNotConsidered;
}

}  // namespace

void uniform_heuristic(const Connect4Position& position, float* out) {
  uniform_over_legal(position, out);
}

void uniform_heuristic(const OthelloPosition& position, float* out) {
  uniform_over_legal(position, out);
}

void uniform_heuristic(const GoPosition& position, float* out) {
  std::fill(out, out + position.move_count(), kNotConsidered);
  bool any = false;
  for_each_sensible_move(position, [&](int move) {
    out[move] = 0.0f;
    any = true;
  });
  if (!any) out[position.pass_move()] = 0.0f;
}

void one_ply_heuristic(const Connect4Position& position, float* out) {
  const Connect4Board& board = position.board();
  const float middle = (board.width - 1) / 2.0f;
  for (int column = 0; column < board.width; ++column) {
    out[column] = kNotConsidered;
    if (!position.legal(column)) continue;
    const auto cell = board.playable() & board.column_cells(column);
    out[column] = -kConnect4.off_middle * std::abs(column - middle);
    if ((board.winning_cells(board.own) & cell) != 0) out[column] += kConnect4.four;
    if ((board.winning_cells(board.other()) & cell) != 0) out[column] += kConnect4.others_four;
    out[column] += kConnect4.three * new_threats(board, board.own, cell) +
                   kConnect4.others_three * new_threats(board, board.other(), cell);
  }
}

void one_ply_heuristic(const OthelloPosition& position, float* out) {
  uniform_heuristic(position, out);
  std::visit([&](const auto& board) { heuristic_of(board, out); }, position.board());
}

void uniform_heuristic(const DarkChessPosition& position, float* out) {
  uniform_over_legal(position, out);
}

void one_ply_heuristic(const DarkChessPosition& position, float* out) {
  std::fill(out, out + position.move_count(), kNotConsidered);
  const int color = position.color_of_player(position.to_move());
  const DarkChessBias bias;
  for (const DarkChessAction& action : position.board().actions(color)) {
    const int move = position.board().geometry->move_of(action.from, action.to);
    out[move] =
        color < 0 ? 0.0f : static_cast<float>(bias(position.board(), action)) / kDarkChess.weight;
  }
}

void uniform_heuristic(const EinsteinPosition& position, float* out) {
  uniform_over_legal(position, out);
}

void one_ply_heuristic(const EinsteinPosition& position, float* out) {
  uniform_heuristic(position, out);
  position.for_each_step([&](int move) { out[move] = step_worth(position, move); });
}

void one_ply_heuristic(const GoPosition& position, float* out) {
  std::fill(out, out + position.move_count(), kNotConsidered);
  GoBoard board = position.board();
  const int right = board.width() - 1, low = board.height() - 1;
  bool any = false;
  for_each_sensible_move(position, [&](int move) {
    const Point point = board.point_of(move);
    const int x = GoBoard::x_of(point), y = GoBoard::y_of(point);
    const bool first_line = x == 0 || y == 0 || x == right || y == low;
    out[move] = heuristic_of(board, point, position.to_move()) + nearness(position, point) -
                (first_line ? kGo.first_line : 0.0f);
    any = true;
  });
  if (!any) out[position.pass_move()] = 0.0f;
}

}  // namespace sparring
