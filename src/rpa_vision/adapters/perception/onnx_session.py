"""One way to open an ONNX model: on the CPU, deterministic, quiet, and out of the way of the person's own work."""

from __future__ import annotations

from typing import Any


def cpu_session(model: bytes, threads: int) -> Any:
    """A session over a model. What onnxruntime raises is of many types of its own; the caller says what it means."""
    import onnxruntime  # heavy: only when a model is really used

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.use_deterministic_compute = True
    # With a plan of the memory for each size of input, the second picture of a size gets new memory as the plan has it,
    # beside that of the first: pages that the system has to clear, which took half as long as the work itself.
    options.enable_mem_pattern = False
    options.log_severity_level = 4  # what goes wrong is raised
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # the person's own work comes first
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
