// Compiles the kernels, which are written in AssemblyScript, to gen/wasm. The results are
// committed, so that the service runs without a compiler. scripts/check-generated.mjs compares the
// results with the sources.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const kernels = [
  { source: "src/index/vector/scan.as.ts", output: "gen/wasm/scan.wasm" },
  { source: "src/embed/static/similar-rows.as.ts", output: "gen/wasm/similar-rows.wasm" },
];

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

for (const { source, output } of kernels) {
  const { error } = await asc.main(
    [source, "--outFile", output, "--baseDir", projectFolder, ...options],
    { stderr: process.stderr },
  );
  if (error) {
    process.stderr.write(`${join(projectFolder, source)} does not compile: ${error.message}\n`);
    process.exit(1);
  }
}
