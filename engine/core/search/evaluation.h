// The network's evaluation of one position, decoded and packed: shared by the tree and the cache.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace sparring {

// Scales of a network's raw outputs to points and probabilities (model file, "td" onwards).
struct NetworkScales {
  int version = 8;
  double score_mean = 20.0;
  double score_stdev = 20.0;
  double lead = 20.0;
  double variance_time = 40.0;
  double win_loss_error = 0.25;
  double score_error = 30.0;
  bool optimistic = false;  // the policy is a blend with an optimistic one
};

// One row of a network's raw outputs, side to move's view: see engine/games/evaluator.py.
struct RawOutput {
  const float* policy;     // [moves], logits
  const float* value;      // [3], logits of win, loss, no result
  const float* misc;       // [6]
  const float* ownership;  // [area], before tanh
};

// The position of a raw row.
struct RowContext {
  int moves;
  int area;  // cells with ownership; 0 in a game without
  int to_move;
  bool no_result_possible;
  const uint8_t* legal;         // [moves]
  const int16_t* policy_index;  // [moves]: index of each move in the raw policy
  const int16_t* cell_index;    // [area]: index of each cell in the raw ownership
};

// The values of an evaluation, Black's view; scores already count no result as 0.
struct Values {
  float black_win = 0;
  float white_win = 0;
  float no_result = 0;
  float score_mean = 0;
  float score_mean_square = 0;
  float lead = 0;
  float win_loss_error = -1;  // -1: not an output of the network
  float score_error = -1;
  float variance_time = -1;
};

// The greatest number of a game's moves; EinStein wuerfelt nicht has the most.
constexpr int kMostMoves = 1024;

// Unpacked working form: averaged over symmetries before packing.
struct Decoded {
  Values values;
  float policy[kMostMoves];  // probability, -1 if illegal
  float ownership[512];      // +1 Black's
};

// The probabilities of a network's logits of win, loss and no result, the mover's view.
struct ResultOdds {
  double win, loss, no_result;
  bool finite;
};
ResultOdds odds_of(const float* logits, bool no_result_possible);

// Fills `out` from one raw row. Returns false, leaving `out` undefined, if an output is not finite.
bool decode(const RawOutput& raw, const RowContext& context, const NetworkScales& scales,
            double policy_temperature, Decoded& out);

// Packed, immutable, reference counted. The policy is stored as square roots in 16 bits (relative
// error under 0.2% down to a probability of 1e-4), ownership in 8 bits.
class Evaluation {
 public:
  static constexpr int kOrdered = 16;  // number of best moves stored in order

  static Evaluation* make(const Decoded& decoded, int moves, int area);

  const Values& values() const { return values_; }
  int moves() const { return moves_; }
  int area() const { return area_; }
  // Its memory, with the part that an allocator adds (8 bytes, then up to a multiple of 16).
  int64_t bytes() const {
    const int64_t own =
        static_cast<int64_t>(sizeof(Evaluation)) + moves_ * int64_t{sizeof(uint16_t)} + area_;
    return (own + 8 + 15) / 16 * 16;
  }
  // Probability; -1 if illegal.
  float prior(int move) const {
    const uint16_t packed = policy()[move];
    if (packed == 0) return -1.0f;
    const float root = static_cast<float>(packed - 1) * (1.0f / 65534.0f);
    return root * root;
  }
  float ownership(int cell) const { return static_cast<float>(cells()[cell]) * (1.0f / 127.0f); }
  // The most probable legal moves, best first.
  int ordered() const { return ordered_; }
  int ordered_move(int rank) const { return order_[rank]; }

  void retain() const { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() const;

 private:
  Evaluation() = default;
  ~Evaluation() = default;
  const uint16_t* policy() const { return reinterpret_cast<const uint16_t*>(this + 1); }
  const int8_t* cells() const { return reinterpret_cast<const int8_t*>(policy() + moves_); }

  mutable std::atomic<int> references_{1};
  Values values_;
  int16_t moves_;
  int16_t area_;
  int16_t ordered_;
  int16_t order_[kOrdered];
};

// Owns one reference.
class EvaluationRef {
 public:
  EvaluationRef() = default;
  explicit EvaluationRef(Evaluation* adopted) : evaluation_(adopted) {}
  EvaluationRef(const EvaluationRef& other) : evaluation_(other.evaluation_) {
    if (evaluation_) evaluation_->retain();
  }
  EvaluationRef(EvaluationRef&& other) noexcept
      : evaluation_(std::exchange(other.evaluation_, nullptr)) {}
  EvaluationRef& operator=(EvaluationRef other) noexcept {
    std::swap(evaluation_, other.evaluation_);
    return *this;
  }
  ~EvaluationRef() {
    if (evaluation_) evaluation_->release();
  }
  const Evaluation* operator->() const { return evaluation_; }
  const Evaluation& operator*() const { return *evaluation_; }
  explicit operator bool() const { return evaluation_ != nullptr; }

 private:
  const Evaluation* evaluation_ = nullptr;
};

}  // namespace sparring
