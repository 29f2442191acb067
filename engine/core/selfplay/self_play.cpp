#include "selfplay/self_play.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/bounds.h"
#include "search/connect4_search.h"
#include "search/darkchess_search.h"
#include "search/go_search.h"
#include "search/othello_search.h"

namespace sparring {
namespace {

constexpr int kSolverMegabytes = 16;

// A row is one position: no root setting asks for several, or for less than all moves.
SearchSettings fitted(SearchSettings search) {
  search.root_symmetries = 1;
  search.root_symmetry_pruning = false;
  search.conservative_pass = false;
  search.policy_optimism = search.root_policy_optimism = 0;  // as in KataGo's self-play
  return search;
}

void require(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument(message);
}

}  // namespace

template <Game G>
SelfPlay<G>::SelfPlay(const G& start, const SearchSettings& search, const SelfPlaySettings& play,
                      const NetworkScales& scales, const Span& span, uint64_t seed)
    : rules_{start, fitted(search),
             play,  scales,
             seed,  std::make_shared<typename SelfPlayRules<G>::ScoreBounder>(kSolverMegabytes)},
      span_(span) {
  check(play);
  require(!start.is_over(), "the game is over at its start");
  checked("games", span.games, 0, kMostCount);
  checked("at_once", span.at_once, 1, kMostCount);
  checked("first_game", span.first_game, 0, kMostCount);
}

template <Game G>
int SelfPlay<G>::select(int slot, uint8_t* spatial, float* global, int capacity) {
  std::vector<Seat>& waiting = slot_at(slot);
  if (!waiting.empty()) throw std::logic_error("select on a slot that awaits its update");
  const std::size_t planes =
      static_cast<std::size_t>(G::kPlanes) * start().width() * start().height();
  int in_slots = 0;
  for (const std::vector<Seat>& seats : slots_) in_slots += static_cast<int>(seats.size());
  while (static_cast<int>(waiting.size()) < capacity) {
    const int seated = in_slots + static_cast<int>(waiting.size() + ready_.size());
    if (seated < span_.at_once && started_ < span_.games)
      ready_.push_back(std::make_unique<SelfPlayGame<G>>(rules_, span_.first_game + started_++));
    if (ready_.empty()) break;
    Seat seat = std::move(ready_.front());
    ready_.pop_front();
    const std::size_t row = waiting.size();
    if (seat->play_on(spatial + row * planes, global + row * G::kGlobals)) {
      waiting.push_back(std::move(seat));
      continue;
    }
    records_.push_back(seat->take_record());
    ++finished_;
    positions_ += static_cast<int64_t>(records_.back().plies.size());
  }
  return static_cast<int>(waiting.size());
}

template <Game G>
void SelfPlay<G>::update(int slot, const float* policy, const float* value, const float* misc,
                         const float* ownership) {
  std::vector<Seat>& waiting = slot_at(slot);
  const std::size_t moves = start().move_count();
  const std::size_t owned =
      G::kHasOwnership ? static_cast<std::size_t>(start().width()) * start().height() : 0;
  try {
    for (std::size_t row = 0; row < waiting.size(); ++row)
      waiting[row]->update(policy + row * moves, value + row * 3, misc + row * 6,
                           ownership + row * owned);
  } catch (...) {
    abandon(slot);
    throw;
  }
  abandon(slot);
}

template <Game G>
void SelfPlay<G>::abandon(int slot) {
  std::vector<Seat>& waiting = slot_at(slot);
  for (Seat& seat : waiting) ready_.push_back(std::move(seat));
  waiting.clear();
}

template <Game G>
SelfPlayRows SelfPlay<G>::take() {
  std::sort(records_.begin(), records_.end(),
            [](const auto& a, const auto& b) { return a.number < b.number; });
  SelfPlayRows rows = empty_rows(start());
  for (const GameRecord<G>& record : records_) append_rows(record, rows);
  records_.clear();
  return rows;
}

template class SelfPlay<OthelloPosition>;
template class SelfPlay<Connect4Position>;
template class SelfPlay<GoPosition>;
template class SelfPlay<DarkChessPosition>;

}  // namespace sparring
