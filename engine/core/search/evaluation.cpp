#include "search/evaluation.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "common/interpolation_table.h"

namespace sparring {

namespace {

double softplus(double x) { return x > 30 ? x : std::log1p(std::exp(x)); }

// Short-term errors: KataGo's formula depends on the model version.
double short_term_error(double raw, int version, double multiplier, double old_multiplier) {
  if (version >= 14) {
    const double s = softplus(raw * 0.5);
    return std::sqrt(s * s * multiplier);
  }
  if (version >= 10) return std::sqrt(softplus(raw) * multiplier);
  return softplus(raw) * old_multiplier;
}

bool decode_values(const RawOutput& raw, const RowContext& context, const NetworkScales& scales,
                   Values& out) {
  const auto [win, loss, no_result, finite] = odds_of(raw.value, context.no_result_possible);
  const double mean = raw.misc[0] * scales.score_mean;
  const double stdev = softplus(raw.misc[1]) * scales.score_stdev;
  const double lead = raw.misc[2] * scales.lead;
  const double result = 1.0 - no_result;  // a game without a result has score 0
  const double sign = context.to_move == 0 ? 1.0 : -1.0;
  out.black_win = static_cast<float>(context.to_move == 0 ? win : loss);
  out.white_win = static_cast<float>(context.to_move == 0 ? loss : win);
  out.no_result = static_cast<float>(no_result);
  out.score_mean = static_cast<float>(sign * mean * result);
  out.score_mean_square = static_cast<float>((mean * mean + stdev * stdev) * result);
  out.lead = static_cast<float>(sign * lead * result);
  if (scales.version >= 9) {
    out.variance_time = static_cast<float>(softplus(raw.misc[3]) * scales.variance_time);
    out.win_loss_error = static_cast<float>(
        short_term_error(raw.misc[4], scales.version, scales.win_loss_error, 1.0));
    out.score_error =
        static_cast<float>(short_term_error(raw.misc[5], scales.version, scales.score_error, 10.0));
  }
  return finite && std::isfinite(out.score_mean) && std::isfinite(out.lead) &&
         std::isfinite(out.score_mean_square) && std::isfinite(out.variance_time) &&
         std::isfinite(out.win_loss_error) && std::isfinite(out.score_error);
}

}  // namespace

ResultOdds odds_of(const float* logits, bool no_result_possible) {
  double largest = std::max<double>(logits[0], logits[1]);
  if (no_result_possible) largest = std::max<double>(largest, logits[2]);
  const double win = std::exp(logits[0] - largest);
  const double loss = std::exp(logits[1] - largest);
  const double no_result = no_result_possible ? std::exp(logits[2] - largest) : 0.0;
  const double sum = win + loss + no_result;
  return {win / sum, loss / sum, no_result / sum, std::isfinite(sum)};
}

bool decode(const RawOutput& raw, const RowContext& context, const NetworkScales& scales,
            double policy_temperature, Decoded& out) {
  out.values = Values();
  if (!decode_values(raw, context, scales, out.values)) return false;
  const float factor = static_cast<float>(1.0 / policy_temperature);
  float largest = -1e30f;
  for (int move = 0; move < context.moves; ++move)
    if (context.legal[move])
      largest = std::max(largest, raw.policy[context.policy_index[move]] * factor);
  float sum = 0;
  for (int move = 0; move < context.moves; ++move) {
    if (!context.legal[move]) continue;
    out.policy[move] = std::exp(raw.policy[context.policy_index[move]] * factor - largest);
    sum += out.policy[move];
  }
  const bool can_move =
      std::find(context.legal, context.legal + context.moves, 1) != context.legal + context.moves;
  if (can_move && (!std::isfinite(sum) || !(sum > 0))) return false;
  for (int move = 0; move < context.moves; ++move)
    out.policy[move] = context.legal[move] ? out.policy[move] / sum : -1.0f;
  static const InterpolationTable tanh_of(-6.0f, 6.0f, 3072, [](double x) { return std::tanh(x); });
  const float sign = context.to_move == 0 ? 1.0f : -1.0f;
  bool finite = true;
  for (int cell = 0; cell < context.area; ++cell) {
    const float ownership = raw.ownership[context.cell_index[cell]];
    finite = finite && std::isfinite(ownership);
    out.ownership[cell] = sign * tanh_of(ownership);
  }
  return finite;
}

Evaluation* Evaluation::make(const Decoded& decoded, int moves, int area) {
  void* memory = ::operator new(sizeof(Evaluation) + moves * sizeof(uint16_t) + area);
  auto* evaluation = new (memory) Evaluation();
  evaluation->values_ = decoded.values;
  evaluation->moves_ = static_cast<int16_t>(moves);
  evaluation->area_ = static_cast<int16_t>(area);
  auto* policy = reinterpret_cast<uint16_t*>(evaluation + 1);
  auto* cells = reinterpret_cast<int8_t*>(policy + moves);
  int legal[kMostMoves];
  int count = 0;
  for (int move = 0; move < moves; ++move) {
    const float p = decoded.policy[move];
    policy[move] = p < 0 ? 0 : static_cast<uint16_t>(std::sqrt(p) * 65534.0f + 1.5f);
    if (p >= 0) legal[count++] = move;
  }
  for (int cell = 0; cell < area; ++cell)
    cells[cell] =
        static_cast<int8_t>(static_cast<int>(decoded.ownership[cell] * 127.0f + 127.5f) - 127);
  const int ordered = std::min(count, kOrdered);
  std::partial_sort(legal, legal + ordered, legal + count, [&](int a, int b) {
    return policy[a] != policy[b] ? policy[a] > policy[b] : a < b;
  });
  evaluation->ordered_ = static_cast<int16_t>(ordered);
  std::copy(legal, legal + ordered, evaluation->order_);
  return evaluation;
}

void Evaluation::release() const {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    this->~Evaluation();
    ::operator delete(const_cast<Evaluation*>(this));
  }
}

}  // namespace sparring
