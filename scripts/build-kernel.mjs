// Compiles the vector kernel, src/index/vector/scan.as.ts, to gen/wasm/scan.wasm. The result is
// committed, so that the service runs without a compiler. scripts/check-generated.mjs compares the
// result with the source.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const source = "src/index/vector/scan.as.ts";
const output = "gen/wasm/scan.wasm";

// The caller passes the memory and decides its layout. Without allocations, no runtime is needed.
const options = [
  "--optimizeLevel",
  "3",
  "--enable",
  "simd",
  "--runtime",
  "stub",
  "--noAssert",
  "--importMemory",
  "--noExportMemory",
];

const { error } = await asc.main(
  [source, "--outFile", output, "--baseDir", projectFolder, ...options],
  { stderr: process.stderr },
);
if (error) {
  process.stderr.write(`${join(projectFolder, source)} does not compile: ${error.message}\n`);
  process.exit(1);
}
