#include "go/go_board.h"

#include <utility>

namespace sparring {

namespace {

constexpr std::uint64_t stone_key_of(Point p, Stone stone) {
  return hash_key(stone == kBlack ? HashKind::black_stone : HashKind::white_stone, p);
}

constexpr auto kStoneKeys = [] {
  std::array<std::array<std::uint64_t, 2>, kPoints> keys{};
  for (int p = 0; p < kPoints; ++p)
    keys[p] = {stone_key_of(static_cast<Point>(p), kBlack),
               stone_key_of(static_cast<Point>(p), kWhite)};
  return keys;
}();

std::uint64_t stone_key(Point p, Stone stone) { return kStoneKeys[p][stone - 1]; }

bool is_stone(Stone stone) { return stone == kBlack || stone == kWhite; }

// The heads of the chains around a point, at most four, each once.
struct FewHeads {
  std::array<Point, 4> heads;
  int count = 0;

  bool add(Point head) {
    for (int i = 0; i < count; ++i)
      if (heads[i] == head) return false;
    heads[count++] = head;
    return true;
  }
};

}  // namespace

GoBoard::GoBoard(int width, int height)
    : width_(static_cast<std::int16_t>(width)), height_(static_cast<std::int16_t>(height)) {
  stones_.fill(kWall);
  heads_.fill(kNoPoint);
  next_.fill(kNoPoint);
  chains_.fill({0, 0});
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) put(point_at(x, y), kEmpty);
  hash_ = hash_key(HashKind::size, static_cast<std::uint64_t>(width * 32 + height));
}

GoBoard::GoBoard(const BoardSnapshot& snapshot) : GoBoard(snapshot.width, snapshot.height) {
  for (int color : {0, 1})
    snapshot.stones[color].for_each([&](Point p) { put(p, stone_of(color)); });
  ko_ = snapshot.ko;
  rebuild();
}

PointSet GoBoard::chain(Point p) const {
  PointSet stones;
  Point each = p;
  do {
    stones.insert(each);
    each = next_[each];
  } while (each != p);
  return stones;
}

int GoBoard::empty_neighbours(Point p) const {
  int count = 0;
  for (Point step : kNeighbours) count += stones_[p + step] == kEmpty;
  return count;
}

// ---- Questions about a move

bool GoBoard::is_suicide(Point p, Stone stone) const {
  for (Point step : kNeighbours) {
    const Point q = p + step;
    if (stones_[q] == kEmpty) return false;
    if (stones_[q] == kWall) continue;
    if ((stones_[q] == stone) == (liberties(q) > 1)) return false;
  }
  return true;
}

bool GoBoard::is_playable(Point p, Stone stone, bool multi_stone_suicide) const {
  if (stones_[p] != kEmpty) return false;
  for (Point step : kNeighbours) {
    const Point q = p + step;
    if (stones_[q] == kEmpty) return true;
    if (stones_[q] == kWall) continue;
    if (stones_[q] == stone && multi_stone_suicide) return true;
    if ((stones_[q] == stone) == (liberties(q) > 1)) return true;
  }
  return false;
}

bool GoBoard::would_capture(Point p, Stone stone) const {
  for (Point step : kNeighbours)
    if (stones_[p + step] == opponent(stone) && liberties(p + step) == 1) return true;
  return false;
}

Point GoBoard::ko_capture(Point p, Stone stone) const {
  if (stones_[p] != kEmpty) return kNoPoint;
  Point taken = kNoPoint;
  for (Point step : kNeighbours) {
    const Point q = p + step;
    if (stones_[q] == kWall) continue;
    if (stones_[q] != opponent(stone)) return kNoPoint;
    if (liberties(q) > 1) continue;
    if (taken != kNoPoint) return kNoPoint;
    taken = q;
  }
  return taken != kNoPoint && chain_size(taken) == 1 ? taken : kNoPoint;
}

std::uint64_t GoBoard::hash_after(Point p, Stone stone) const {
  std::uint64_t hash = hash_ ^ stone_key(p, stone);
  const auto without_chain = [&](Point q) {
    Point each = q;
    do {
      hash ^= stone_key(each, stones_[each]);
      each = next_[each];
    } while (each != q);
  };
  FewHeads own_in_atari, captured;
  bool lives = false;
  for (Point step : kNeighbours) {
    const Point q = p + step;
    if (stones_[q] == kEmpty) lives = true;
    if (!is_stone(stones_[q])) continue;
    if (stones_[q] == stone && liberties(q) > 1) {
      lives = true;
    } else if (stones_[q] == stone) {
      own_in_atari.add(heads_[q]);
    } else if (liberties(q) == 1 && captured.add(heads_[q])) {
      without_chain(q);
    }
  }
  if (lives || captured.count > 0) return hash;
  for (int i = 0; i < own_in_atari.count; ++i) without_chain(own_in_atari.heads[i]);
  return hash ^ stone_key(p, stone);
}

