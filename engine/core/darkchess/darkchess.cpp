#include "darkchess/darkchess.h"

#include <algorithm>

#include "game/symmetry.h"

namespace sparring {

DarkChessPosition::DarkChessPosition(int width, int height, const DarkChessRules& rules)
    : rules_(rules), board_(DarkChessGeometry::of(width, height), rules.material) {}

int DarkChessPosition::color_of_player(int player) const {
  return first_color_ < 0 ? -1 : first_color_ ^ player;
}

int DarkChessPosition::color_at(int cell) const {
  if (first_color_ < 0) return -1;
  for (int color = 0; color < 2; ++color)
    if (board_.colors[color] >> cell & 1) return color ^ first_color_;
  return -1;
}

int DarkChessPosition::piece_at(int cell) const {
  return board_.hidden >> cell & 1 ? kFaceDown : board_.code_at(cell);
}

DarkChessAction DarkChessPosition::action_of(int played) const {
  const int move = move_without_outcome(played);
  return {static_cast<std::uint8_t>(board_.geometry->from_of(move)),
          static_cast<std::uint8_t>(board_.geometry->to_of(move))};
}

bool DarkChessPosition::legal(int played, int player) const {
  if (over_) return false;
  const int code = outcome_code(played);
  if (code >= 0 && (!is_flip(played) || board_.pool[code] == 0)) return false;
  return board_.is_legal(action_of(played), color_of_player(player));
}

void DarkChessPosition::legal_mask(std::uint8_t* out) const {
  std::fill(out, out + move_count(), std::uint8_t{0});
  if (over_) return;
  for (const DarkChessAction& action : board_.actions(color_of_player(to_move_)))
    out[board_.geometry->move_of(action.from, action.to)] = 1;
}

std::vector<std::pair<int, int>> DarkChessPosition::outcomes(int move) const {
  if (is_complete(move)) return {{move, 1}};
  std::vector<std::pair<int, int>> out;
  for (int code = 0; code < kPieceCodes; ++code)
    if (board_.pool[code] > 0) out.emplace_back(with_outcome(move, code), board_.pool[code]);
  return out;
}

void DarkChessPosition::play(int played, int player) {
  const std::uint64_t before = board_.hash();
  const DarkChessAction action = action_of(played);
  if (first_color_ >= 0) board_.color = static_cast<std::int8_t>(color_of_player(player));
  bool is_quiet = false;
  if (action.is_flip()) {
    const int code = outcome_code(played);
    if (first_color_ < 0) first_color_ = static_cast<std::int8_t>(color_of(code) ^ player);
    board_.flip(action.from, code);
  } else {
    is_quiet = board_.move(action.from, action.to) < 0;
  }
  if (is_quiet)
    quiet_.push_back(before);
  else
    quiet_.clear();
  to_move_ = static_cast<std::int8_t>(1 - player);
  move_number_ += 1;
  find_end(is_quiet);
}

int DarkChessPosition::occurrences() const {
  return static_cast<int>(std::count(quiet_.begin(), quiet_.end(), board_.hash()));
}

void DarkChessPosition::find_end(bool is_quiet) {
  const int mover = color_of_player(to_move_);
  if (!board_.has_pieces(mover) || !board_.has_action()) {
    winner_ = static_cast<std::int8_t>(1 - to_move_);
    over_ = true;
  } else if (!board_.has_pieces(1 - mover)) {
    winner_ = to_move_;
    over_ = true;
  } else if (is_quiet) {
    over_ = (rules_.quiet_limit > 0 && quiet_moves() >= rules_.quiet_limit) ||
            (rules_.repetitions > 0 && occurrences() + 1 >= rules_.repetitions);
  }
}

std::uint64_t DarkChessPosition::graph_hash() const {
  // Earlier boards of the quiet stretch count as a set: only their numbers matter.
  std::uint64_t earlier = quiet_.size();
  for (const std::uint64_t hash : quiet_) earlier += mix64(hash);
  return mix64(network_hash() + mix64(earlier));
}

std::uint64_t DarkChessPosition::network_hash() const {
  return mix64(board_.hash() + to_move_ + 2 * (first_color_ + 1) + 8 * quiet_.size());
}

bool DarkChessPosition::is_same(const DarkChessPosition& other) const {
  return to_move_ == other.to_move_ && first_color_ == other.first_color_ &&
         rules_ == other.rules_ && board_ == other.board_ && quiet_ == other.quiet_;
}

bool DarkChessPosition::setup(const DarkChessSetup& setup, int to_move) {
  DarkChessBoard changed(*board_.geometry, rules_.material);
  changed.hidden = 0;
  changed.pool = setup.pool;
  CodeCounts used = setup.pool;
  const auto is_taken = [&](int cell) { return (changed.occupied() >> cell & 1) != 0; };
  for (const int cell : setup.hidden) {
    if (is_taken(cell)) return false;
    changed.hidden |= DarkChessBoard::Bits{1} << cell;
  }
  for (const auto& [code, cell] : setup.pieces) {
    if (is_taken(cell)) return false;
    changed.pieces[code] |= DarkChessBoard::Bits{1} << cell;
    changed.colors[color_of(code)] |= DarkChessBoard::Bits{1} << cell;
    used[code] += 1;
  }
  int unrevealed = 0;
  for (int code = 0; code < kPieceCodes; ++code) {
    if (used[code] > rules_.material[kind_of(code)]) return false;
    unrevealed += setup.pool[code];
  }
  if (unrevealed != changed.hidden_count()) return false;
  const bool is_start = changed.hidden == board_.geometry->all;
  if (!is_start) changed.color = static_cast<std::int8_t>(to_move ^ setup.first_color);
  board_ = changed;
  first_color_ = static_cast<std::int8_t>(is_start ? -1 : setup.first_color);
  to_move_ = static_cast<std::int8_t>(to_move);
  quiet_.clear();
  move_number_ = 0;
  winner_ = -1;
  over_ = false;
  if (!is_start) find_end(false);
  return true;
}

DarkChessSetup DarkChessPosition::as_setup() const {
  DarkChessSetup out{.pieces = {},
                     .hidden = {},
                     .pool = board_.pool,
                     .first_color = std::max<int>(first_color_, 0)};
  for (int cell = 0; cell < width() * height(); ++cell) {
    const int piece = piece_at(cell);
    if (piece == kFaceDown) {
      out.hidden.push_back(cell);
    } else if (piece >= 0) {
      out.pieces.emplace_back(piece, cell);
    }
  }
  return out;
}

void DarkChessPosition::features(std::uint8_t* spatial, float* global, int symmetry) const {
  const int area = width() * height();
  const SymmetryMap map(width(), height(), symmetry);
  const int own = std::max(color_of_player(to_move_), 0);
  std::fill(spatial, spatial + area, std::uint8_t{1});
  std::fill(spatial + area, spatial + kPlanes * area, std::uint8_t{0});
  for (int cell = 0; cell < area; ++cell) {
    const int piece = piece_at(cell), index = map.index(cell % width(), cell / width());
    if (piece == kFaceDown) spatial[3 * area + index] = 1;
    if (piece < 0 || piece == kFaceDown) continue;
    const int side = color_of(piece) != own;
    spatial[(1 + side) * area + index] = 1;
    spatial[(4 + side * kDarkChessKinds + kind_of(piece)) * area + index] = 1;
  }
  global[0] = first_color_ >= 0 ? 1.0f : 0.0f;
  const int limit = rules_.quiet_limit;
  global[1] = limit > 0 ? static_cast<float>(quiet_moves()) / static_cast<float>(limit) : 0.0f;
  for (int side = 0; side < 2; ++side)
    for (int kind = 0; kind < kDarkChessKinds; ++kind) {
      const int code = piece_code(side == 0 ? own : 1 - own, kind);
      const int most = std::max<int>(rules_.material[kind], 1);
      global[2 + side * kDarkChessKinds + kind] =
          static_cast<float>(board_.pool[code]) / static_cast<float>(most);
    }
}

}  // namespace sparring
