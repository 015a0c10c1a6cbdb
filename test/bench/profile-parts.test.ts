import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sharesOf } from "../../bench/profile/parts.js";

const projectFolder = join(import.meta.dirname, "..", "..");

/** Returns the part of the server to which a profile adds the time of a file of the project. */
function partOf(file: string): string | undefined {
  const url = `file:///app/${file}`;
  const callFrame = { functionName: "f", url };
  const profile = { nodes: [{ id: 1, callFrame }], samples: [1], timeDeltas: [1] };
  return sharesOf(profile, 0).parts[0]?.name;
}

it.each([
  ["dist/core/search/pack.js", "packing and tokens"],
  ["dist/core/search/pack-excerpt.js", "packing and tokens"],
  ["dist/core/search/excerpt.js", "packing and tokens"],
  ["dist/core/search/rendering.js", "packing and tokens"],
  ["dist/tokens/o200k-token-counter.js", "packing and tokens"],
  ["dist/core/search/rank.js", "ranking"],
  ["dist/core/search/signals/author.js", "ranking"],
  ["node_modules/@marcbachmann/cel-js", "ranking"],
  ["dist/core/text/words.js", "text analysis"],
  ["dist/index/keyword/analyzer.js", "text analysis"],
  ["dist/index/keyword/stemmers.js", "text analysis"],
  ["node_modules/@orama/stemmers", "text analysis"],
  ["node_modules/porter2", "text analysis"],
  ["node_modules/chrono-node", "text analysis"],
  ["dist/index/keyword/keyword-index.js", "index and kernel"],
  ["node_modules/hnswlib-node", "index and kernel"],
  ["dist/embed/static", "embedding"],
  ["node_modules/@huggingface/tokenizers", "embedding"],
  ["node_modules/onnxruntime-node", "embedding"],
  ["node_modules/classic-level", "store"],
  ["node_modules/pg", "store"],
  ["node_modules/msgpackr", "store"],
  ["node_modules/@bufbuild/protovalidate", "validation"],
  ["node_modules/@bufbuild/cel", "validation"],
  ["node_modules/@bufbuild/protobuf", "protobuf"],
  ["node_modules/pino", "other packages"],
])("a profile adds the time of %s to the part %s", (file, part) => {
  const source = file.replace(/^dist\/(.*)\.js$/, "src/$1.ts").replace(/^dist\//, "src/");
  expect(existsSync(join(projectFolder, source))).toBe(true);
  expect(partOf(file.endsWith(".js") ? file : `${file}/x.js`)).toBe(part);
});
