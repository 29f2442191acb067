#include "go/go_game_batch.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <set>
#include <thread>

namespace sparring {
namespace {

constexpr int kGamesAtOnce = 16;  // games taken by a thread at a time

bool chance(Random& random, double share) { return random.uniform() < share; }

int below(Random& random, int bound) { return static_cast<int>(random.uniform() * bound); }

template <typename Value, size_t N>
Value pick(Random& random, const std::array<std::pair<double, Value>, N>& shares) {
  double left = random.uniform();
  for (const auto& [share, value] : shares) {
    left -= share;
    if (left < 0) return value;
  }
  return shares.back().second;
}

GoRules random_rules(Random& random) {
  GoRules rules;
  rules.scoring = chance(random, 0.6) ? Scoring::area : Scoring::territory;
  rules.ko = pick<KoRule, 3>(
      random, {{{0.34, KoRule::simple}, {0.33, KoRule::positional}, {0.33, KoRule::situational}}});
  const bool area = rules.scoring == Scoring::area;
  rules.tax = area ? pick<Tax, 3>(random, {{{0.8, Tax::none}, {0.1, Tax::seki}, {0.1, Tax::all}}})
                   : pick<Tax, 3>(random, {{{0.1, Tax::none}, {0.8, Tax::seki}, {0.1, Tax::all}}});
  rules.suicide = chance(random, 0.4);
  rules.button = area && chance(random, 0.1);
  rules.friendly_pass = chance(random, 0.5);
  rules.white_handicap_bonus =
      pick<HandicapBonus, 3>(random, {{{0.5, HandicapBonus::zero},
                                       {0.4, HandicapBonus::stones},
                                       {0.1, HandicapBonus::stones_minus_one}}});
  return rules;
}

float half_points(double komi) { return static_cast<float>(std::round(komi * 2) / 2); }

}  // namespace

GoGameBatch::GoGameBatch(int width, int height, int games, uint64_t seed, int threads)
    : width_(width), height_(height), threads_(std::max(1, threads)) {
  Random seeds(seed);
  games_.reserve(static_cast<size_t>(games));
  for (int i = 0; i < games; ++i) {
    games_.push_back(
        BatchGame{GoPosition(width, height, GoRules{}, 7.5f), Random(seeds.next()), {}, {}});
    begin(games_.back());
    // The first games are cut off anywhere, to spread the later ones over all phases.
    games_.back().moves_left = 1 + below(games_.back().random, games_.back().moves_left);
  }
}

int64_t GoGameBatch::finished() const {
  return std::accumulate(games_.begin(), games_.end(), int64_t{0},
                         [](int64_t sum, const BatchGame& game) { return sum + game.finished; });
}

void GoGameBatch::begin(BatchGame& game) const {
  Random& random = game.random;
  const int area = width_ * height_;
  const double side = std::sqrt(static_cast<double>(area));
  for (Player& player : game.players) {
    player.temperature =
        pick<double, 4>(random, {{{0.45, 1.0}, {0.25, 0.6}, {0.15, 0.25}, {0.15, 1.4}}});
    player.random_share = pick<double, 5>(
        random, {{{0.55, 0.0}, {0.2, 0.02}, {0.15, 0.1}, {0.07, 0.3}, {0.03, 0.7}}});
  }
  game.stubborn = chance(random, 0.2);
  game.early_pass_share = chance(random, 0.1) ? 0.02 : 0.0;
  game.moves_left = game.stubborn ? 2 * area : 3 * area / 2;
  // Points of komi; a tenth of the games are lopsided from the start.
  const double spread = chance(random, 0.1) ? side * 1.5 : chance(random, 0.5) ? 1.0 : side / 3;
  game.komi_error = random.normal() * spread;
  // Some games are made even after their opening, some never.
  game.moves_until_even_komi = chance(random, 0.1)   ? -1
                               : chance(random, 0.6) ? 0
                                                     : below(random, std::max(1, area / 3));
  set_up(game, random_rules(random), half_points(7 + game.komi_error));
}

void GoGameBatch::set_up(BatchGame& game, const GoRules& rules, float komi) const {
  GoPosition position(width_, height_, rules, komi);
  position.prevent_encore = chance(game.random, 0.8);
  // In a crowd of stones one may lack liberties; such a game begins on an empty board.
  const std::vector<std::pair<int, int>> stones = random_stones(game.random);
  if (!stones.empty() && position.setup(stones)) {
    const bool handicap = std::all_of(stones.begin(), stones.end(),
                                      [](const auto& stone) { return stone.first == 0; });
    if (handicap || chance(game.random, 0.5)) position.set_to_move(1);
  }
  game.position = position;
}

// Handicap stones on any points, or scattered stones of both sides, or mostly none.
std::vector<std::pair<int, int>> GoGameBatch::random_stones(Random& random) const {
  const int area = width_ * height_;
  const bool handicap = chance(random, 0.15);
  if (!handicap && !chance(random, 0.15)) return {};
  const int share = chance(random, 0.3) ? 3 : 12;
  const int most = handicap ? static_cast<int>(std::sqrt(area)) / 2 : area / share;
  std::set<int> points;
  for (int left = 1 + below(random, std::max(1, most)); left > 0; --left)
    points.insert(below(random, area));
  std::vector<std::pair<int, int>> stones;
  for (const int point : points) stones.emplace_back(handicap ? 0 : below(random, 2), point);
  return stones;
}

int GoGameBatch::choose(BatchGame& game, const float* logits) const {
  const GoPosition& position = game.position;
  const int pass = width_ * height_;
  const int count = pass + 1;
  std::array<uint8_t, 19 * 19 + 1> legal;
  position.legal_mask(legal.data());
  const Player& player = game.players[static_cast<size_t>(position.to_move())];
  if (chance(game.random, game.early_pass_share)) return pass;
  const bool board_move_exists =
      std::any_of(legal.begin(), legal.begin() + pass, [](uint8_t one) { return one != 0; });
  if (!board_move_exists) return pass;
  if (chance(game.random, player.random_share)) {
    for (;;) {
      const int move = below(game.random, pass);
      if (legal[static_cast<size_t>(move)]) return move;
    }
  }
  if (game.stubborn && chance(game.random, 0.95)) legal[static_cast<size_t>(pass)] = 0;
  float best = -1e30f;
  for (int move = 0; move < count; ++move)
    if (legal[static_cast<size_t>(move)]) best = std::max(best, logits[move]);
  std::array<double, 19 * 19 + 1> cumulative;
  double total = 0;
  for (int move = 0; move < count; ++move) {
    const auto at = static_cast<size_t>(move);
    if (legal[at]) total += std::exp((logits[move] - best) / player.temperature);
    cumulative[at] = total;
  }
  const double target = game.random.uniform() * total;
  int move =
      static_cast<int>(std::upper_bound(cumulative.begin(), cumulative.begin() + count, target) -
                       cumulative.begin());
  move = std::min(move, pass);
  return legal[static_cast<size_t>(move)] ? move : pass;
}

void GoGameBatch::step(BatchGame& game, const float* logits, float score_lead) const {
  GoPosition& position = game.position;
  if (game.moves_until_even_komi-- == 0) {
    const float black_lead = position.to_move() == 0 ? score_lead : -score_lead;
    const double most = width_ * height_;
    const double even = position.komi() + double{black_lead} + game.komi_error;
    position.set_komi(half_points(std::clamp(even, -most, most)));
  }
  position.play(choose(game, logits));
  if (--game.moves_left > 0 && !position.is_over()) return;
  ++game.finished;
  begin(game);
}

void GoGameBatch::fill(uint8_t* spatial, float* globals, uint8_t* legal) const {
  const size_t area = static_cast<size_t>(width_ * height_);
  each_game([&](size_t i) {
    const GoPosition& position = games_[i].position;
    position.features(spatial + i * GoPosition::kPlanes * area, globals + i * GoPosition::kGlobals,
                      0);
    position.legal_mask(legal + i * (area + 1));
  });
}

void GoGameBatch::advance(const float* logits, const float* score_lead) {
  const size_t moves = static_cast<size_t>(move_count());
  each_game([&](size_t i) { step(games_[i], logits + i * moves, score_lead[i]); });
}

void GoGameBatch::each_game(const std::function<void(size_t)>& work) const {
  const size_t count = games_.size();
  std::atomic<size_t> next{0};
  auto run = [&] {
    for (size_t begin = next.fetch_add(kGamesAtOnce); begin < count;
         begin = next.fetch_add(kGamesAtOnce)) {
      const size_t end = std::min(count, begin + kGamesAtOnce);
      for (size_t i = begin; i < end; ++i) work(i);
    }
  };
  std::vector<std::jthread> helpers;
  for (int i = 1; i < threads_; ++i) helpers.emplace_back(run);
  run();
}

}  // namespace sparring
