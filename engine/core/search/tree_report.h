// Reads a search's findings out of the graph: choice values, bounds, lines of play, ownership.
// Everything that leaves here is the root mover's own view.
#pragma once

#include <cstdint>
#include <vector>

#include "search/tree_select.h"

namespace sparring {

struct MoveReport {
  int move = -1;
  int order = 0;
  int64_t visits = 0;
  int64_t edge_visits = 0;
  double win_rate = 0;
  double no_result = 0;
  double score_lead = 0;
  double score_mean = 0;
  double score_stdev = 0;
  double utility = 0;
  double lcb = 0;  // of win_rate
  double utility_lcb = 0;
  double prior = 0;
  double weight = 0;
  double edge_weight = 0;
  double play_selection_value = 0;
  ScoreBounds bounds{Node::kUnknown, -Node::kUnknown};  // of the final score, as proven
  int symmetry_of = -1;
  int symmetry = 0;  // that turns that move's line into this one's
  std::vector<int> pv;
  std::vector<int64_t> pv_visits;
  std::vector<int64_t> pv_edge_visits;
  const Node* node = nullptr;
};

struct ReportInputs {
  const Node* root;
  const RootView* view;
  const SearchSettings* settings;
  const UtilityScale* scale;
  int pv_length = 20;
};

// The root's moves with at least one visit, best first; before any, its most probable moves.
std::vector<MoveReport> report_moves(const ReportInputs& inputs);

// Ownership expected below `node`, averaged over the graph with weight on the main lines: [area],
// +1 Black's, and its standard deviation over the graph where `stdev` is not null.
void average_ownership(const Node* node, const SearchSettings& s, const UtilityScale& scale,
                       float* mean, float* stdev);

}  // namespace sparring
