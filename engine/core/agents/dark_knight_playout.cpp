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
    : settings_(&settings),
      board_(position.board()),
      quiet_(position.quiet_moves()),
      limit_(limit_of(position, settings)) {
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

DarkChessAction DarkKnightGame::pick(const DarkChessActions& actions, Random& random) const {
  if (settings_->prefers_captures && board_.color != DarkChessBoard::kNoColor) {
    const auto enemies = board_.colors[1 - board_.color];
    double sum = 0.0;
    for (const DarkChessAction& action : actions)
      if (enemies >> action.to & 1) sum += kPieceWeights[kind_of(board_.code_at(action.to))];
    if (sum > 0) {
      double left = random.uniform() * sum;
      DarkChessAction last{};
      for (const DarkChessAction& action : actions) {
        if ((enemies >> action.to & 1) == 0) continue;
        last = action;
        left -= kPieceWeights[kind_of(board_.code_at(action.to))];
        if (left < 0) break;
      }
      return last;
    }
  }
  return actions[random.below(actions.size())];
}

void DarkKnightGame::play_out(Random& random) {
  while (!over_ && !ends_early(random)) {
    const DarkChessActions actions = board_.actions();
    check_actions(actions);
    if (over_) return;
    const DarkChessAction action = pick(actions, random);
    play(action, action.is_flip() ? board_.draw(random) : -1);
  }
}

}  // namespace sparring
