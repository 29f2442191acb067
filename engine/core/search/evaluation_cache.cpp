#include "search/evaluation_cache.h"

#include <bit>

namespace sparring {

EvaluationCache::EvaluationCache(int64_t entries)
    : pairs_(std::bit_ceil(static_cast<uint64_t>(entries < 2 ? 2 : entries)) / 2) {}

EvaluationRef EvaluationCache::find(uint64_t key) {
  const uint64_t index = key & (pairs_.size() - 1);
  Stripe& stripe = stripe_of(index);
  std::lock_guard guard(stripe.lock);
  ++stripe.lookups;
  Pair& pair = pairs_[index];
  if (pair.older.key == key && pair.older.evaluation) std::swap(pair.recent, pair.older);
  if (pair.recent.key != key || !pair.recent.evaluation) return {};
  ++stripe.hits;
  return pair.recent.evaluation;
}

void EvaluationCache::insert(uint64_t key, const EvaluationRef& evaluation) {
  const uint64_t index = key & (pairs_.size() - 1);
  Stripe& stripe = stripe_of(index);
  std::lock_guard guard(stripe.lock);
  Pair& pair = pairs_[index];
  if (pair.recent.key != key) std::swap(pair.older, pair.recent);
  stripe.count(pair.recent.evaluation, -1);
  pair.recent = Entry{key, evaluation};
  stripe.count(evaluation, 1);
}

void EvaluationCache::clear() {
  for (uint64_t index = 0; index < pairs_.size(); ++index) {
    Stripe& stripe = stripe_of(index);
    std::lock_guard guard(stripe.lock);
    Pair& pair = pairs_[index];
    stripe.count(pair.recent.evaluation, -1);
    stripe.count(pair.older.evaluation, -1);
    pair = Pair();
  }
}

int64_t EvaluationCache::sum(int64_t Stripe::* counter) {
  int64_t total = 0;
  for (Stripe& stripe : stripes_) {
    std::lock_guard guard(stripe.lock);
    total += stripe.*counter;
  }
  return total;
}

}  // namespace sparring
