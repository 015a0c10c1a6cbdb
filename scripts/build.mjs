// Builds `dist` from `src` and `console`, and adds the vocabulary of the token counter. If the
// build fails, the previous `dist` stays.
import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ranks from "gpt-tokenizer/bpeRanks/o200k_base";
import { buildConsole } from "./build-console.mjs";
import { compile, importSource } from "./compile.mjs";
import { licencesOf } from "./licences.mjs";
import { sourceDigest, stampName } from "./source-digest.mjs";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(projectFolder, "dist");
// Both folders are beside `dist`, so that relative paths stay right after a rename.
const next = join(projectFolder, ".dist-next");
const last = join(projectFolder, ".dist-last");

// Computed before the compilation. If sources change during the compilation, this digest is then
// stale, so the next start builds again.
const digest = sourceDigest(projectFolder);
for (const folder of [next, last]) rmSync(folder, { recursive: true, force: true });

const modules = await compile(
  {
    main: "src/main.ts",
    "graph-worker": "src/index/graph/graph-worker-entry.ts",
    "inference-worker": "src/embed/onnx/inference-worker.ts",
  },
  next,
);
const consoleModules = await buildConsole(join(next, "console"));
const { encodeVocabulary } = await importSource("src/tokens/vocabulary.ts");
writeFileSync(join(next, "o200k_base.bin"), encodeVocabulary(ranks));
writeFileSync(join(next, "LICENCES.txt"), licencesOf([...modules, ...consoleModules]));
chmodSync(join(next, "main.js"), 0o755);
writeFileSync(join(next, stampName), digest);
if (existsSync(dist)) renameSync(dist, last);
renameSync(next, dist);
rmSync(last, { recursive: true, force: true });
