#include "go/go_ladder.h"

#include <algorithm>
#include <vector>

namespace sparring {
namespace {

constexpr int kMaxMovesRead = 25'000;

// A short list of points, each once.
struct Candidates {
  std::array<Point, kMaxMoves> points;
  int count = 0;

  void add(Point p) {
    if (std::find(points.begin(), points.begin() + count, p) == points.begin() + count)
      points[count++] = p;
  }
};

// Reads whether one chain is captured. The board changes during the reading; at its end only the
// heads of chains may differ.
class Reader {
 public:
  Reader(GoBoard& board, Point chain)
      : board_(board),
        chain_(chain),
        defender_(board.at(chain)),
        attacker_(opponent(defender_)),
        max_depth_(board.area() * 3 / 2) {}

  // The chain is in atari and moves first. All kos are its owner's.
  bool captured_in_atari() {
    moves_read_ = 0;
    return defend(0);
  }

  // The capturing moves, if the chain has two liberties and the opponent moves first.
  PointSet capturing_moves() {
    PointSet working;
    for (Point p : two_liberties()) {
      if (!may_attack(p)) continue;
      const PlayRecord record = board_.play(p, attacker_);
      if (board_.liberties(chain_) <= 1 && captured_in_atari()) working.insert(p);
      board_.undo(record);
    }
    return working;
  }

 private:
  // The defender moves: whether no move saves the chain.
  bool defend(int depth) {
    if (depth >= max_depth_) return true;
    if (board_.liberties(chain_) >= 2) return false;
    if (depth > 0 && board_.ko_point() != kNoPoint) return false;
    Candidates moves;
    list_defences(moves);
    const auto [least, most] = liberty_bounds(moves.points[moves.count - 1]);
    if (least >= 3) return false;
    if (moves.count == 1 && most <= 1) return true;
    for (int i = 0; i < moves.count; ++i)
      if (board_.is_playable(moves.points[i], defender_, false) &&
          !attack_after(moves.points[i], depth))
        return false;
    return !out_of_budget();
  }

  bool attack_after(Point p, int depth) {
    const PlayRecord record = board_.play(p, defender_);
    ++moves_read_;
    const bool captured = !out_of_budget() && attack(depth + 1);
    board_.undo(record);
    return captured;
  }

  // The attacker moves: whether some move captures the chain.
  bool attack(int depth) {
    if (depth >= max_depth_) return true;
    const int liberties = board_.liberties(chain_);
    if (liberties != 2) return liberties < 2;
    auto [first, second] = two_liberties();
    const int room_first = board_.empty_neighbours(first);
    const int room_second = board_.empty_neighbours(second);
    if (room_first == 0 && room_second == 0 && is_double_ko(first, second)) return true;
    if (!are_adjacent(first, second)) {
      if (room_first >= 3 && room_second >= 3) return false;
      if (room_first >= 3) return defend_after(first, depth);
      if (room_second >= 3) return defend_after(second, depth);
    }
    if (2 * room_second + connection_gain(second) > 2 * room_first + connection_gain(first))
      std::swap(first, second);
    return defend_after(first, depth) || defend_after(second, depth);
  }

  bool defend_after(Point p, int depth) {
    if (out_of_budget() || !may_attack(p)) return false;
    const PlayRecord record = board_.play(p, attacker_);
    ++moves_read_;
    const bool captured = !out_of_budget() && defend(depth + 1);
    board_.undo(record);
    return captured;
  }

  bool out_of_budget() const { return moves_read_ >= kMaxMovesRead; }

  bool may_attack(Point p) const {
    return p != board_.ko_point() && board_.is_playable(p, attacker_, false);
  }

  static bool are_adjacent(Point a, Point b) {
    return std::find(kNeighbours.begin(), kNeighbours.end(), b - a) != kNeighbours.end();
  }

  // Calls visit(neighbour) for each point next to a stone of the chain, with repeats, until it
  // returns true. Returns whether it did.
  template <typename Visit>
  bool around_chain(Point start, Visit visit) const {
    Point p = start;
    do {
      for (Point step : kNeighbours)
        if (visit(static_cast<Point>(p + step))) return true;
      p = board_.next(p);
    } while (p != start);
    return false;
  }

  Point a_liberty(Point start) const {
    Point found = kNoPoint;
    around_chain(start, [&](Point p) {
      if (board_.at(p) == kEmpty) found = p;
      return found != kNoPoint;
    });
    return found;
  }

  std::array<Point, 2> two_liberties() const {
    std::array<Point, 2> found{kNoPoint, kNoPoint};
    around_chain(chain_, [&](Point p) {
      if (board_.at(p) != kEmpty || p == found[0]) return false;
      if (found[0] != kNoPoint) {
        found[1] = p;
        return true;
      }
      found[0] = p;
      return false;
    });
    return found;
  }

