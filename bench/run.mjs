// Builds the server and the benchmarks, and runs one benchmark.
// Usage: node bench/run.mjs NAME [ARGUMENT ...]
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Flags of Node for the benchmarks that need them.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const nodeFlags = {
  providers: ["--expose-gc"],
  scale: ["--max-old-space-size=12288"],
};

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const names = readdirSync(join(projectFolder, "bench"))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length));

const [name = "", ...args] = process.argv.slice(2);
if (names.includes(name)) {
  run([join("scripts", "prepare.mjs")]);
  const compiler = createRequire(import.meta.url).resolve("typescript/package.json");
  run([join(dirname(compiler), "bin", "tsc"), "-p", "tsconfig.bench.json"]);
  run([...(nodeFlags[name] ?? []), join("bench", "dist", "bench", `${name}.js`), ...args]);
} else {
  process.stderr.write(`Usage: npm run bench:NAME -- [ARGUMENT ...]\nNAME: ${names.join(", ")}\n`);
  process.exitCode = 2;
}

/**
 * Runs Node in the project's folder, and exits with its code when it fails.
 * @param {readonly string[]} nodeArgs
 */
function run(nodeArgs) {
  const { status, error } = spawnSync(process.execPath, [...nodeArgs], {
    cwd: projectFolder,
    stdio: "inherit",
  });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
