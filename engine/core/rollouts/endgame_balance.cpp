#include "rollouts/endgame_balance.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/hash_table.h"
#include "rollouts/one_ply_heuristic.h"

namespace sparring {

namespace {

enum Kind { kPerverse, kCareless, kGreedy, kStrong };

// The outcome of a position, for the balancing side.
struct Prospect {
  KindShares win_rates;  // of a win against each kind
  double best;           // the result of best play
};

double square(double number) { return number * number; }

template <Game G>
class EndgameBalance {
 public:
  explicit EndgameBalance(const EndgameBalanceSettings& settings) : settings_(settings) {}

  MoveWinRates after_each(const G& position, const std::vector<int>& moves) {
    MoveWinRates found;
    for (const int move : moves) {
      allowed_ = nodes_ + settings_.most_nodes;
      G after = position;
      after.play(move);
      const Prospect prospect = look_at(after);
      found.push_back(nodes_ > allowed_ ? std::nullopt : std::optional(prospect.win_rates));
    }
    return found;
  }

 private:
  Prospect look_at(const G& position) {
    if (position.is_over()) {
      const double black = position.outcome().black_win;
      const double result = settings_.side == 0 ? black : 1.0 - black;
      return {{result, result, result, result}, result};
    }
    if (const Prospect* known = known_.find(position.graph_hash())) return *known;
    bool is_last = true;
    std::vector<Prospect> children;
    std::vector<float> liking(position.move_count()), liked;
    one_ply_heuristic(position, liking.data());
    for (int move = 0; move < position.move_count(); ++move) {
      if (liking[move] == kNotConsidered) continue;
      G after = position;
      after.play(move);
      is_last = is_last && after.is_over();
      children.push_back(look_at(after));
      liked.push_back(liking[move]);
      if (nodes_ > allowed_) return {};
    }
    const Prospect prospect =
        position.to_move() == settings_.side ? ours(children) : theirs(children, liked);
    if (is_last) return prospect;  // cheap to repeat
    ++nodes_;
    known_.put(position.graph_hash(), prospect);
    return prospect;
  }

  // Among all mixtures of two moves, the one with its win rates nearest to the target, against
  // every kind.
  Prospect ours(const std::vector<Prospect>& children) const {
    Prospect nearest = children.front();
    double least = std::numeric_limits<double>::infinity(), best = 0.0;
    for (const Prospect& one : children) {
      best = std::max(best, one.best);
      for (const Prospect& other : children) {
        const Prospect mixed = mixed_best(one, other);
        const double apart = distance_from_target(mixed);
        if (apart < least) least = apart, nearest = mixed;
      }
    }
    nearest.best = best;
    return nearest;
  }

  double distance_from_target(const Prospect& prospect) const {
    double apart = 0.0;
    for (int kind = 0; kind < kPlayerKinds; ++kind)
      apart += settings_.kinds[kind] * square(prospect.win_rates[kind] - settings_.target);
    return apart;
  }

  Prospect mixed_best(const Prospect& one, const Prospect& other) const {
    double up = 0.0, down = 0.0;  // of the other move's share, by least squares
    for (int kind = 0; kind < kPlayerKinds; ++kind) {
      const double step = other.win_rates[kind] - one.win_rates[kind];
      up += settings_.kinds[kind] * step * (settings_.target - one.win_rates[kind]);
      down += settings_.kinds[kind] * step * step;
    }
    const double share = down > 0 ? std::clamp(up / down, 0.0, 1.0) : 0.0;
    Prospect mixed = one;
    for (int kind = 0; kind < kPlayerKinds; ++kind)
      mixed.win_rates[kind] += share * (other.win_rates[kind] - one.win_rates[kind]);
    return mixed;
  }

  Prospect theirs(const std::vector<Prospect>& children, const std::vector<float>& liked) const {
    Prospect prospect{.win_rates = {}, .best = 1.0};
    for (const Prospect& child : children) prospect.best = std::min(prospect.best, child.best);
    const auto [least, most] = std::minmax_element(liked.begin(), liked.end());
    KindShares totals{};
    for (std::size_t i = 0; i < children.size(); ++i) {
      const KindShares shares = {std::exp(settings_.greed * (*least - liked[i])), 1.0,
                                 std::exp(settings_.greed * (liked[i] - *most)),
                                 children[i].best == prospect.best ? 1.0 : 0.0};
      for (int kind = 0; kind < kPlayerKinds; ++kind) {
        prospect.win_rates[kind] += shares[kind] * children[i].win_rates[kind];
        totals[kind] += shares[kind];
      }
    }
    for (int kind = 0; kind < kPlayerKinds; ++kind) prospect.win_rates[kind] /= totals[kind];
    return prospect;
  }

  EndgameBalanceSettings settings_;
  HashTable<Prospect> known_;
  std::int64_t nodes_ = 0;    // stored
  std::int64_t allowed_ = 0;  // for the moves up to the present one
};

}  // namespace

MoveWinRates balanced_win_rates(const Connect4Position& position, const std::vector<int>& moves,
                                const EndgameBalanceSettings& settings) {
  return EndgameBalance<Connect4Position>(settings).after_each(position, moves);
}

MoveWinRates balanced_win_rates(const OthelloPosition& position, const std::vector<int>& moves,
                                const EndgameBalanceSettings& settings) {
  return EndgameBalance<OthelloPosition>(settings).after_each(position, moves);
}

}  // namespace sparring
