"""Names of the inference backends and precisions, as options and players' texts spell them.

The module imports neither numpy nor torch, as commands must start fast.
"""

BACKENDS = ("auto", "cuda", "native", "openvino", "torch")
PRECISIONS = ("auto", "fp32", "bf16", "fp16", "int16", "int8")
