#include "agents/dark_knight_playout.h"

#include <algorithm>

namespace sparring {

namespace {

constexpr int kLimitStep = 20;  // quiet moves

// The quiet moves that make a draw in a simulation: a few more than now, within the rules.
int limit_of(const DarkChessPosition& position, const DarkKnightSettings& settings) {
  const int limit = position.quiet_moves() / kLimitStep * kLimitStep + settings.quiet_limit;
  const int allowed = position.rules().quiet_limit;
  return allowed > 0 ? std::min(limit, allowed) : limit;
}

}  // namespace

DarkKnightGame::DarkKnightGame(const DarkChessPosition& position,
                               const DarkKnightSettings& settings)
    : DarkKnightGame(position.board(), position.quiet_moves(), limit_of(position, settings),
                     settings) {}

DarkKnightGame::DarkKnightGame(const DarkChessBoard& board, int quiet, int limit,
                               const DarkKnightSettings& settings)
    : settings_(&settings), board_(board), quiet_(quiet), limit_(limit) {
  if (!settings.ends_early) return;
  const Material material = material_of(board_);
  for (int color = 0; color < 2; ++color) material_[color] = material_number(material[color]);
  const LikelyOutcome outcome = likely();
  is_armed_ = outcome == LikelyOutcome::kUnknown;
  if (outcome == LikelyOutcome::kRedWins) loser_at_root_ = 1;
  if (outcome == LikelyOutcome::kBlackWins) loser_at_root_ = 0;
}

void DarkKnightGame::play(const DarkChessAction& action, int code) {
  length_ += 1;
  if (action.is_flip()) {
    quiet_ = 0;
    board_.flip(action.from, code);
    return;
  }
  const int captured = board_.move(action.from, action.to);
  if (captured < 0) {
    if (++quiet_ >= limit_) end(-1);
    return;
  }
  quiet_ = 0;
  const int loser = color_of(captured);
  if (!board_.has_pieces(loser)) end(1 - loser);
  if (!settings_->ends_early) return;
  material_[loser] -= kMaterialSteps[kind_of(captured)];
  is_armed_ = is_armed_ || loser_at_root_ < 0 || loser == loser_at_root_;
}

bool DarkKnightGame::ends_early(Random& random) {
  if (!settings_->ends_early || !is_armed_) return false;
  const LikelyOutcome outcome = likely();
  if (outcome == LikelyOutcome::kUnknown) return false;
  if (outcome == LikelyOutcome::kDraw) {
    end(-1);
    return true;
  }
  int winner = outcome == LikelyOutcome::kRedWins ? 0 : 1;
  if (settings_->outcome_noise > 0 && random.uniform() < settings_->outcome_noise)
    winner = 1 - winner;
  end(winner);
  return true;
}

DarkChessAction DarkKnightGame::pick_capture(const DarkChessActions& captures,
                                             Random& random) const {
  if (captures.size() == 1) return captures[0];
  std::array<double, DarkChessActions::kMost> sums;
  double sum = 0.0;
  for (int i = 0; i < captures.size(); ++i)
    sums[i] = sum += kPieceWeights[kind_of(board_.code_at(captures[i].to))];
  const double drawn = random.uniform() * sum;
  int i = 0;
  while (i + 1 < captures.size() && sums[i] <= drawn) ++i;
  return captures[i];
}

bool DarkKnightGame::pick(Random& random, DarkChessAction& out) const {
  const double share = settings_->capture_share;
  if (share < 1 && random.uniform() >= share) {
    if (!board_.has_action()) return false;
    out = board_.random_action(random);
    return true;
  }
  if (const DarkChessActions captures = board_.captures(); captures.size() > 0) {
    out = pick_capture(captures, random);
    return true;
  }
  return board_.random_quiet(random, out);
}

void DarkKnightGame::play_out(Random& random) {
  while (!over_ && !ends_early(random)) {
    DarkChessAction action{};
    if (pick(random, action))
      play(action, action.is_flip() ? board_.draw(random) : -1);
    else
      end(1 - board_.color);
  }
}

}  // namespace sparring