bool GoBoard::repetition_needs_more_than(int bound, Point p, Stone stone) const {
  const auto is_large = [&](Point q) { return chain_size(q) + liberties(q) > bound; };
  if (stones_[p] == stone && is_large(p)) return true;
  // The stone would take one liberty of each joined chain, and add itself to it.
  for (Point step : kNeighbours)
    if (stones_[p + step] == stone && is_large(p + step)) return true;

  int count = 0;
  PointSet seen;
  std::array<Point, kPoints> queue;
  // Adds the empty region around p to the count; returns whether the count exceeds the bound.
  const auto exceeds_with_region = [&](Point from) {
    int filled = 0, expanded = 0;
    const auto visit = [&](Point q) {
      if (stones_[q] != kEmpty || seen.contains(q)) return;
      seen.insert(q);
      queue[filled++] = q;
      ++count;
    };
    visit(from);
    while (expanded < filled && count <= bound) {
      const Point q = queue[expanded++];
      for (Point step : kNeighbours) visit(q + step);
    }
    return count > bound;
  };

  if (stones_[p] == kEmpty) return exceeds_with_region(p);
  count = chain_size(p);
  Point each = p;
  do {
    for (Point step : kNeighbours)
      if (exceeds_with_region(each + step)) return true;
    each = next_[each];
  } while (each != p);
  return false;
}

// ---- Changing the board

PlayRecord GoBoard::play(Point p, Stone stone) {
  PlayRecord record{.point = p, .ko_before = ko_, .stone = stone};
  place(p, stone);
  int taken = 0;
  Point last_taken = kNoPoint;
  for (int i = 0; i < 4; ++i) {
    const Point q = p + kNeighbours[i];
    if (stones_[q] != opponent(stone) || liberties(q) > 0) continue;
    taken += remove_chain(q);
    last_taken = q;
    record.captured_sides |= static_cast<std::uint8_t>(1 << i);
  }
  captured_[opponent(stone) - 1] += taken;
  ko_ = taken == 1 && chain_size(p) == 1 && liberties(p) == 1 ? last_taken : kNoPoint;
  if (liberties(p) == 0) {
    captured_[stone - 1] += remove_chain(p);
    record.suicide = true;
  }
  return record;
}

void GoBoard::undo(const PlayRecord& record) {
  const Point p = record.point;
  if (record.suicide) {
    restore_chain(p, record.stone);
    captured_[record.stone - 1] -= chain_size(p);
  }
  for (int i = 0; i < 4; ++i) {
    if (!(record.captured_sides >> i & 1)) continue;
    const Point q = p + kNeighbours[i];
    restore_chain(q, opponent(record.stone));
    captured_[opponent(record.stone) - 1] -= chain_size(q);
  }
  lift(p);
  ko_ = record.ko_before;
}

// Changes the stone on p, but no chain or liberty.
void GoBoard::put(Point p, Stone stone) {
  if (is_stone(stones_[p])) hash_ ^= stone_key(p, stones_[p]);
  if (stones_[p] != kWall) points_[stones_[p]].erase(p);
  stones_[p] = stone;
  points_[stone].insert(p);
  if (is_stone(stone)) hash_ ^= stone_key(p, stone);
}

// Puts a stone on an empty point, with the liberties around it; captures nothing.
void GoBoard::place(Point p, Stone stone) {
  put(p, stone);
  heads_[p] = next_[p] = p;
  chains_[p] = {1, static_cast<std::int16_t>(empty_neighbours(p))};
  change_neighbour_liberties(p, stone, -1);
  change_neighbour_liberties(p, opponent(stone), -1);
  for (Point step : kNeighbours)
    if (stones_[p + step] == stone && heads_[p + step] != heads_[p]) merge(p + step, p);
}

// Joins two chains of one color. It walks through the smaller one, and the larger one's head stays.
void GoBoard::merge(Point a, Point b) {
  Point large = heads_[a], small = heads_[b];
  if (chains_[large].size < chains_[small].size) std::swap(large, small);
  int added = 0;
  Point each = small, last = small;
  do {
    for (Point step : kNeighbours)
      if (stones_[each + step] == kEmpty && !is_liberty_of(each + step, large)) ++added;
    heads_[each] = large;  // at once, as the next stones must not count its liberties again
    last = each;
    each = next_[each];
  } while (each != small);
  chains_[large].size += chains_[small].size;
  chains_[large].liberties += static_cast<std::int16_t>(added);
  next_[last] = next_[large];
  next_[large] = small;
}

