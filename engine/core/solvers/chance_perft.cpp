#include "solvers/chance_perft.h"

#include <unordered_map>

namespace sparring {

namespace {

std::uint64_t key_of(const DarkChessPosition& position) { return position.board().hash(); }
std::uint64_t key_of(const EinsteinPosition& position) { return position.network_hash(); }

// Calls use(after) for the position after each move and outcome.
template <typename P, typename Use>
void for_each_after(const P& position, const Use& use) {
  for (int move = 0; move < position.move_count(); ++move) {
    if (!position.legal(move)) continue;
    for (const auto& [played, weight] : position.outcomes(move)) {
      P after = position;
      after.play(played);
      use(after);
    }
  }
}

template <typename P>
std::uint64_t count_sequences(const P& position, int moves) {
  if (moves == 0) return 1;
  std::uint64_t sum = 0;
  for_each_after(position, [&](const P& after) { sum += count_sequences(after, moves - 1); });
  return sum;
}

template <typename P>
std::vector<std::uint64_t> count_distinct(const P& position, int moves) {
  std::unordered_map<std::uint64_t, P> layer{{key_of(position), position}};
  std::vector<std::uint64_t> counts{1};
  for (int ply = 0; ply < moves; ++ply) {
    std::unordered_map<std::uint64_t, P> next;
    for (const auto& [hash, before] : layer)
      for_each_after(before, [&](const P& after) { next.try_emplace(key_of(after), after); });
    layer = std::move(next);
    counts.push_back(layer.size());
  }
  return counts;
}

}  // namespace

std::uint64_t perft(const DarkChessPosition& position, int moves) {
  return count_sequences(position, moves);
}

std::uint64_t perft(const EinsteinPosition& position, int moves) {
  return count_sequences(position, moves);
}

std::vector<std::uint64_t> distinct_positions(const DarkChessPosition& position, int moves) {
  return count_distinct(position, moves);
}

std::vector<std::uint64_t> distinct_positions(const EinsteinPosition& position, int moves) {
  return count_distinct(position, moves);
}

}  // namespace sparring
