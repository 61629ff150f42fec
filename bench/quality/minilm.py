"""Write the ONNX graph of all-MiniLM-L6-v2 that lamella ships, from the weights in a folder.

    python -m bench.quality.minilm FOLDER

The graph contains no weights. It refers to their offsets in `model.safetensors` as ONNX's "external data", so the
file needs no conversion or copy. The input of the graph is the tokens of a single text, so there is no padding to
mask. The output is the vector of the text.

8-bit weights can't be used: on processors whose 8-bit products saturate (AVX2), similarities differed by 0.03. So
machines that share a storage would compute different vectors for the same text.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import lamella_adapters.embedders.minilm

GRAPH: Final = Path(lamella_adapters.embedders.minilm.__file__).with_name("model.onnx")

_WEIGHTS: Final = "model.safetensors"
_LAYERS, _HEADS, _WIDTH, _EPSILON = 6, 12, 384, 1e-12
_OPSET: Final = 20
"""The first version of ONNX's operator set with `Gelu`."""
_IR_VERSION: Final = 9
"""Version of the file format released with that operator set, so that each runtime supports both or neither."""


class Graph:
    """ONNX graph under construction. Each method returns the name of its result.

    Attributes:
        tensors: Shape and offsets of each tensor, from the header of the file of weights.
        start: Offset of the first tensor in the file.
    """

    def __init__(self, tensors: Mapping[str, Mapping[str, Any]], start: int) -> None:
        self.tensors, self.start = tensors, start
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def node(self, operator: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        """Add a node."""
        made = name or f"{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [made], **attributes))
        return made

    def constant(self, name: str, value: Any, kind: Any = np.int64) -> str:
        """Add a constant, once for each name."""
        self.constants.setdefault(name, numpy_helper.from_array(np.array(value, kind), name))
        return name

    def weights(self, name: str) -> str:
        """Add a tensor from the file of weights."""
        begin, end = self.tensors[name]["data_offsets"]
        tensor = TensorProto(
            name=name,
            data_type=TensorProto.FLOAT,
            dims=self.tensors[name]["shape"],
            data_location=TensorProto.EXTERNAL,
        )
        for key, value in {"location": _WEIGHTS, "offset": self.start + begin, "length": end - begin}.items():
            tensor.external_data.add(key=key, value=f"{value}")
        self.constants.setdefault(name, tensor)
        return name

    def dense(self, layer: str, before: str) -> str:
        """Add a linear layer."""
        return self.node("Gemm", before, self.weights(f"{layer}.weight"), self.weights(f"{layer}.bias"), transB=1)

    def normalised(self, layer: str, *added: str) -> str:
        """Add nodes for the sum of `added`, followed by layer normalisation."""
        scale, bias = (self.weights(f"{layer}.{each}") for each in ("weight", "bias"))
        return self.node("LayerNormalization", self.node("Add", *added), scale, bias, epsilon=_EPSILON)

    def model(self, output: str) -> onnx.ModelProto:
        """Return the finished model, which maps the tokens of a text to the vector of the text."""
        taken = helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])
        made = helper.make_tensor_value_info(output, TensorProto.FLOAT, [1, _WIDTH])
        graph = helper.make_graph(self.nodes, "all-MiniLM-L6-v2", [taken], [made], [*self.constants.values()])
        opsets = [helper.make_opsetid("", _OPSET)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION)


def bert(weights: Path) -> onnx.ModelProto:
    """Return BERT (Devlin et al., 2019), with the names of weights used by the package transformers."""
    with weights.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        graph = Graph(json.loads(file.read(length)), 8 + length)

    def by_head(layer: str, before: str, axes: Sequence[int]) -> str:
        heads = graph.constant("heads", [0, _HEADS, _WIDTH // _HEADS])
        return graph.node("Transpose", graph.node("Reshape", graph.dense(layer, before), heads), perm=axes)

    first = graph.constant("first", [0])
    tokens = graph.node("Squeeze", "input_ids", first)
    words = graph.node("Gather", graph.weights("embeddings.word_embeddings.weight"), tokens)
    kind = graph.node(
        "Gather", graph.weights("embeddings.token_type_embeddings.weight"), graph.constant("zero", 0)
    )
    positions = graph.weights("embeddings.position_embeddings.weight")
    places = graph.node("Slice", positions, first, graph.node("Shape", tokens))
    state = graph.normalised("embeddings.LayerNorm", graph.node("Add", words, kind), places)
    scale = graph.constant("scale", (_WIDTH // _HEADS) ** -0.5, np.float32)
    whole = graph.constant("whole", [0, _WIDTH])
    for number in range(_LAYERS):
        layer = f"encoder.layer.{number}"
        query = by_head(f"{layer}.attention.self.query", state, [1, 0, 2])
        key = by_head(f"{layer}.attention.self.key", state, [1, 2, 0])
        value = by_head(f"{layer}.attention.self.value", state, [1, 0, 2])
        scores = graph.node("Mul", graph.node("MatMul", query, key), scale)
        seen = graph.node("MatMul", graph.node("Softmax", scores, axis=-1), value)
        joined = graph.node("Reshape", graph.node("Transpose", seen, perm=[1, 0, 2]), whole)
        attended = graph.dense(f"{layer}.attention.output.dense", joined)
        state = graph.normalised(f"{layer}.attention.output.LayerNorm", attended, state)
        wide = graph.node("Gelu", graph.dense(f"{layer}.intermediate.dense", state))
        state = graph.normalised(f"{layer}.output.LayerNorm", graph.dense(f"{layer}.output.dense", wide), state)
    return graph.model(graph.node("ReduceMean", state, first, name="sentence_embedding"))


def main() -> None:
    """Write the graph."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help=f"a folder with {_WEIGHTS}")
    model = bert(parser.parse_args().folder / _WEIGHTS)
    GRAPH.write_bytes(model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
