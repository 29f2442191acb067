#include "einstein/einstein.h"

#include <algorithm>
#include <cstdlib>

#include "common/random.h"

namespace sparring {

namespace {

// Red's cells at the start, in reading order; Blue's are opposite.
constexpr std::array<int, EinsteinPosition::kNumbers> kCorner = {0, 1, 2, 5, 6, 10};

int corner_cell(int index, int color) {
  return color == 0 ? kCorner[index] : EinsteinPosition::kCells - 1 - kCorner[index];
}

// The numbers of a placing, 1..6 in the order of the corner's cells.
std::array<int, EinsteinPosition::kNumbers> numbers_of(int placing) {
  std::array<int, EinsteinPosition::kNumbers> rest = {1, 2, 3, 4, 5, 6}, out{};
  int ways = EinsteinPosition::kPlacings;
  for (int index = 0; index < EinsteinPosition::kNumbers; ++index) {
    ways /= EinsteinPosition::kNumbers - index;
    const auto picked = rest.begin() + placing / ways;
    placing %= ways;
    out[index] = *picked;
    std::copy(picked + 1, rest.end(), picked);
  }
  return out;
}

}  // namespace

const EinsteinPosition::Step& EinsteinPosition::step(int move) {
  static const std::array<Step, kSteps> steps = [] {
    std::array<Step, kSteps> out{};
    int number = 0;
    for (int cell = 0; cell < kCells; ++cell)
      for (int direction = 0; direction < 6; ++direction) {
        const int color = direction / 3, sign = color == 0 ? 1 : -1, kind = direction % 3;
        const int x = cell % kSize + (kind == 1 ? 0 : sign);
        const int y = cell / kSize + (kind == 0 ? 0 : sign);
        if (x < 0 || y < 0 || x >= kSize || y >= kSize) continue;
        out[number++] = {static_cast<std::int8_t>(cell), static_cast<std::int8_t>(y * kSize + x),
                         static_cast<std::int8_t>(color)};
      }
    return out;
  }();
  return steps[move];
}

int EinsteinPosition::first_step(int cell, int color) {
  static const auto firsts = [] {
    std::array<std::array<int, 2>, kCells> out;
    for (auto& each : out) each = {kSteps, kSteps};
    for (int move = kSteps - 1; move >= 0; --move) out[step(move).start][step(move).color] = move;
    return out;
  }();
  return firsts[cell][color];
}

EinsteinPosition::Cells EinsteinPosition::movable(int color) const {
  Cells out;
  const auto add = [&](int number) {
    if (number < 1 || number > kNumbers) return false;
    const int cell = cells_[color * kNumbers + number - 1];
    if (cell != kNowhere) out.cells[out.count++] = cell;
    return cell != kNowhere;
  };
  if (die_ == 0 || add(die_)) return out;
  for (int lower = die_ - 1; lower >= 1 && !add(lower);) --lower;
  for (int higher = die_ + 1; higher <= kNumbers && !add(higher);) ++higher;
  return out;
}

int EinsteinPosition::distance(int cell, int color) {
  const int goal = goal_of(color);
  return std::max(std::abs(cell % kSize - goal % kSize), std::abs(cell / kSize - goal / kSize));
}

double EinsteinPosition::phase() const {
  if (is_over()) return 1.0;
  if (is_placing_) return 0.0;
  int nearest = kSize - 1;
  for (int code = 0; code < kCodes; ++code)
    if (cells_[code] != kNowhere)
      nearest = std::min(nearest, distance(cells_[code], code / kNumbers));
  return 1.0 - nearest / static_cast<double>(kSize - 1);
}

bool EinsteinPosition::has_pieces(int color) const {
  const auto first = cells_.begin() + color * kNumbers;
  return std::any_of(first, first + kNumbers, [](int cell) { return cell != kNowhere; });
}

bool EinsteinPosition::ends_game(int move) const {
  const auto [start, end, color] = step(move);
  if (end == goal_of(color)) return true;
  if (color_at(end) != 1 - color) return false;
  const auto first = cells_.begin() + (1 - color) * kNumbers;
  return std::count_if(first, first + kNumbers, [](int cell) { return cell != kNowhere; }) == 1;
}

bool EinsteinPosition::is_complete(int played) const {
  if (die_of(played) > 0) return true;
  const int move = move_without_outcome(played);
  return is_placing_ ? to_move_ == 0 : move < kSteps && ends_game(move);
}

std::vector<std::pair<int, int>> EinsteinPosition::outcomes(int move) const {
  if (is_complete(move)) return {{move, 1}};
  std::vector<std::pair<int, int>> out;
  for (int die = 1; die <= kNumbers; ++die) out.emplace_back(with_outcome(move, die), 1);
  return out;
}

bool EinsteinPosition::legal(int played, int color) const {
  if (is_over()) return false;
  const int move = move_without_outcome(played);
  if (is_placing_) {
    if (move < kSteps || color != to_move_) return false;
  } else {
    if (move >= kSteps) return false;
    if (step(move).color != color) return false;
    const Cells cells = movable(color);
    if (std::find(cells.begin(), cells.end(), step(move).start) == cells.end()) return false;
  }
  const bool has_die = is_placing_ ? color == 1 : !ends_game(move);
  return die_of(played) == 0 || has_die;
}

void EinsteinPosition::legal_mask(std::uint8_t* out) const {
  std::fill(out, out + kSteps, std::uint8_t{0});
  std::fill(out + kSteps, out + move_count(), static_cast<std::uint8_t>(is_placing_));
  for_each_step([&](int move) { out[move] = 1; });
}

void EinsteinPosition::place(int placing, int color) {
  const auto numbers = numbers_of(placing);
  for (int index = 0; index < kNumbers; ++index) {
    const int code = color * kNumbers + numbers[index] - 1, cell = corner_cell(index, color);
    board_[cell] = static_cast<std::int8_t>(code);
    cells_[code] = static_cast<std::int8_t>(cell);
  }
}

void EinsteinPosition::play(int played, int color) {
  const int move = move_without_outcome(played);
  die_ = static_cast<std::int8_t>(die_of(played));
  if (is_placing_) {
    place(move - kSteps, color);
    is_placing_ = color == 0;
  } else {
    if (ends_game(move)) winner_ = static_cast<std::int8_t>(color);
    const int start = step(move).start, end = step(move).end;
    const int code = board_[start];
    if (board_[end] >= 0) cells_[board_[end]] = kNowhere;
    board_[end] = static_cast<std::int8_t>(code);
    board_[start] = -1;
    cells_[code] = static_cast<std::int8_t>(end);
  }
  to_move_ = static_cast<std::int8_t>(1 - color);
  move_number_ += 1;
}

std::uint64_t EinsteinPosition::board_hash() const {
  std::uint64_t hash = 1;
  for (const std::int8_t cell : cells_) hash = mix64(hash + static_cast<std::uint64_t>(cell + 1));
  return hash;
}

std::uint64_t EinsteinPosition::network_hash() const {
  return mix64(board_hash() + to_move_ + 2 * die_ + 16 * is_placing_);
}

bool EinsteinPosition::is_same(const EinsteinPosition& other) const {
  return cells_ == other.cells_ && to_move_ == other.to_move_ && die_ == other.die_ &&
         is_placing_ == other.is_placing_ && winner_ == other.winner_;
}

bool EinsteinPosition::setup(const EinsteinSetup& setup, int to_move) {
  EinsteinPosition changed;
  for (const auto& [code, cell] : setup.pieces) {
    if (changed.cells_[code] != kNowhere || changed.board_[cell] >= 0) return false;
    changed.cells_[code] = static_cast<std::int8_t>(cell);
    changed.board_[cell] = static_cast<std::int8_t>(code);
  }
  changed.to_move_ = static_cast<std::int8_t>(to_move);
  changed.die_ = static_cast<std::int8_t>(setup.die);
  if (setup.pieces.empty()) {
    if (setup.die != 0 || to_move != 0) return false;
    *this = changed;
    return true;
  }
  const bool only_red = changed.has_pieces(0) && !changed.has_pieces(1);
  const auto is_in_corner = [&](int index) { return changed.color_at(kCorner[index]) == 0; };
  bool is_placed = only_red && setup.die == 0 && to_move == 1 && setup.pieces.size() == kNumbers;
  for (int index = 0; index < kNumbers; ++index) is_placed = is_placed && is_in_corner(index);
  if (is_placed) {  // Blue places next
    *this = changed;
    return true;
  }
  if (!changed.has_pieces(0) || !changed.has_pieces(1)) return false;
  const bool red_won = changed.color_at(goal_of(0)) == 0;
  const bool blue_won = changed.color_at(goal_of(1)) == 1;
  if ((red_won && blue_won) || (setup.die == 0) != (red_won || blue_won)) return false;
  if (red_won || blue_won) changed.winner_ = red_won ? 0 : 1;
  changed.is_placing_ = false;
  *this = changed;
  return true;
}

EinsteinSetup EinsteinPosition::as_setup() const {
  EinsteinSetup out{.pieces = {}, .die = die_};
  for (int code = 0; code < kCodes; ++code)
    if (cells_[code] != kNowhere) out.pieces.emplace_back(code, cells_[code]);
  return out;
}

void EinsteinPosition::features(std::uint8_t* spatial, float* global, int) const {
  std::fill(spatial, spatial + kCells, std::uint8_t{1});
  std::fill(spatial + kCells, spatial + kPlanes * kCells, std::uint8_t{0});
  for (int code = 0; code < kCodes; ++code) {
    const int cell = cells_[code], side = code / kNumbers != to_move_;
    if (cell == kNowhere) continue;
    spatial[(1 + side) * kCells + cell] = 1;
    spatial[(3 + side * kNumbers + code % kNumbers) * kCells + cell] = 1;
  }
  for (const int cell : movable(to_move_)) spatial[(kPlanes - 1) * kCells + cell] = 1;
  for (int number = 1; number <= kNumbers; ++number)
    global[number - 1] = die_ == number ? 1.0f : 0.0f;
  global[kNumbers] = is_placing_ ? 1.0f : 0.0f;
  global[kNumbers + 1] = static_cast<float>(to_move_);
}

}  // namespace sparring