// Takes the chain at p off the board; returns its number of stones.
int GoBoard::remove_chain(Point p) {
  const Stone stone = stones_[p];
  int count = 0;
  Point each = p;
  do {
    put(each, kEmpty);
    change_neighbour_liberties(each, opponent(stone), 1);
    ++count;
    each = next_[each];
  } while (each != p);
  return count;
}

// Fills the empty region around p with the captured chain of that color.
void GoBoard::restore_chain(Point p, Stone stone) {
  std::array<Point, kPoints> queue;
  int filled = 0, expanded = 0;
  const auto fill = [&](Point q) {
    put(q, stone);
    change_neighbour_liberties(q, opponent(stone), -1);
    queue[filled++] = q;
  };
  fill(p);
  while (expanded < filled) {
    const Point q = queue[expanded++];
    for (Point step : kNeighbours)
      if (stones_[q + step] == kEmpty) fill(q + step);
  }
  build_chain(p);
}

// Takes one stone off the board; its chain may split.
void GoBoard::lift(Point p) {
  const Stone stone = stones_[p];
  const bool alone = chain_size(p) == 1;
  put(p, kEmpty);
  change_neighbour_liberties(p, opponent(stone), 1);
  if (alone) return;
  int joined = 0;
  for (Point step : kNeighbours) joined += stones_[p + step] == stone;
  if (joined == 1) return leave_chain(p);
  PointSet built;
  for (Point step : kNeighbours)
    if (stones_[p + step] == stone && !built.contains(p + step))
      built = built | build_chain(p + step);
}

// Takes p, now empty, out of its chain; the rest stays connected.
void GoBoard::leave_chain(Point p) {
  Point head = heads_[p];
  if (head == p) {
    head = next_[p];
    chains_[head] = chains_[p];
    for (Point each = head; each != p; each = next_[each]) heads_[each] = head;
  }
  Point before = head;
  while (next_[before] != p) before = next_[before];
  next_[before] = next_[p];
  Chain& chain = chains_[head];
  --chain.size;
  ++chain.liberties;
  for (Point step : kNeighbours)
    if (stones_[p + step] == kEmpty && !is_liberty_of(p + step, head)) --chain.liberties;
}

// Builds the chain at p and its liberties from the stones alone; returns its stones.
PointSet GoBoard::build_chain(Point p) {
  PointSet chain;
  next_[p] = link_stones(p, p, p, chain);
  chains_[p] = {static_cast<std::int16_t>(chain.size()),
                static_cast<std::int16_t>(chain.neighbours(points_[kEmpty]).size())};
  return chain;
}

// Adds p and all stones connected to it to a chain, each linked to the one before it; returns the
// last one.
Point GoBoard::link_stones(Point p, Point head, Point previous, PointSet& chain) {
  heads_[p] = head;
  next_[p] = previous;
  chain.insert(p);
  Point last = p;
  for (Point step : kNeighbours)
    if (stones_[p + step] == stones_[p] && !chain.contains(p + step))
      last = link_stones(p + step, head, last, chain);
  return last;
}

// Adds delta to the liberties of each chain of that color next to p, once a chain.
void GoBoard::change_neighbour_liberties(Point p, Stone stone, int delta) {
  FewHeads changed;
  for (Point step : kNeighbours)
    if (stones_[p + step] == stone && changed.add(heads_[p + step]))
      chains_[heads_[p + step]].liberties += static_cast<std::int16_t>(delta);
}

bool GoBoard::is_liberty_of(Point p, Point head) const {
  for (Point step : kNeighbours)
    if (stones_[p + step] == stones_[head] && heads_[p + step] == head) return true;
  return false;
}

void GoBoard::set(Point p, Stone stone) {
  put(p, stone);
  ko_ = kNoPoint;
  rebuild();
}

void GoBoard::rebuild() {
  for (Stone stone : {kBlack, kWhite})
    points_[stone].for_each_part([&](const PointSet& chain) { build_chain(chain.first()); });
}

bool GoBoard::has_dead_chain() const {
  bool found = false;
  for (Stone stone : {kBlack, kWhite})
    points_[stone].for_each([&](Point p) { found = found || liberties(p) == 0; });
  return found;
}

}  // namespace sparring
