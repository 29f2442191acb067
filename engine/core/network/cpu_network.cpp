#include "network/cpu_network.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <type_traits>
#include <utility>

#include "network/cpu_network_run.h"
#include "network/packing.h"

namespace sparring {
namespace {

// Limit of a convolution's transformed tiles in memory at a time: they should stay in a core's
// cache.
constexpr std::size_t kTileFloats = 190'000;
// Points per pass over their sums.
constexpr int kPointRows = 72;
constexpr int kMostTaps = 2048;
// Tiles convolved together on small boards.
constexpr int kGroupTiles = 36;
constexpr double kCentralSide = 14.0;

float activated(float x, Activation activation) {
  const auto gate = [](float v) { return std::tanh(std::log1p(std::exp(std::min(v, 40.0f)))); };
  switch (activation) {
    case Activation::kRelu:
      return std::max(x, 0.0f);
    case Activation::kMish:
      return x * gate(x);
    case Activation::kMishScale8:
      return x * gate(8 * x);
    case Activation::kSilu:
      return x / (1 + std::exp(-x));
    case Activation::kIdentity:
      return x;
  }
  return x;
}

void add_scaled(const float* values, int factor, std::size_t count, float* sums) {
  if (factor == 0) return;
  const auto scale = static_cast<float>(factor);
  for (std::size_t i = 0; i < count; ++i) sums[i] += scale * values[i];
}

// The first layer's sums of planes of 1s, for each size of board.
class FullPlanes {
 public:
  template <typename Fill>
  const float* of(BoardSize size, std::size_t count, const Fill& fill) {
    const std::lock_guard guard(lock_);
    auto& sums = by_size_[{size.height, size.width}];
    if (sums.empty()) {
      sums.resize(count);
      fill(sums.data());
    }
    return sums.data();
  }

