// A network of convolutions and of transformer blocks run on the processor, as a list of steps.
//
// Python adds the steps, once, from the network's architecture; the same steps then run on boards
// of any size, any number of them at a time. 3x3 convolutions go by Winograd's minimal filtering
// (Lavin and Gray, https://arxiv.org/abs/1509.09308), which multiplies a third of what the plain
// sum does; the first layer adds up the weights of the planes that are set.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "common/aligned.h"
#include "network/dropout.h"
#include "simd/kernels.h"

namespace sparring {

// Registers hold the inputs and outputs of steps: boards [point][channels] or rows [channels].
using Register = int;
constexpr Register kNone = -1;

constexpr int kValueOutputs = 3;
constexpr int kMiscOutputs = 6;

// Weights in the layout of training: [out][in][height][width].
struct ConvolutionWeights {
  const float* values;
  int outputs, inputs, height, width, dilation_y, dilation_x;
};

struct MatrixWeights {
  const float* values;  // [in][out]
  const float* bias;    // [out] or null
  int inputs, outputs;
};

// The epilogue of a convolution; see EpilogueArrays. Arrays of the real, unpadded channels, or
// null.
struct Epilogue {
  const float* bias = nullptr;
  Register row_bias = kNone;
  Register residual = kNone;
  const float* scale = nullptr;
  const float* shift = nullptr;
  Activation activation = Activation::kIdentity;
};

// The arrays of one batch, [rows][...], as in Slot of engine/games/evaluator.py.
struct Batch {
  int rows;
  BoardSize size;
  const std::uint8_t* spatial;
  const float *globals, *metadata, *optimism;
  float *policy, *value, *misc, *ownership;
  Dropout dropout = {};
};

// The registers of the outputs, used for nothing else. In a game without passes a move is a column,
// and its logit is the sum over its cells. If `moves` is a row, it holds the logits of all moves,
// and the network has no other policy, no pass and no ownership.
struct OutputRegisters {
  Register moves = kNone, passing = kNone, value = kNone, misc = kNone, ownership = kNone;
};

// A matrix without bias, [in][out].
struct PlainMatrix {
  const float* values;
  int inputs, outputs;
};

// Attention after a normalization by the root mean square. Its scale is part of the weights; the
// factor of the scores, in units of ln 2, is part of the queries' columns.
struct AttentionWeights {
  float epsilon;
  AttentionShape shape;
  PlainMatrix joined;        // to all heads of queries, then of keys, then of values
  PlainMatrix out;           // from all heads of values
  const float* frequencies;  // [key head][width / 2][2: a column, a row] radians, or null
};

// A feed-forward layer after a normalization by the root mean square, whose scale is part of the
// weights.
struct FeedForwardWeights {
  float epsilon;
  PlainMatrix linear, gate, out;
};

// activation(x / sqrt(mean(x^2) + epsilon) * scale + shift), the mean over a point's channels or,
// if spatial, over the whole board.
struct RmsTipWeights {
  float epsilon;
  bool spatial;
  const float *scale, *shift;  // [channels]
  Activation activation;
};

struct InputCounts {
  int planes, globals, metadata;
};

// The products in fewer bits than float32 has, where the kernels support it.
struct Rounding {
  bool bf16 = false;   // 3x3 convolutions and the trunk's matrices, in bfloat16
  bool int16 = false;  // the trunk's matrices, in words
  bool int8 = false;   // the matrices of feed-forward layers, in bytes
};

class CpuNetwork {
 public:
  CpuNetwork(const InputCounts& counts, const Kernels& kernels, Rounding rounding);
  ~CpuNetwork();

  // Each adds a register and returns it.
  Register add_board(int channels);
  Register add_row(int channels);
  Register globals() const { return 0; }
  Register metadata() const { return 1; }

