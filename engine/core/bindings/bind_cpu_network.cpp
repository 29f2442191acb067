// CpuNetwork for Python: built step by step, then run on rows in place.
#include "bindings/bind_cpu_network.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/bind_cpu_rows.h"
#include "common/bounds.h"
#include "network/cpu_network.h"
#include "network/cpu_workers.h"
#include "network/kernel_rates.h"
#include "simd/processor.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sparring {
namespace {

using Four = nb::ndarray<const float, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using Three = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using ConstMatrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Row = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using OptionalRow = std::optional<Row>;

constexpr int kMostChannels = 1 << 16;
constexpr int kMostDilation = 18;  // cells: larger ones leave every board
constexpr std::array kActivations = {"identity", "relu", "mish", "silu", "mish_scale8"};

void check(bool fits, const char* what) {
  if (!fits) throw nb::value_error((std::string(what) + " does not fit").c_str());
}

Activation activation_of(const std::string& name) {
  for (size_t i = 0; i < kActivations.size(); ++i)
    if (name == kActivations[i]) return static_cast<Activation>(i);
  throw nb::value_error(("unknown activation '" + name + "'").c_str());
}

ConvolutionWeights weights_of(const Four& weights, std::array<int, 2> dilation) {
  return {weights.data(),
          static_cast<int>(weights.shape(0)),
          static_cast<int>(weights.shape(1)),
          static_cast<int>(weights.shape(2)),
          static_cast<int>(weights.shape(3)),
          dilation[0],
          dilation[1]};
}

const float* row_of(const OptionalRow& row, int channels) {
  if (!row) return nullptr;
  check(row->shape(0) == static_cast<size_t>(channels), "a row of weights");
  return row->data();
}

Epilogue epilogue_of(int channels, const OptionalRow& bias, Register row_bias, Register residual,
                     const OptionalRow& scale, const OptionalRow& shift,
                     const std::string& activation) {
  return {row_of(bias, channels),
          row_bias,
          residual,
          row_of(scale, channels),
          row_of(shift, channels),
          activation_of(activation)};
}

void add_convolution(CpuNetwork& network, Register in, Four weights, Register out, int dilation_y,
                     int dilation_x, const OptionalRow& bias, Register row_bias, Register residual,
                     const OptionalRow& scale, const OptionalRow& shift,
                     const std::string& activation, bool may_round) {
  const auto w = weights_of(weights, {checked("dilation_y", dilation_y, 1, kMostDilation),
                                      checked("dilation_x", dilation_x, 1, kMostDilation)});
  const auto epilogue = epilogue_of(w.outputs, bias, row_bias, residual, scale, shift, activation);
  check(network.add_convolution(in, w, epilogue, may_round, out), "a convolution");
}

void add_normalization(CpuNetwork& network, Register in, Register out, Row scale, Row shift,
                       Register row_bias, const std::string& activation) {
  const int channels = static_cast<int>(scale.shape(0));
  const auto epilogue = epilogue_of(channels, {}, row_bias, kNone, scale, shift, activation);
  check(network.channels(in) == channels && network.add_normalization(in, epilogue, out),
        "a normalization");
}

void add_matrix(CpuNetwork& network, Register in, ConstMatrix weights, Register out,
                const OptionalRow& bias, Register added, const std::string& activation) {
  const int inputs = static_cast<int>(weights.shape(0));
  const int outputs = static_cast<int>(weights.shape(1));
  const MatrixWeights w = {weights.data(), row_of(bias, outputs), inputs, outputs};
  check(network.add_matrix(in, w, added, activation_of(activation), out), "a matrix");
}

void add_gates(CpuNetwork& network, Register in, Register gates, Register out, Register residual,
               const OptionalRow& scale, const OptionalRow& shift, const std::string& activation) {
  const int channels = network.channels(in);
  const auto epilogue = epilogue_of(channels, {}, kNone, residual, scale, shift, activation);
  check(network.add_gates(in, gates, epilogue, out), "a row of gates");
}

void add_gather(CpuNetwork& network, Register in, const std::vector<int>& cells, Register out,
                int width, int height) {
  const BoardSize size{checked("height", height, 1, 19), checked("width", width, 1, 19)};
  check(network.add_gather(in, size, cells, out), "a gathering");
}

PlainMatrix matrix_of(const ConstMatrix& weights) {
  check(weights.shape(0) <= kMostChannels && weights.shape(1) <= kMostChannels, "a matrix");
  return {weights.data(), static_cast<int>(weights.shape(0)), static_cast<int>(weights.shape(1))};
}

float epsilon_of(double epsilon) { return static_cast<float>(checked("epsilon", epsilon, 0, 1)); }

void add_attention(CpuNetwork& network, Register x, ConstMatrix joined, ConstMatrix out_weights,
                   double epsilon, int heads, int key_heads,
                   const std::optional<Three>& frequencies, Register out, const OptionalRow& scale,
                   const OptionalRow& shift, const std::string& activation) {
  checked("heads", heads, 1, kMostChannels);
  checked("key_heads", key_heads, 1, heads);
  const PlainMatrix to_heads = matrix_of(joined), from_heads = matrix_of(out_weights);
  const int value_width = from_heads.inputs / heads;
  const int width = (to_heads.outputs - key_heads * value_width) / (heads + key_heads);
  if (frequencies)
    check(frequencies->shape(0) == static_cast<size_t>(key_heads) &&
              frequencies->shape(1) * 2 == static_cast<size_t>(width) && frequencies->shape(2) == 2,
          "a table of rotations");
  const AttentionWeights w = {epsilon_of(epsilon),
                              {heads, key_heads, width, value_width},
                              to_heads,
                              from_heads,
                              frequencies ? frequencies->data() : nullptr};
  const auto epilogue = epilogue_of(from_heads.outputs, {}, kNone, x, scale, shift, activation);
  check(network.add_attention(w, epilogue, out), "attention");
}

void add_feed_forward(CpuNetwork& network, Register x, ConstMatrix linear, ConstMatrix gate,
                      ConstMatrix out_weights, double epsilon, Register out,
                      const OptionalRow& scale, const OptionalRow& shift,
                      const std::string& activation) {
  const FeedForwardWeights w = {epsilon_of(epsilon), matrix_of(linear), matrix_of(gate),
                                matrix_of(out_weights)};
  const auto epilogue = epilogue_of(w.out.outputs, {}, kNone, x, scale, shift, activation);
  check(network.add_feed_forward(w, epilogue, out), "a feed-forward layer");
}

void add_rms_tip(CpuNetwork& network, Register in, Register out, double epsilon, bool spatial,
                 Row scale, Row shift, const std::string& activation) {
  const int channels = network.channels(in);
  const RmsTipWeights w = {epsilon_of(epsilon), spatial, row_of(scale, channels),
                           row_of(shift, channels), activation_of(activation)};
  check(network.add_rms_tip(in, w, out), "a normalization");
}

void check_rows(const CpuRows& rows) {
  const CpuNetwork& network = rows.slot.workers->network();
  const size_t capacity = rows.spatial.shape(0);
  const size_t area = rows.spatial.shape(2) * rows.spatial.shape(3);
  const BoardSize size{static_cast<int>(rows.spatial.shape(2)),
                       static_cast<int>(rows.spatial.shape(3))};
  check(network.runs_on(size), "the size of the board");
  const auto is = [&](const Matrix& array, size_t width, const char* name) {
    check(array.shape(0) == capacity && array.shape(1) == width, name);
  };
  check(rows.spatial.shape(1) == static_cast<size_t>(network.planes()), "spatial");
  check(area >= 1 && rows.spatial.shape(2) <= 19 && rows.spatial.shape(3) <= 19, "the board");
  check(rows.optimism.shape(0) == capacity, "optimism");
  is(rows.globals, network.global_count(), "globals");
  is(rows.metadata, network.metadata_count(), "metadata");
  is(rows.policy, network.move_count(size), "policy");
  is(rows.value, kValueOutputs, "value");
  is(rows.misc, kMiscOutputs, "misc");
  is(rows.ownership, area, "ownership");
}

void make_rows(CpuRows* self, std::shared_ptr<CpuWorkers> workers, Planes spatial, Matrix globals,
               Matrix metadata, Shares optimism, Matrix policy, Matrix value, Matrix misc,
               Matrix ownership) {
  const BoardSize size{static_cast<int>(spatial.shape(2)), static_cast<int>(spatial.shape(3))};
  const Batch batch{static_cast<int>(spatial.shape(0)),
                    size,
                    spatial.data(),
                    globals.data(),
                    metadata.data(),
                    optimism.data(),
                    policy.data(),
                    value.data(),
                    misc.data(),
                    ownership.data(),
                    {}};
  new (self)
      CpuRows{spatial,
              globals,
              metadata,
              optimism,
              policy,
              value,
              misc,
              ownership,
              CpuSlot(std::move(workers), batch, spatial.data(), globals.data(), optimism.data())};
  check_rows(*self);
}

void start(CpuRows& self, int rows, double dropout, std::uint32_t dropout_seed) {
  if (rows < 1 || rows > self.slot.batch.rows)
    throw nb::value_error("a slot does not have as many rows");
  checked("dropout", dropout, 0, 0.999);
  // A holder of the workers' lock may wait for a core while other threads need the interpreter.
  nb::gil_scoped_release unlocked;
  self.slot.start(rows, {dropout, dropout_seed});
}

}  // namespace

