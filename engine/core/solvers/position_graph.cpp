#include "solvers/position_graph.h"

#include <stdexcept>
#include <string>

#include "game/symmetry.h"

namespace sparring {

PositionGraph::PositionGraph(const DarkChessGeometry& geometry, const KindCounts& material)
    : moves_(geometry.move_count()) {
  boards_.emplace_back(geometry, material);
  numbers_.emplace(boards_[0].hash(), 0);
  for (std::size_t position = 0; position < boards_.size(); ++position) {
    first_action_.push_back(static_cast<std::int32_t>(actions_.size()));
    add_actions(DarkChessBoard(boards_[position]));  // a copy: the vector grows
  }
  first_action_.push_back(static_cast<std::int32_t>(actions_.size()));
  find_images();
}

void PositionGraph::add_actions(const DarkChessBoard& board) {
  for (const DarkChessAction& each : board.actions()) {
    const auto first = static_cast<std::int32_t>(outcomes_.size());
    bool is_quiet = false;
    if (each.is_flip()) {
      for (int code = 0; code < kPieceCodes; ++code) {
        if (board.pool[code] == 0) continue;
        DarkChessBoard after = board;
        after.flip(each.from, code);
        outcomes_.push_back(outcome(after, board.pool[code]));
      }
    } else {
      DarkChessBoard after = board;
      is_quiet = after.move(each.from, each.to) < 0;
      outcomes_.push_back(outcome(after, 1));
    }
    GraphAction action{
        .move = static_cast<std::int16_t>(board.geometry->move_of(each.from, each.to)),
        .outcomes = static_cast<std::int16_t>(outcomes_.size() - first),
        .first_outcome = first,
        .weight = 0,
        .is_quiet = is_quiet};
    for (const GraphOutcome& out : outcomes(action)) action.weight += out.weight;
    actions_.push_back(action);
  }
}

GraphOutcome PositionGraph::outcome(const DarkChessBoard& after, int weight) {
  if (!after.has_pieces(after.color) || !after.has_action()) return {GraphOutcome::kWon, weight};
  const auto [place, is_new] =
      numbers_.emplace(after.hash(), static_cast<std::int32_t>(boards_.size()));
  if (is_new) {
    if (positions() == kMostPositions)
      throw std::invalid_argument("more than " + std::to_string(kMostPositions) + " positions");
    boards_.push_back(after);
  }
  return {place->second, weight};
}

void PositionGraph::find_images() {
  const DarkChessGeometry& geometry = *boards_[0].geometry;
  for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
    std::vector<std::int32_t>& images = images_.emplace_back();
    for (const DarkChessBoard& board : boards_)
      images.push_back(numbers_.at(board.image(symmetry & 3, symmetry >> 2 & 1).hash()));
    std::vector<std::int16_t>& moves = move_images_.emplace_back();
    for (int move = 0; move < moves_; ++move) {
      const auto cell = [&](int before) {
        return symmetric_cell(before, symmetry & 3, geometry.width, geometry.height);
      };
      moves.push_back(static_cast<std::int16_t>(
          geometry.move_of(cell(geometry.from_of(move)), cell(geometry.to_of(move)))));
    }
  }
}

std::vector<int> PositionGraph::values(const SolvedDarkChess& solution) const {
  std::vector<int> out;
  out.reserve(boards_.size());
  for (const DarkChessBoard& board : boards_) out.push_back(solution.value(board));
  return out;
}

std::int64_t PositionGraph::weighed_value(const GraphAction& action,
                                          const std::vector<int>& values) const {
  std::int64_t sum = 0;
  for (const GraphOutcome& out : outcomes(action))
    sum += std::int64_t{out.weight} *
           (out.position == GraphOutcome::kWon ? SolvedDarkChess::kWhole : -values[out.position]);
  return sum;
}

}  // namespace sparring