 private:
  std::mutex lock_;
  std::map<std::pair<int, int>, AlignedVector<float>> by_size_;
};

}  // namespace

CpuNetwork::CpuNetwork(const InputCounts& counts, const Kernels& kernels, Rounding rounding)
    : kernels_(kernels),
      bf16_(rounding.bf16 && kernels.bf16),
      int8_(rounding.int8 && kernels.int8),
      planes_(counts.planes) {
  add(false, counts.globals);
  add(false, counts.metadata);
}

CpuNetwork::~CpuNetwork() = default;

Register CpuNetwork::add(bool board, int channels) {
  registers_.push_back({board, channels, padded_channels(channels)});
  return static_cast<Register>(registers_.size()) - 1;
}

Register CpuNetwork::add_board(int channels) { return add(true, channels); }

Register CpuNetwork::add_row(int channels) { return add(false, channels); }

bool CpuNetwork::fits(Register r, bool board, int channels) const {
  return r >= 0 && r < static_cast<int>(registers_.size()) && registers_[r].board == board &&
         registers_[r].channels == channels;
}

bool CpuNetwork::fits(const Epilogue& epilogue, int channels) const {
  return (epilogue.row_bias == kNone || fits(epilogue.row_bias, false, channels)) &&
         (epilogue.residual == kNone || fits(epilogue.residual, true, channels)) &&
         !epilogue.scale == !epilogue.shift;
}

bool CpuNetwork::fits_sum(Register out, const Epilogue& epilogue, int channels) const {
  if (!fits(epilogue, channels)) return false;
  if (out == kNone) return epilogue.residual != kNone;
  return fits(out, true, channels) && out != epilogue.residual;
}

bool CpuNetwork::add_planes(const ConvolutionWeights& w, int constants, Register row_bias,
                            Register out) {
  if (w.inputs != planes_ || constants < 0 || constants >= w.inputs ||
      w.inputs - constants > kMostPlanes || w.dilation_y != 1 || w.dilation_x != 1 ||
      w.inputs * w.height * w.width > kMostTaps || !fits(out, true, w.outputs) ||
      !fits(row_bias, false, w.outputs))
    return false;
  const int outputs = padded_channels(w.outputs), taps = w.height * w.width;
  const auto matrix = tap_matrix(w);
  AlignedVector<float> by_plane(matrix.size());
  for (int plane = 0; plane < w.inputs; ++plane)
    for (int tap = 0; tap < taps; ++tap)
      std::copy_n(&matrix[(static_cast<std::size_t>(tap) * w.inputs + plane) * outputs], outputs,
                  &by_plane[(static_cast<std::size_t>(plane) * taps + tap) * outputs]);
  const auto full = std::make_shared<FullPlanes>(), last = std::make_shared<FullPlanes>();
  const std::size_t plane_weights = static_cast<std::size_t>(taps) * outputs;
  steps_.push_back([=, this, height = w.height, width = w.width, planes = w.inputs,
                    summed = w.inputs - constants, weights = std::move(by_plane)](const Run& run) {
    const BoardSize size = run.batch.size;
    const int area = size.area();
    const std::size_t floats = static_cast<std::size_t>(area) * outputs;
    const auto sum = [&](const std::uint8_t* cells, int count, int first, const float* bias,
                         const float* under, float* to) {
      kernels_.scatter(cells, count, size, weights.data() + first * plane_weights, height, width,
                       outputs, bias, under, to);
    };
    const auto sum_full = [&](int first, int count, float* to) {
      const std::vector<std::uint8_t> ones(area, 1);
      const AlignedVector<float> zeros(outputs);
      for (int plane = 0; plane < count; ++plane)
        sum(ones.data(), 1, first + plane, zeros.data(), nullptr, to + plane * floats);
    };
    // Plane 0 is the whole board and constant in Go; only the other planes are summed each time.
    const float* whole = full->of(size, floats, [&](float* to) { sum_full(0, 1, to); });
    const float* constant = nullptr;
    if (constants > 0) {
      constant =
          last->of(size, constants * floats, [&](float* to) { sum_full(summed, constants, to); });
      grow(run.scratch.before, floats);
    }
    for (int board = 0; board < run.boards; ++board) {
      const auto* cells =
          run.batch.spatial + static_cast<std::size_t>(run.first + board) * planes * area;
      const float* bias = run.of(row_bias) + board * outputs;
      float* to = run.of(out) + board * floats;
      const bool is_whole =
          std::all_of(cells, cells + area, [](std::uint8_t cell) { return cell != 0; });
      const float* under = is_whole ? whole : nullptr;
      if (constants > 0) {
        float* sums = run.scratch.before.data();
        std::fill_n(sums, floats, 0.0f);
        if (is_whole) add_scaled(whole, 1, floats, sums);
        for (int plane = 0; plane < constants; ++plane)
          add_scaled(constant + plane * floats, cells[(summed + plane) * area], floats, sums);
        under = sums;
      }
      const int first = is_whole ? 1 : 0;
      sum(cells + first * area, summed - first, first, bias, under, to);
    }
  });
  return true;
}

bool CpuNetwork::add_convolution(Register in, const ConvolutionWeights& w, const Epilogue& epilogue,
                                 bool may_round, Register out) {
  if (!fits(in, true, w.inputs) || in == out || in == epilogue.residual ||
      !fits_sum(out, epilogue, w.outputs))
    return false;
  if (w.height == 1 && w.width == 1)
    steps_.push_back(bf16_ && may_round ? pointwise<std::uint16_t>(in, w, epilogue, out)
                                        : pointwise<float>(in, w, epilogue, out));
  else if (w.height == 3 && w.width == 3 && w.dilation_y == 1 && w.dilation_x == 1)
    steps_.push_back(bf16_ ? winograd<std::uint16_t>(in, w, epilogue, out)
                           : winograd<float>(in, w, epilogue, out));
  else
    steps_.push_back(im2col(in, w, epilogue, out));
  return true;
}

template <typename Element>
CpuNetwork::Step CpuNetwork::pointwise(Register in, const ConvolutionWeights& w,
                                       const Epilogue& epilogue, Register out) const {
  const int depth = padded_channels(w.inputs), outputs = padded_channels(w.outputs);
  auto matrix = tap_matrix(w);
  matrix.resize(static_cast<std::size_t>(depth) * outputs);
  return [=, this, epilogue = OwnedEpilogue(epilogue, w.outputs),
          weights = packed<Element>(matrix, depth, outputs, kernels_.panel)](const Run& run) {
    const auto& kernels = number<Element>();
    const auto bound = epilogue.bind(run);
    const auto multiply = [&](const Element* rows, int first, int count) {
      kernels.linear(rows, first, count, depth, weights.data(), depth, run.batch.size.area(),
                     outputs, bound, run.of(out));
    };
    if constexpr (std::is_same_v<Element, float>) {
      multiply(run.of(in), 0, run.points());
    } else {
      Arena arena(run.scratch.before, chunk_floats<Element>(depth));
      auto* rounded = arena.take<Element>(static_cast<std::size_t>(kMostChunk) * depth);
      for_parts(run.points(), kernels.chunk, [&](int first, int count) {
        kernels.round_rows(run.of(in) + static_cast<std::size_t>(first) * depth, count, depth,
                           nullptr, rounded);
        multiply(rounded, first, count);
      });
    }
  };
}

template <typename Element>
CpuNetwork::Step CpuNetwork::winograd(Register in, const ConvolutionWeights& w,
                                      const Epilogue& epilogue, Register out) const {
  const int inputs = padded_channels(w.inputs), outputs = padded_channels(w.outputs);
  return [=, this, epilogue = OwnedEpilogue(epilogue, w.outputs),
          transformed = std::make_shared<WinogradWeights>(w, kernels_.panel)](const Run& run) {
    const auto& kernels = number<Element>();
    const BoardSize size = run.batch.size;
    const Tiling tiling = best_tiling(size);
    const int all = run.boards * tiling.per_board(), points = tiling.points();
    const int room = std::max<int>(8, kTileFloats / (points * (inputs + outputs)));
    const int groups = (all + room - 1) / room, most = (all + groups - 1) / groups;
    grow(run.scratch.before, static_cast<std::size_t>(points) * most * inputs);
    grow(run.scratch.after, static_cast<std::size_t>(points) * most * outputs);
    // In bfloat16 half of this memory is enough.
    auto* before = reinterpret_cast<Element*>(run.scratch.before.data());
    float* after = run.scratch.after.data();
    const Element* weights = transformed->template of<Element>(tiling.side);
    for (int first = 0; first < all; first += most) {
      const int count = std::min(most, all - first);
      kernels.winograd_input(run.of(in), size, tiling, first, count, inputs, before);
      for (std::size_t point = 0; point < static_cast<std::size_t>(points); ++point)
        kernels.multiply(before + point * count * inputs, count, inputs,
                         weights + point * inputs * outputs, inputs, outputs,
                         after + point * count * outputs, outputs);
      kernels_.winograd_output(after, size, tiling, first, count, outputs, epilogue.bind(run),
                               run.of(out));
    }
  };
}

CpuNetwork::Step CpuNetwork::im2col(Register in, const ConvolutionWeights& w,
                                    const Epilogue& epilogue, Register out) const {
  const int inputs = w.inputs, stride = padded_channels(w.inputs), taps = w.height * w.width;
  const int depth = taps * inputs, outputs = padded_channels(w.outputs);
  const ConvolutionWeights shape = {nullptr, w.outputs,    w.inputs,    w.height,
                                    w.width, w.dilation_y, w.dilation_x};
  return [=, this, epilogue = OwnedEpilogue(epilogue, w.outputs),
          weights = packed_columns(tap_matrix(w), depth, outputs, kernels_.panel)](const Run& run) {
    const BoardSize size = run.batch.size;
    grow(run.scratch.before, static_cast<std::size_t>(kPointRows) * depth);
    grow(run.scratch.after, static_cast<std::size_t>(kPointRows) * outputs);
    float* rows = run.scratch.before.data();
    for (int first = 0; first < run.points(); first += kPointRows) {
      const int count = std::min(kPointRows, run.points() - first);
      std::fill_n(rows, static_cast<std::size_t>(count) * depth, 0.0f);
      for (int row = 0; row < count; ++row) {
        const int board = (first + row) / size.area(), point = (first + row) % size.area();
        for (int tap = 0; tap < taps; ++tap) {
          const int y =
              point / size.width + (tap / shape.width - shape.height / 2) * shape.dilation_y;
          const int x =
              point % size.width + (tap % shape.width - shape.width / 2) * shape.dilation_x;
          if (y < 0 || y >= size.height || x < 0 || x >= size.width) continue;
          const auto from = static_cast<std::size_t>(board) * size.area() + y * size.width + x;
          std::copy_n(run.of(in) + from * stride, inputs,
                      rows + static_cast<std::size_t>(row) * depth + tap * inputs);
        }
      }
      float* sums = run.scratch.after.data();
      kernels_.fp32.multiply(rows, count, depth, weights.data(), depth, outputs, sums, outputs);
      kernels_.epilogue_rows(sums, first, count, size.area(), outputs, epilogue.bind(run),
                             run.of(out));
    }
  };
}

bool CpuNetwork::add_normalization(Register in, const Epilogue& epilogue, Register out) {
  if (in < 0 || in >= static_cast<int>(registers_.size())) return false;
  const int channels = registers_[in].channels;
  if (!fits(in, true, channels) || !fits(out, true, channels) || !fits(epilogue, channels))
    return false;
  const int stride = padded_channels(channels);
  steps_.push_back([=, this, epilogue = OwnedEpilogue(epilogue, channels)](const Run& run) {
    kernels_.epilogue_rows(run.of(in), 0, run.points(), run.batch.size.area(), stride,
                           epilogue.bind(run), run.of(out));
  });
  return true;
}

bool CpuNetwork::add_pool(Register in, bool value_head, Register out) {
  if (in < 0 || in >= static_cast<int>(registers_.size())) return false;
  const int channels = registers_[in].channels;
  if (!fits(in, true, channels) || !fits(out, false, 3 * channels)) return false;
  const int stride = padded_channels(channels), out_stride = padded_channels(3 * channels);
  steps_.push_back([=, this](const Run& run) {
    const int area = run.batch.size.area();
    const double side = std::sqrt(area) - kCentralSide;
    const auto larger = static_cast<float>(side * 0.1);
    const auto squared = static_cast<float>(side * side * 0.01 - 0.1);
    grow(run.scratch.after, 2 * static_cast<std::size_t>(stride));
    float *sum = run.scratch.after.data(), *maximum = sum + stride;
    for (int board = 0; board < run.boards; ++board) {
      kernels_.pool(run.of(in) + static_cast<std::size_t>(board) * area * stride, area, stride, sum,
                    maximum);
      float* to = run.of(out) + static_cast<std::size_t>(board) * out_stride;
      for (int channel = 0; channel < channels; ++channel) {
        const float mean = sum[channel] / static_cast<float>(area);
        to[channel] = mean;
        to[channels + channel] = mean * larger;
        to[2 * channels + channel] = value_head ? mean * squared : maximum[channel];
      }
    }
  });
  return true;
}

bool CpuNetwork::add_matrix(Register in, const MatrixWeights& w, Register added,
                            Activation activation, Register out) {
  if (!fits(in, false, w.inputs) || !fits(out, false, w.outputs) ||
      (added != kNone && !fits(added, false, w.outputs)) || in == out)
    return false;
  const int stride = padded_channels(w.inputs), outputs = padded_channels(w.outputs);
  AlignedVector<float> matrix(static_cast<std::size_t>(w.inputs) * outputs);
  for (int input = 0; input < w.inputs; ++input)
    std::copy_n(w.values + static_cast<std::size_t>(input) * w.outputs, w.outputs,
                &matrix[static_cast<std::size_t>(input) * outputs]);
  steps_.push_back(
      [=, this, depth = w.inputs, real = w.outputs, bias = padded_row(w.bias, w.outputs),
       weights = packed_columns(matrix, w.inputs, outputs, kernels_.panel)](const Run& run) {
        kernels_.fp32.multiply(run.of(in), run.boards, stride, weights.data(), depth, outputs,
                               run.of(out), outputs);
        for (int board = 0; board < run.boards; ++board) {
          float* row = run.of(out) + static_cast<std::size_t>(board) * outputs;
          const float* more = added == kNone ? nullptr : run.of(added) + board * outputs;
          for (int i = 0; i < real; ++i) {
            const float sum = row[i] + (bias.empty() ? 0.0f : bias[i]) + (more ? more[i] : 0.0f);
            row[i] = activated(sum, activation);
          }
        }
      });
  return true;
}

bool CpuNetwork::add_gates(Register in, Register gates, const Epilogue& epilogue, Register out) {
  if (in < 0 || in >= static_cast<int>(registers_.size())) return false;
  const int channels = registers_[in].channels;
  if (!fits(in, true, channels) || !fits(gates, false, 2 * channels) ||
      !fits_sum(out, epilogue, channels))
    return false;
  const int stride = padded_channels(channels), gate_stride = padded_channels(2 * channels);
  steps_.push_back([=, this, epilogue = OwnedEpilogue(epilogue, channels)](const Run& run) {
    const int area = run.batch.size.area();
    grow(run.scratch.after, static_cast<std::size_t>(area + 2) * stride);
    float* scale = run.scratch.after.data();
    float *shift = scale + stride, *sums = shift + stride;
    std::fill_n(scale, 2 * stride, 0.0f);
    for (int board = 0; board < run.boards; ++board) {
      const float* row = run.of(gates) + static_cast<std::size_t>(board) * gate_stride;
      for (int channel = 0; channel < channels; ++channel) {
        scale[channel] = 1 / (1 + std::exp(-row[channel]));
        shift[channel] = row[channels + channel];
      }
      const float* from = run.of(in) + static_cast<std::size_t>(board) * area * stride;
      for (int point = 0; point < area; ++point)
        for (int channel = 0; channel < stride; ++channel)
          sums[point * stride + channel] =
              scale[channel] * from[point * stride + channel] + shift[channel];
      kernels_.epilogue_rows(sums, board * area, area, area, stride, epilogue.bind(run),
                             run.of(out));
    }
  });
  return true;
}

bool CpuNetwork::add_gather(Register in, BoardSize size, const std::vector<int>& cells,
                            Register out) {
  if (in < 0 || in >= static_cast<int>(registers_.size())) return false;
  const int channels = registers_[in].channels, area = size.area();
  if (!fits(in, true, channels) || !fits(out, false, static_cast<int>(cells.size())) ||
      !runs_on(size))
    return false;
  const int stride = padded_channels(channels);
  const int out_stride = padded_channels(static_cast<int>(cells.size()));
  std::vector<int> from;
  for (const int cell : cells) {
    if (cell < 0 || cell >= channels * area) return false;
    from.push_back(cell % area * stride + cell / area);
  }
  only_size_ = size;
  steps_.push_back([=, from = std::move(from)](const Run& run) {
    for (int board = 0; board < run.boards; ++board) {
      const float* values = run.of(in) + static_cast<std::size_t>(board) * area * stride;
      float* to = run.of(out) + static_cast<std::size_t>(board) * out_stride;
      for (std::size_t i = 0; i < from.size(); ++i) to[i] = values[from[i]];
    }
  });
  return true;
}

bool CpuNetwork::add_dropout(Register r, int layer) {
  if (r < 0 || r >= static_cast<int>(registers_.size())) return false;
  steps_.push_back([=, part = registers_[r]](const Run& run) {
    if (run.batch.dropout.probability <= 0) return;
    const int points = part.board ? run.batch.size.area() : 1;
    for (int board = 0; board < run.boards; ++board)
      drop(run.batch.dropout, run.first + board, layer,
           run.of(r) + static_cast<std::size_t>(board) * points * part.padded, points,
           part.channels, part.padded);
  });
  return true;
}

bool CpuNetwork::set_outputs(const OutputRegisters& outputs) {
  const auto exists = [this](Register r, bool board) {
    return r >= 0 && r < static_cast<int>(registers_.size()) && registers_[r].board == board;
  };
  if (!exists(outputs.value, false) || registers_[outputs.value].channels != kValueOutputs)
    return false;
  if (exists(outputs.moves, false)) {
    if (outputs.passing != kNone || outputs.misc != kNone || outputs.ownership != kNone)
      return false;
    outputs_ = outputs;
    return true;
  }
  const bool passes = outputs.passing != kNone;
  if (!exists(outputs.moves, true) || (passes && !exists(outputs.passing, false)) ||
      !exists(outputs.ownership, true) || !exists(outputs.misc, false))
    return false;
  policies_ = registers_[outputs.moves].channels;
  if ((passes && registers_[outputs.passing].channels != policies_) ||
      registers_[outputs.misc].channels > kMiscOutputs ||
      registers_[outputs.ownership].channels != 1)
    return false;
  outputs_ = outputs;
  return true;
}

int CpuNetwork::group(BoardSize size) const {
  // Enough tiles to use a convolution's weights well once they are in the cache.
  const int tiles = best_tiling(size).per_board();
  return std::max(1, kGroupTiles / tiles);
}

void CpuNetwork::run(const Batch& batch, Scratch& scratch) const {
  const int most = std::min(group(batch.size), batch.rows);
  scratch.registers.resize(registers_.size());
  for (std::size_t i = 0; i < registers_.size(); ++i) {
    const std::size_t rows = registers_[i].board ? most * batch.size.area() : most;
    grow(scratch.registers[i], rows * registers_[i].padded);
  }
  for (int first = 0; first < batch.rows; first += most) {
    const Run run{*this, batch, scratch, first, std::min(most, batch.rows - first)};
    read_inputs(run);
    for (const auto& step : steps_) step(run);
    write_outputs(run);
  }
  if (kernels_.release) kernels_.release();
}

void CpuNetwork::read_inputs(const Run& run) const {
  const std::pair<Register, const float*> inputs[] = {{globals(), run.batch.globals},
                                                      {metadata(), run.batch.metadata}};
  for (const auto& [r, values] : inputs)
    for (int board = 0; board < run.boards; ++board)
      std::copy_n(values + static_cast<std::size_t>(run.first + board) * registers_[r].channels,
                  registers_[r].channels,
                  run.of(r) + static_cast<std::size_t>(board) * registers_[r].padded);
}

void CpuNetwork::write_outputs(const Run& run) const {
  for (int board = 0; board < run.boards; ++board) {
    const auto row = static_cast<std::size_t>(run.first + board);
    const auto row_of = [&](Register r) { return run.of(r) + board * registers_[r].padded; };
    std::copy_n(row_of(outputs_.value), kValueOutputs, run.batch.value + row * kValueOutputs);
    if (!registers_[outputs_.moves].board) {
      const int moves = registers_[outputs_.moves].channels;
      std::copy_n(row_of(outputs_.moves), moves, run.batch.policy + row * moves);
      continue;
    }
    write_policy(run, board);
    float* misc = run.batch.misc + row * kMiscOutputs;
    std::fill_n(misc, kMiscOutputs, 0.0f);
    std::copy_n(row_of(outputs_.misc), registers_[outputs_.misc].channels, misc);
  }
}

void CpuNetwork::write_policy(const Run& run, int board) const {
  const auto padded = [this](Register r) { return registers_[r].padded; };
  const int area = run.batch.size.area(), width = run.batch.size.width;
  const int moves = move_count(run.batch.size);
  const auto row = static_cast<std::size_t>(run.first + board);
  const float optimism = policies_ > 1 ? run.batch.optimism[row] : 0.0f;
  const auto blended = [&](const float* channels) {
    return policies_ > 1 ? channels[0] + optimism * (channels[1] - channels[0]) : channels[0];
  };
  float* policy = run.batch.policy + row * moves;
  float* ownership = run.batch.ownership + row * area;
  for (int point = 0; point < area; ++point) {
    const auto at = static_cast<std::size_t>(board) * area + point;
    const float logit = blended(run.of(outputs_.moves) + at * padded(outputs_.moves));
    if (moves > area || point < width)
      policy[point] = logit;
    else
      policy[point % width] += logit;
    ownership[point] = run.of(outputs_.ownership)[at * padded(outputs_.ownership)];
  }
  if (moves > area)
    policy[area] = blended(run.of(outputs_.passing) + board * padded(outputs_.passing));
}

}  // namespace sparring