  // Lists the captures of adjacent chains, then the one liberty, unless it is among them.
  void list_defences(Candidates& moves) const {
    Point liberty = kNoPoint, last_head = kNoPoint;
    around_chain(chain_, [&](Point p) {
      if (board_.at(p) == kEmpty) liberty = p;
      if (board_.at(p) != attacker_ || board_.liberties(p) != 1) return false;
      if (board_.head(p) != last_head) moves.add(a_liberty(p));
      last_head = board_.head(p);
      return false;
    });
    moves.add(liberty);
  }

  struct Bounds {
    int least, most;
  };

  // Bounds on the liberties of a defender's stone at p.
  Bounds liberty_bounds(Point p) const {
    int room = 0, captures = 0, taken_stones = 0, joined = 0, most_joined = 0;
    for (Point step : kNeighbours) {
      const Point q = p + step;
      if (board_.at(q) == kEmpty) {
        ++room;
      } else if (board_.at(q) == attacker_ && board_.liberties(q) == 1) {
        ++captures;
        taken_stones += board_.chain_size(q);
      } else if (board_.at(q) == defender_) {
        joined += board_.liberties(q) - 1;
        most_joined = std::max(most_joined, board_.liberties(q) - 1);
      }
    }
    return {captures + std::max(most_joined, room), room + taken_stones + joined};
  }

  // About twice the defender's gain in liberties from joining the chains around p.
  int connection_gain(Point p) const {
    int gain = 0;
    for (Point step : kNeighbours) {
      const Point q = p + step;
      if (board_.at(q) == defender_ && board_.liberties(q) > 1) gain += 2 * board_.liberties(q) - 3;
    }
    return gain;
  }

  // Whether both liberties are kos for the attacker to take in turn, and connecting gains nothing.
  // The chain is then dead, however many ko threats there are.
  bool is_double_ko(Point first, Point second) {
    for (Point p : {first, second})
      if (board_.ko_capture(p, attacker_) == kNoPoint) return false;
    for (Point p : {first, second})
      if (liberties_after_connecting(p) > 2) return false;
    return !around_chain(
        chain_, [&](Point p) { return board_.at(p) == attacker_ && board_.liberties(p) == 1; });
  }

  int liberties_after_connecting(Point p) {
    const PlayRecord record = board_.play(p, defender_);
    const int liberties = record.suicide ? 0 : board_.liberties(p);
    board_.undo(record);
    return liberties;
  }

  GoBoard& board_;
  const Point chain_;
  const Stone defender_, attacker_;
  const int max_depth_;
  int moves_read_ = 0;
};

// A table of ladders already read; a board's slot is part of its hash.
class LadderCache {
 public:
  // The ladders of the board with that hash and ko; board() builds it if needed.
  template <typename Build>
  const Ladders& find(std::uint64_t hash, Point ko, Build board) {
    const std::uint64_t key = hash ^ hash_key(HashKind::ko, ko);
    Entry& entry = entries_[key % kEntries];
    if (entry.key != key) entry = {key, find_ladders(board())};
    return entry.ladders;
  }

 private:
  static constexpr std::size_t kEntries = 4096;
  struct Entry {
    std::uint64_t key = 0;
    Ladders ladders;
  };
  std::vector<Entry> entries_ = std::vector<Entry>(kEntries);
};

thread_local LadderCache cache;

}  // namespace

Ladders find_ladders(const GoBoard& board) {
  Ladders ladders;
  GoBoard scratch = board;
  PointSet read;
  const auto read_chain = [&](Point p) {
    if (board.liberties(p) > 2 || read.contains(p)) return;
    const PointSet chain = board.chain(p);
    read = read | chain;
    Reader reader(scratch, p);
    if (board.liberties(p) == 1) {
      if (reader.captured_in_atari()) ladders.captured = ladders.captured | chain;
      return;
    }
    const PointSet moves = reader.capturing_moves();
    if (moves.empty()) return;
    ladders.captured = ladders.captured | chain;
    PointSet& all_moves = ladders.winning_moves[board.at(p) - kBlack];
    all_moves = all_moves | moves;
  };
  (board.points(kBlack) | board.points(kWhite)).for_each(read_chain);
  return ladders;
}

Ladders cached_ladders(const GoBoard& board) {
  return cache.find(board.hash(), board.ko_point(), [&]() -> const GoBoard& { return board; });
}

Ladders cached_ladders(const BoardSnapshot& board) {
  return cache.find(board.hash, board.ko, [&] { return GoBoard(board); });
}

}  // namespace sparring
