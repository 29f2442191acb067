#include "network/cpu_network.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "network/cpu_network_run.h"
#include "network/packing.h"

namespace sparring {
namespace {

// Tiles convolved together on small boards.
constexpr int kGroupTiles = 64, kGroupTilesBf16 = 36;
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

}  // namespace

CpuNetwork::CpuNetwork(const InputCounts& counts, const Kernels& kernels, Rounding rounding)
    : kernels_(kernels),
      bf16_(rounding.bf16 && kernels.bf16),
      int16_(rounding.int16 && kernels.int16),
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
  const int tiles = bf16_ ? kGroupTilesBf16 : kGroupTiles;
  return std::max(1, tiles / best_cutting(size, bf16_).per_board());
}

void CpuNetwork::run(const Batch& batch, Scratch& scratch) const {
  const int room = group(batch.size), groups = std::max(1, (batch.rows + room - 1) / room);
  const int most = (batch.rows + groups - 1) / groups;
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
