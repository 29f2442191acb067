#include "solvers/darkchess_perft.h"

#include <unordered_map>

namespace sparring {

namespace {

// Calls use(after) for the position after each move and outcome.
template <typename Use>
void for_each_after(const DarkChessPosition& position, const Use& use) {
  for (int move = 0; move < position.move_count(); ++move) {
    if (!position.legal(move)) continue;
    for (const auto& [played, weight] : position.outcomes(move)) {
      DarkChessPosition after = position;
      after.play(played);
      use(after);
    }
  }
}

}  // namespace

std::uint64_t perft(const DarkChessPosition& position, int moves) {
  if (moves == 0) return 1;
  std::uint64_t sum = 0;
  for_each_after(position, [&](const DarkChessPosition& after) { sum += perft(after, moves - 1); });
  return sum;
}

std::vector<std::uint64_t> distinct_positions(const DarkChessPosition& position, int moves) {
  std::unordered_map<std::uint64_t, DarkChessPosition> layer{{position.board().hash(), position}};
  std::vector<std::uint64_t> counts{1};
  for (int ply = 0; ply < moves; ++ply) {
    std::unordered_map<std::uint64_t, DarkChessPosition> next;
    for (const auto& [hash, before] : layer)
      for_each_after(before, [&](const DarkChessPosition& after) {
        next.try_emplace(after.board().hash(), after);
      });
    layer = std::move(next);
    counts.push_back(layer.size());
  }
  return counts;
}

}  // namespace sparring
