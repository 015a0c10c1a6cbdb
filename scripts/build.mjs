// Builds `dist` from `src`, and adds the vocabulary of the token counter. If the build fails, the
// previous `dist` stays.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ranks from "gpt-tokenizer/bpeRanks/o200k_base";
import { sourceDigest, stampName } from "./source-digest.mjs";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(projectFolder, "dist");
// Both folders are beside `dist`, so that relative paths and source maps stay right after a rename.
const next = join(projectFolder, ".dist-next");
const last = join(projectFolder, ".dist-last");

// Computed before the compilation. If sources change during the compilation, this digest is then
// stale, so the next start builds again.
const digest = sourceDigest(projectFolder);
for (const folder of [next, last]) rmSync(folder, { recursive: true, force: true });

const compiler = join(
  dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin",
  "tsc",
);
const { status } = spawnSync(
  process.execPath,
  [compiler, "-p", "tsconfig.build.json", "--outDir", next],
  {
    cwd: projectFolder,
    stdio: "inherit",
  },
);
if (status !== 0) process.exit(status ?? 1);

const { encodeVocabulary } = await import(
  pathToFileURL(join(next, "tokens", "vocabulary.js")).href
);
writeFileSync(join(next, "tokens", "o200k_base.bin"), encodeVocabulary(ranks));
chmodSync(join(next, "main.js"), 0o755);
writeFileSync(join(next, stampName), digest);
if (existsSync(dist)) renameSync(dist, last);
renameSync(next, dist);
rmSync(last, { recursive: true, force: true });