  // Each adds a step; false if the registers do not fit the weights.
  // constants: the number of last planes that are constant over the board; a byte is their value.
  bool add_planes(const ConvolutionWeights& weights, int constants, Register row_bias,
                  Register out);
  // may_round: a 1x1 convolution is a matrix of the trunk.
  bool add_convolution(Register in, const ConvolutionWeights& weights, const Epilogue& epilogue,
                       bool may_round, Register out);
  // out = epilogue(in); in and out may be the same
  bool add_normalization(Register in, const Epilogue& epilogue, Register out);
  // out = mean, mean * (side - 14) / 10, and the maximum, or in the value head
  // mean * ((side - 14)^2 / 100 - 0.1)
  bool add_pool(Register in, bool value_head, Register out);
  // out = activation(in * weights + bias + added)
  bool add_matrix(Register in, const MatrixWeights& weights, Register added, Activation activation,
                  Register out);
  // out = epilogue(sigmoid(a) * in + b), a and b [channels] the two halves of the row `gates`
  bool add_gates(Register in, Register gates, const Epilogue& epilogue, Register out);
  // out[i] = in[channel][point], cells[i] = channel * area + point on a board of this size; the
  // network then runs on no other one
  bool add_gather(Register in, BoardSize size, const std::vector<int>& cells, Register out);
  // x += attention(x), or x += feed_forward(x); out = epilogue(x) unless none. x is the epilogue's
  // residual.
  bool add_attention(const AttentionWeights& weights, const Epilogue& epilogue, Register out);
  bool add_feed_forward(const FeedForwardWeights& weights, const Epilogue& epilogue, Register out);
  bool add_rms_tip(Register in, const RmsTipWeights& weights, Register out);
  // drops some of a layer's inputs, in batches with dropout; `layer` distinguishes its mask
  bool add_dropout(Register in_place, int layer);
  bool set_outputs(const OutputRegisters& outputs);

  // Arrays for one thread to run; they grow to the largest batch so far.
  struct Scratch {
    std::vector<AlignedVector<float>> registers;
    AlignedVector<float> before, after;  // a step's tiles or points in transit
  };
  // Evaluates a batch. Thread-safe, with one scratch per thread.
  void run(const Batch& batch, Scratch& scratch) const;
  // Best number of boards to evaluate together on one core.
  int group(BoardSize size) const;
  int planes() const { return planes_; }
  // Channels of a register; 0 for no such register.
  int channels(Register r) const {
    return r >= 0 && r < static_cast<int>(registers_.size()) ? registers_[r].channels : 0;
  }
  int global_count() const { return registers_[0].channels; }
  int metadata_count() const { return registers_[1].channels; }
  int policies() const { return policies_; }
  int move_count(BoardSize size) const {
    if (!registers_[outputs_.moves].board) return registers_[outputs_.moves].channels;
    return outputs_.passing == kNone ? size.width : size.area() + 1;
  }
  bool runs_on(BoardSize size) const {
    return !only_size_ || (only_size_->height == size.height && only_size_->width == size.width);
  }
  const char* instructions() const { return kernels_.name; }

 private:
  struct Part {
    bool board;
    int channels, padded;
  };
  struct Run;
  using Step = std::function<void(const Run&)>;
  bool fits(Register r, bool board, int channels) const;
  bool fits(const Epilogue& epilogue, int channels) const;
  // Whether `out` takes a sum after the epilogue; without it, the residual alone does.
  bool fits_sum(Register out, const Epilogue& epilogue, int channels) const;
  Register add(bool board, int channels);
  // The kernels of one type of numbers; see network/trunk_matrix.h.
  template <typename Element>
  const auto& kernels_of() const;
  // The matrix, padded to `depth` rows and `outputs` columns.
  template <typename Element>
  auto trunk_matrix(const PlainMatrix& matrix, int depth, int outputs) const;
  template <typename Element>
  Step pointwise(Register in, const ConvolutionWeights& weights, const Epilogue& epilogue,
                 Register out) const;
  template <typename Element>
  Step winograd(Register in, const ConvolutionWeights& weights, const Epilogue& epilogue,
                Register out) const;
  template <typename Element>
  Step attention(const AttentionWeights& weights, const Epilogue& epilogue, Register out) const;
  template <typename Element>
  Step feed_forward(const FeedForwardWeights& weights, const Epilogue& epilogue,
                    Register out) const;
  Step im2col(Register in, const ConvolutionWeights& weights, const Epilogue& epilogue,
              Register out) const;
  void read_inputs(const Run& run) const;
  void write_outputs(const Run& run) const;
  void write_policy(const Run& run, int board) const;

  const Kernels& kernels_;
  bool bf16_, int16_, int8_;
  int planes_;
  int policies_ = 1;
  std::vector<Part> registers_;
  std::vector<Step> steps_;
  OutputRegisters outputs_;
  std::optional<BoardSize> only_size_;
};

}  // namespace sparring
