"""Small sentence transformers in ONNX, made on the spot: a random vector for each word, and no network."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import quantize_dynamic
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

WIDTH = 64
"""So wide that random vectors are nearly at right angles."""

UNKNOWN = "[UNK]"
MARKS = ("[PAD]", UNKNOWN, "[CLS]", "[SEP]")
WORDS = (
    "a", "and", "bring", "brings", "by", "colour", "connection", "database", "did", "does", "everybody",
    "flight", "floor", "friday", "happened", "hashes", "her", "in", "is", "it", "kitchen", "large", "leave",
    "leaves", "lisbon", "meeting", "memory", "morning", "of", "on", "paint", "painted", "passwords",
    "question", "room", "salted", "second", "she", "store", "takes", "the", "timed", "timeout", "to",
    "tuesday", "walls", "was", "we", "were", "what", "when", "which", "word", "words", "yellow",
)  # fmt: skip
VOCABULARY = {word: number for number, word in enumerate((*MARKS, *WORDS))}

TABLE = np.random.default_rng(7).normal(size=(len(VOCABULARY), WIDTH)).astype(np.float32)
TURN = np.linalg.qr(np.random.default_rng(8).normal(size=(WIDTH, WIDTH)))[0].astype(np.float32)


def write_graph(
    path: Path,
    *,
    table: np.typing.NDArray[np.float32] = TABLE,
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
    outputs: Sequence[str] = ("last_hidden_state",),
    eight_bits: bool = False,
) -> None:
    """Write a graph that looks up each token, and rotates its vector.

    `outputs` are of `last_hidden_state` (tokens), `sentence_embedding` (their sum) and `sizes` (a text's shape).
    """
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["looked_up"]),
        helper.make_node("MatMul", ["looked_up", "turn"], ["last_hidden_state"]),
        helper.make_node("ReduceSum", ["last_hidden_state", "tokens_axis"], ["sentence_embedding"], keepdims=0),
        helper.make_node("Shape", ["input_ids"], ["sizes"]),
    ]
    constants = [
        numpy_helper.from_array(table, "table"),
        numpy_helper.from_array(TURN, "turn"),
        numpy_helper.from_array(np.array([1], np.int64), "tokens_axis"),
    ]
    kinds = {"sizes": TensorProto.INT64}
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in inputs],
        [helper.make_tensor_value_info(name, kinds.get(name, TensorProto.FLOAT), None) for name in outputs],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    if eight_bits:
        quantize_dynamic(model, path)
    else:
        onnx.save(model, path)


def tiny_tokenizer() -> Tokenizer:
    """Return a tokenizer of whole words that adds start and end tokens."""
    tokenizer = Tokenizer(models.WordLevel(VOCABULARY, unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    marks = [(mark, VOCABULARY[mark]) for mark in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=marks)
    return tokenizer


def write_model(folder: Path, *, eight_bits: bool = False) -> Path:
    """Write a complete model into `folder`."""
    write_graph(folder / "model.onnx", eight_bits=eight_bits)
    tiny_tokenizer().save(str(folder / "tokenizer.json"))
    return folder
