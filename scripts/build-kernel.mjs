// Compiles the kernels from AssemblyScript to WebAssembly in gen/wasm. The compiled files are in
// the repository, so that users need no compiler. scripts/check-generated.mjs compares these files
// with their sources.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const kernels = [
  { source: "src/index/vector/scan.as.ts", output: "gen/wasm/scan.wasm" },
  { source: "src/index/vector/signs.as.ts", output: "gen/wasm/signs.wasm" },
  { source: "src/embed/static/model-rows.as.ts", output: "gen/wasm/model-rows.wasm" },
];

// A kernel gets its memory from its caller and allocates nothing, so it needs no runtime.
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
