import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

const dimension = 32;
const specialTokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
const words =
  "my sister keeps three horses on farm live the of invoice has to be paid by bank transfer something else entirely".split(
    " ",
  );
const vocabulary = [
  ...specialTokens,
  ...letters,
  ...letters.map((letter) => `##${letter}`),
  ...words,
  ".",
];

/** Options of a model. */
export interface TinyModelOptions {
  /** Whether vectors depend on the other texts of the run, as in some quantised models. */
  readonly mixesTexts?: boolean;
  /** Names of the model's inputs. */
  readonly inputs?: readonly string[];
  /** Name of the model's output. The name determines the output's dimensions. */
  readonly output?: "last_hidden_state" | "sentence_embedding";
  /** Files to add or to replace: content by path. `undefined` leaves the file out. */
  readonly files?: Readonly<Record<string, string | undefined>>;
}

/** A sentence transformer in a temporary folder. */
export interface TinyModel {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/**
 * Writes a model that knows letters and a few words. The vector of a token is its row in a table of
 * random numbers.
 */
export async function writeTinyModel(options: TinyModelOptions = {}): Promise<TinyModel> {
  const parent = await mkdtemp(join(tmpdir(), "vademecum-onnx-"));
  const folder = join(parent, "tiny model");
  const files: Readonly<Record<string, string | Uint8Array | undefined>> = {
    "model.onnx": modelBytes(options),
    "tokenizer.json": JSON.stringify(tokenizerDefinition()),
    ...options.files,
  };
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return { folder, remove: () => rm(parent, { recursive: true }) };
}

function tokenizerDefinition(): object {
  const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  return {
    added_tokens: specialTokens.map((content, id) => ({
      id,
      content,
      special: true,
      normalized: false,
    })),
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: true,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [special("[CLS]"), { Sequence: { id: "A", type_id: 0 } }, special("[SEP]")],
      pair: [],
      special_tokens: Object.fromEntries(
        ["[CLS]", "[SEP]"].map((id) => [id, { id, ids: [vocabulary.indexOf(id)], tokens: [id] }]),
      ),
    },
    decoder: { type: "WordPiece", prefix: "##" },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
    },
  };
}

/** Numbers of data types in onnx.proto. */
const dataTypes = { float: 1, int64: 7 };

/** Encodes a `ModelProto` of onnx.proto. Its graph looks up the rows of `input_ids` in a table. */
function modelBytes({
  mixesTexts = false,
  inputs = ["input_ids", "attention_mask"],
  output = "last_hidden_state",
}: TinyModelOptions): Uint8Array {
  const tokens = "tokens";
  const last = mixesTexts ? "mixed" : tokens;
  const nodes = [node("Gather", ["table", "input_ids"], tokens)];
  if (mixesTexts)
    nodes.push(
      node("ReduceMean", [tokens], "mean", { keepdims: 0 }),
      node("Add", [tokens, "mean"], last),
    );
  nodes.push(
    output === "last_hidden_state"
      ? node("Identity", [last], output)
      : node("ReduceMax", [last], output, { axes: 1, keepdims: 0 }),
  );
  const graph = message((writer) => {
    for (const bytes of nodes) put(writer, 1, bytes);
    writer.tag(2, WireType.LengthDelimited).string("tiny");
    put(writer, 5, table());
    for (const name of inputs) put(writer, 11, valueInfo(name, "int64", ["batch", "sequence"]));
    put(
      writer,
      12,
      valueInfo(
        output,
        "float",
        output === "last_hidden_state" ? ["batch", "sequence", dimension] : ["batch", dimension],
      ),
    );
  });
  return message((writer) => {
    writer.tag(1, WireType.Varint).int64(8);
    put(writer, 7, graph);
    put(
      writer,
      8,
      message((opset) => opset.tag(2, WireType.Varint).int64(13)),
    );
  });
}

function node(
  type: string,
  inputs: readonly string[],
  output: string,
  attributes: Readonly<Record<string, number>> = {},
): Uint8Array {
  return message((writer) => {
    for (const name of inputs) writer.tag(1, WireType.LengthDelimited).string(name);
    writer.tag(2, WireType.LengthDelimited).string(output);
    writer.tag(4, WireType.LengthDelimited).string(type);
    for (const [name, value] of Object.entries(attributes)) {
      const isList = name === "axes";
      put(
        writer,
        5,
        message((attribute) => {
          attribute.tag(1, WireType.LengthDelimited).string(name);
          attribute.tag(isList ? 8 : 3, WireType.Varint).int64(value);
          attribute.tag(20, WireType.Varint).int32(isList ? 7 : 2);
        }),
      );
    }
  });
}

/** Encodes the table: one row for each token. The rows of special tokens are zeros. */
function table(): Uint8Array {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  const rows = vocabulary.flatMap((token) =>
    Array.from({ length: dimension }, () => (specialTokens.includes(token) ? 0 : random())),
  );
  return message((writer) => {
    for (const size of [vocabulary.length, dimension]) writer.tag(1, WireType.Varint).int64(size);
    writer.tag(2, WireType.Varint).int32(dataTypes.float);
    writer.tag(8, WireType.LengthDelimited).string("table");
    writer.tag(9, WireType.LengthDelimited).bytes(new Uint8Array(Float32Array.from(rows).buffer));
  });
}

function valueInfo(
  name: string,
  type: keyof typeof dataTypes,
  sizes: readonly (string | number)[],
): Uint8Array {
  const shape = message((writer) => {
    for (const size of sizes) {
      const dimensionBytes = message((inner) =>
        typeof size === "number"
          ? inner.tag(1, WireType.Varint).int64(size)
          : inner.tag(2, WireType.LengthDelimited).string(size),
      );
      put(writer, 1, dimensionBytes);
    }
  });
  const tensor = message((writer) => {
    writer.tag(1, WireType.Varint).int32(dataTypes[type]);
    put(writer, 2, shape);
  });
  return message((writer) => {
    writer.tag(1, WireType.LengthDelimited).string(name);
    put(
      writer,
      2,
      message((inner) => put(inner, 1, tensor)),
    );
  });
}

function message(write: (writer: BinaryWriter) => unknown): Uint8Array {
  const writer = new BinaryWriter();
  write(writer);
  return writer.finish();
}

function put(writer: BinaryWriter, field: number, bytes: Uint8Array): void {
  writer.tag(field, WireType.LengthDelimited).bytes(bytes);
}
