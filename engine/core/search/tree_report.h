// Reads a search's results out of the graph: choice values, bounds, variations, ownership. All
// results are from the root mover's view.
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
  ScoreBounds bounds{Node::kUnknown, -Node::kUnknown};  // proven, of the final score
  int symmetry_of = -1;
  int symmetry = 0;  // the symmetry from that move's line to this one's
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

// Expected ownership below `node`, averaged over the graph with weight on the main lines: [area],
// +1 Black's, and its standard deviation over the graph unless `stdev` is null.
void average_ownership(const Node* node, const SearchSettings& s, const UtilityScale& scale,
                       float* mean, float* stdev);

}  // namespace sparring