void bind_cpu_network(nb::module_& m) {
  instruction_sets();  // an unknown SPARRING_KERNELS fails at the import
  m.def("instruction_sets", &instruction_sets,
        "Sets of vector instructions in use, the slower first.");
  m.def("forced_instructions", &forced_instructions,
        "The set of the environment variable SPARRING_KERNELS, or an empty text.");
  m.def(
      "kernel_rates",
      [](const std::string& instructions, const std::string& precision) {
        std::vector<std::pair<std::string, double>> rates;
        for (const auto& rate : measure_kernels(kernels(instructions.c_str()), precision))
          rates.emplace_back(rate.kernel, rate.operations);
        return rates;
      },
      "instructions"_a, "precision"_a = "fp32",
      "Operations a second of each kernel of a set, measured for moments; the first is the peak of "
      "the registers. precision: fp32, bf16, int16 or int8; empty if the set does not multiply in "
      "it.");
  nb::class_<CpuNetwork>(m, "CpuNetwork",
                         "A network as a list of steps between registers; run by CpuWorkers.")
      .def(
          "__init__",
          [](CpuNetwork* self, int planes, int globals, int metadata,
             const std::string& instructions, bool bf16, bool int16, bool int8) {
            checked("planes", planes, 1, kMostChannels);
            checked("globals", globals, 1, kMostChannels);
            checked("metadata", metadata, 0, kMostChannels);
            const Kernels& found = kernels(instructions.c_str());
            check(!bf16 || found.bf16, "bf16: the processor");
            check(!int16 || found.int16, "int16: the processor");
            check(!int8 || found.int8, "int8: the processor");
            new (self) CpuNetwork({planes, globals, metadata}, found, {bf16, int16, int8});
          },
          "planes"_a, "globals"_a, "metadata"_a, nb::kw_only(), "instructions"_a = "",
          "bf16"_a = false, "int16"_a = false, "int8"_a = false)
      .def_static(
          "has_bf16",
          [](const std::string& instructions) {
            return kernels(instructions.c_str()).bf16 != nullptr;
          },
          "instructions"_a = "", "Whether a set, by default the best one, multiplies bfloat16.")
      .def_static(
          "has_int16",
          [](const std::string& instructions) {
            return kernels(instructions.c_str()).int16 != nullptr;
          },
          "instructions"_a = "",
          "Whether a set, by default the best one, multiplies integers of 16 bits.")
      .def_static(
          "has_int8",
          [](const std::string& instructions) {
            return kernels(instructions.c_str()).int8 != nullptr;
          },
          "instructions"_a = "", "Whether a set, by default the best one, multiplies bytes.")
      .def_static(
          "gain",
          [](const std::string& precision, const std::string& instructions) {
            return measure_gain(kernels(instructions.c_str()), precision);
          },
          "precision"_a, "instructions"_a = "",
          "Time of a product in float32 over its time in bf16 or int16, measured in a millisecond; "
          "0 if the set, by default the best one, does not multiply in it.")
      .def_ro_static("channel_step", &kChannelStep,
                     "Channels of the kernels come in multiples of this number.")
      .def_prop_ro("instructions", &CpuNetwork::instructions, "Set of vector instructions in use.")
      .def_prop_ro("globals", &CpuNetwork::globals, "Register of the global inputs.")
      .def_prop_ro("metadata", &CpuNetwork::metadata, "Register of the metadata.")
      .def(
          "group",
          [](const CpuNetwork& self, int width, int height) {
            return self.group({checked("height", height, 1, 19), checked("width", width, 1, 19)});
          },
          "width"_a, "height"_a, "Boards evaluated together by a core.")
      .def(
          "add_board",
          [](CpuNetwork& self, int channels) {
            return self.add_board(checked("channels", channels, 1, kMostChannels));
          },
          "channels"_a)
      .def(
          "add_row",
          [](CpuNetwork& self, int channels) {
            return self.add_row(checked("channels", channels, 1, kMostChannels));
          },
          "channels"_a)
      .def(
          "add_planes",
          [](CpuNetwork& self, Four weights, Register row_bias, Register out, int constants) {
            check(self.add_planes(weights_of(weights, {1, 1}), constants, row_bias, out),
                  "the first layer");
          },
          "weights"_a, "row_bias"_a, "out"_a, nb::kw_only(), "constants"_a = 0,
          "The last `constants` planes are constant over the board; a byte is their value.")
      .def("add_convolution", &add_convolution, "in_"_a, "weights"_a, "out"_a, nb::kw_only(),
           "dilation_y"_a = 1, "dilation_x"_a = 1, "bias"_a = nb::none(), "row_bias"_a = kNone,
           "residual"_a = kNone, "scale"_a = nb::none(), "shift"_a = nb::none(),
           "activation"_a = "identity", "may_round"_a = false)
      .def("add_normalization", &add_normalization, "in_"_a, "out"_a, nb::kw_only(), "scale"_a,
           "shift"_a, "row_bias"_a = kNone, "activation"_a = "identity")
      .def(
          "add_pool",
          [](CpuNetwork& self, Register in, Register out, bool value_head) {
            check(self.add_pool(in, value_head, out), "a pooling");
          },
          "in_"_a, "out"_a, nb::kw_only(), "value_head"_a = false)
      .def("add_matrix", &add_matrix, "in_"_a, "weights"_a, "out"_a, nb::kw_only(),
           "bias"_a = nb::none(), "added"_a = kNone, "activation"_a = "identity")
      .def("add_gates", &add_gates, "in_"_a, "gates"_a, "out"_a, nb::kw_only(), "residual"_a,
           "scale"_a = nb::none(), "shift"_a = nb::none(), "activation"_a = "identity")
      .def("add_gather", &add_gather, "in_"_a, "cells"_a, "out"_a, nb::kw_only(), "width"_a,
           "height"_a)
      .def("add_attention", &add_attention, "x"_a, nb::kw_only(), "joined"_a, "out_weights"_a,
           "epsilon"_a, "heads"_a, "key_heads"_a, "frequencies"_a = nb::none(), "out"_a = kNone,
           "scale"_a = nb::none(), "shift"_a = nb::none(), "activation"_a = "identity")
      .def("add_feed_forward", &add_feed_forward, "x"_a, nb::kw_only(), "linear"_a, "gate"_a,
           "out_weights"_a, "epsilon"_a, "out"_a = kNone, "scale"_a = nb::none(),
           "shift"_a = nb::none(), "activation"_a = "identity")
      .def("add_rms_tip", &add_rms_tip, "in_"_a, "out"_a, nb::kw_only(), "epsilon"_a, "spatial"_a,
           "scale"_a, "shift"_a, "activation"_a)
      .def(
          "add_dropout",
          [](CpuNetwork& self, Register in, int layer) {
            check(self.add_dropout(in, layer), "a dropout");
          },
          "in_"_a, "layer"_a)
      .def(
          "set_outputs",
          [](CpuNetwork& self, Register moves, Register passing, Register value, Register misc,
             Register ownership) {
            check(self.set_outputs({moves, passing, value, misc, ownership}), "an output");
          },
          nb::kw_only(), "moves"_a, "passing"_a = kNone, "value"_a, "misc"_a = kNone,
          "ownership"_a = kNone);

  nb::class_<ProcessorTurns>(m, "ProcessorTurns",
                             "The turns of a process's searches at its processor's cores.")
      .def(
          "__init__",
          [](ProcessorTurns* self, int cores) {
            new (self) ProcessorTurns(checked("cores", cores, 1, kMostThreads));
          },
          "cores"_a)
      .def_prop_ro("cores", &ProcessorTurns::cores);

  nb::class_<CpuWorkers>(m, "CpuWorkers", "Threads that run a network.")
      .def(
          "__init__",
          [](CpuWorkers* self, std::shared_ptr<const CpuNetwork> network, int threads,
             std::shared_ptr<ProcessorTurns> turns) {
            checked("threads", threads, 1, kMostThreads);
            new (self) CpuWorkers(std::move(network), threads, std::move(turns));
          },
          "network"_a, "threads"_a, "turns"_a);

  nb::class_<CpuRows>(m, "CpuRows", "A slot's arrays, evaluated in place by the workers.")
      .def("__init__", &make_rows, "workers"_a, "spatial"_a, "globals"_a, "metadata"_a,
           "optimism"_a, "policy"_a, "value"_a, "misc"_a, "ownership"_a)
      .def("start", &start, "rows"_a, "dropout"_a = 0.0, "dropout_seed"_a = 0)
      .def(
          "wait", [](CpuRows& self) { self.slot.wait(); },
          nb::call_guard<nb::gil_scoped_release>());

  nb::class_<CpuFlights>(m, "CpuFlights", "The slots of one search; run by its tree.")
      .def(
          "__init__",
          [](CpuFlights* self, std::vector<std::shared_ptr<CpuRows>> rows) {
            for (std::size_t number = 0; number < rows.size(); ++number) {
              check_slot(static_cast<int>(number));
              if (!rows[number]) refuse("a slot is None");
            }
            std::vector<CpuSlot*> slots;
            for (const auto& each : rows) slots.push_back(&each->slot);
            new (self) CpuFlights{std::move(rows), Flights(std::move(slots))};
          },
          "rows"_a)
      .def(
          "reset",
          [](CpuFlights& self) {
            for (const auto& each : self.rows) each->slot.wait();
            self.flights.reset();
          },
          nb::call_guard<nb::gil_scoped_release>(), "Makes all slots idle.")
      .def_prop_ro(
          "waiting",
          [](const CpuFlights& self) {
            return std::vector<int>(self.flights.waiting.begin(), self.flights.waiting.end());
          },
          "The numbers of the slots in evaluation, the oldest first.")
      .def(
          "take_work",
          [](CpuFlights& self) {
            Flights& flights = self.flights;
            const double seconds = std::exchange(flights.workers_seconds, 0.0) +
                                   std::exchange(flights.client.seconds, 0.0);
            return std::tuple{std::exchange(flights.batches, {}),
                              std::exchange(flights.wait_seconds, 0.0), seconds};
          },
          "Returns the work since the last call: the finished batches by their rows, [rows]; the "
          "seconds of the caller's wait for them and for a core; the processor seconds.");
}

}  // namespace sparring
