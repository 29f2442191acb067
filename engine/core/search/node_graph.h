// Owns the nodes of one search and finds them by position. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "search/search_settings.h"
#include "search/tree_node.h"

namespace sparring {

// The nodes of all graphs of this process together.
struct LiveNodes {
  int64_t nodes;
  int64_t graphs;
};

// Counts the live nodes. Thread-safe.
LiveNodes live_nodes();

class NodeGraph {
 public:
  NodeGraph();
  ~NodeGraph();
  NodeGraph(const NodeGraph&) = delete;
  NodeGraph& operator=(const NodeGraph&) = delete;

  // The node of this position and player, created if missing.
  Node* find_or_add(uint64_t hash, int to_move);
  // Joins a new node to the bias entry of this key.
  void join_bias(Node& node, uint64_t key);
  // Deletes all nodes unreachable from `root`.
  void keep_reachable(Node* root, const SearchSettings& settings);
  void clear();
  int64_t size() const { return static_cast<int64_t>(nodes_.size()); }

  // Calls visit(node) once for every node reachable from `root`, children before parents except in
  // a cycle of the graph.
  template <typename Visit>
  void for_each_from(Node* root, Visit visit);

 private:
  uint32_t next_mark() { return ++mark_; }

  std::unordered_map<uint64_t, std::unique_ptr<Node>> nodes_;
  std::unordered_map<uint64_t, BiasEntry> bias_;
  uint32_t mark_ = 0;
};

template <typename Visit>
void NodeGraph::for_each_from(Node* root, Visit visit) {
  struct Frame {
    Node* node;
    std::size_t next;
  };
  const uint32_t mark = next_mark();
  std::vector<Frame> stack;
  root->mark = mark;
  stack.push_back({root, 0});
  while (!stack.empty()) {
    Frame& frame = stack.back();
    if (frame.next < frame.node->edges.size()) {
      Node* child = frame.node->edges[frame.next++].child;
      if (child && child->mark != mark) {
        child->mark = mark;
        stack.push_back({child, 0});
      }
      continue;
    }
    Node* done = frame.node;
    stack.pop_back();
    visit(*done);
  }
}

}  // namespace sparring
