"""How the shipped text reader is made: rendered lines in, one small ONNX file out."""
