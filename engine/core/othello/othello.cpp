#include "othello/othello.h"

#include <algorithm>

namespace sparring {

namespace {

OthelloPosition::AnyBoard start_of(int size) {
  switch (size) {
    case 4:
      return OthelloBoard<4>::start();
    case 6:
      return OthelloBoard<6>::start();
    case 8:
      return OthelloBoard<8>::start();
    default:
      return OthelloBoard<10>::start();
  }
}

// Marks the squares of a set on a plane turned by a symmetry.
template <int N>
void mark(typename OthelloBoard<N>::Bits squares, const SymmetryMap& map, std::uint8_t* plane) {
  for (; squares != 0; squares &= squares - 1) {
    const int cell = OthelloBoard<N>::cell_of(lowest_bit(squares));
    plane[map.index(cell % N, cell / N)] = 1;
  }
}

std::uint64_t fold(std::uint64_t bits) { return bits; }
std::uint64_t fold(Bits128 bits) {
  return mix64(static_cast<std::uint64_t>(bits >> 64)) ^ static_cast<std::uint64_t>(bits);
}

// Whether the side to move has a move.
template <int N>
bool can_move(const OthelloBoard<N>& board) {
  return board.moves() != 0;
}

}  // namespace

OthelloPosition::OthelloPosition(int size)
    : board_(start_of(size)), size_(static_cast<std::int8_t>(size)) {}

OthelloPosition::AnyBoard OthelloPosition::board_as(int color) const {
  if (color == to_move_) return board_;
  return std::visit([](const auto& board) { return AnyBoard(board.swapped()); }, board_);
}

bool OthelloPosition::legal(int move, int color) const {
  const AnyBoard as_color = board_as(color);
  return std::visit(
      [move]<int N>(const OthelloBoard<N>& board) {
        using Board = OthelloBoard<N>;
        if (move == Board::kCells) return !can_move(board) && can_move(board.swapped());
        return (board.moves() & Board::bit(Board::square_of(move))) != 0;
      },
      as_color);
}

void OthelloPosition::legal_mask(std::uint8_t* out) const {
  std::fill(out, out + move_count(), std::uint8_t{0});
  std::visit(
      [out]<int N>(const OthelloBoard<N>& board) {
        const auto moves = board.moves();
        mark<N>(moves, SymmetryMap(N, N, 0), out);
        out[N * N] = moves == 0 && can_move(board.swapped());
      },
      board_);
}

void OthelloPosition::play(int move, int color) {
  if (color != to_move_) board_ = board_as(color);
  std::visit(
      [move]<int N>(OthelloBoard<N>& board) {
        if (move == N * N)
          board.pass();
        else
          board.play(OthelloBoard<N>::square_of(move));
      },
      board_);
  to_move_ = static_cast<std::int8_t>(1 - color);
  move_number_ += 1;
  update_end();
}

void OthelloPosition::update_end() {
  over_ = std::visit(
      [](const auto& board) { return !can_move(board) && !can_move(board.swapped()); }, board_);
}

bool OthelloPosition::setup(const std::vector<std::pair<int, int>>& stones, int to_move) {
  AnyBoard changed = board_;
  const bool is_good = std::visit(
      [&]<int N>(OthelloBoard<N>& board) {
        using Board = OthelloBoard<N>;
        board = Board{};
        for (const auto& [color, cell] : stones) {
          const auto bit = Board::bit(Board::square_of(cell));
          if (((board.own | board.other) & bit) != 0) return false;
          (color == to_move ? board.own : board.other) |= bit;
        }
        return true;
      },
      changed);
  if (!is_good) return false;
  board_ = changed;
  to_move_ = static_cast<std::int8_t>(to_move);
  move_number_ = 0;
  update_end();
  return true;
}

std::uint64_t OthelloPosition::board_hash() const {
  return std::visit(
      [this](const auto& board) {
        const std::uint64_t black = fold(to_move_ == 0 ? board.own : board.other);
        const std::uint64_t white = fold(to_move_ == 0 ? board.other : board.own);
        return mix64(mix64(mix64(size_) + black) + white);
      },
      board_);
}

int OthelloPosition::discs(int color) const {
  return std::visit(
      [&](const auto& board) {
        return color == to_move_ ? board.count_own() : board.count_other();
      },
      board_);
}

int OthelloPosition::black_score() const {
  const int black = discs(0);
  const int white = discs(1);
  const int lead = black - white;
  if (!over_ || lead == 0) return lead;
  const int empty = size_ * size_ - black - white;
  return lead > 0 ? lead + empty : lead - empty;
}

int OthelloPosition::winner() const {
  const int score = black_score();
  if (!over_ || score == 0) return -1;
  return score > 0 ? 0 : 1;
}

int OthelloPosition::color_at(int cell) const {
  return std::visit(
      [&]<int N>(const OthelloBoard<N>& board) -> int {
        const auto bit = OthelloBoard<N>::bit(OthelloBoard<N>::square_of(cell));
        if ((board.own & bit) != 0) return to_move_;
        return (board.other & bit) != 0 ? 1 - to_move_ : -1;
      },
      board_);
}

void OthelloPosition::features(std::uint8_t* spatial, float* global, int symmetry) const {
  std::visit(
      [&]<int N>(const OthelloBoard<N>& board) {
        constexpr int kCells = N * N;
        const SymmetryMap map(N, N, symmetry);
        std::fill(spatial, spatial + kCells, std::uint8_t{1});
        std::fill(spatial + kCells, spatial + kPlanes * kCells, std::uint8_t{0});
        mark<N>(board.own, map, spatial + kCells);
        mark<N>(board.other, map, spatial + 2 * kCells);
        mark<N>(board.moves(), map, spatial + 3 * kCells);
        mark<N>(board.swapped().moves(), map, spatial + 4 * kCells);
        const int empty = board.count_empty();
        global[0] = to_move_ == 0 ? 1.0f : 0.0f;
        global[1] = static_cast<float>(empty) / kCells;
        global[2] = static_cast<float>(empty % 2);
      },
      board_);
}

}  // namespace sparring
