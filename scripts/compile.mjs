import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const projectFolder = fileURLToPath(new URL("..", import.meta.url));

/**
 * What a program loads when it runs: packages with native parts or with parts that have no licence
 * file (`pg`), and files of this package.
 */
const external = [
  /^(?:classic-level|hnswlib-node|msgpackr|onnxruntime-node|pg)(?:\/|$)/,
  /^#(?:dist|wasm)\/|^#package\.json$/,
];

/**
 * Leaves packages out of the source maps. Node reads the maps at each start, and a stack trace must
 * name only our own sources.
 */
const packagesUnmapped = {
  name: "packages-unmapped",
  transform: {
    filter: { id: /node_modules/ },
    /** @param {string} code */
    handler: (code) => ({ code, map: { version: 3, sources: [], names: [], mappings: "" } }),
  },
};

/**
 * Compiles programs from TypeScript to JavaScript. Each program gets one file, and shares the files
 * of `chunks/` with the others. Does not check types; `npm run types` does.
 *
 * @param {Readonly<Record<string, string>>} programs the source of each program, by the path of its
 *   output without `.js`
 * @param {string} folder the folder of the output, inside the project: `imports` of package.json
 *   must apply there
 * @returns the paths of all modules in the output
 */
export async function compile(programs, folder) {
  const bundle = await rolldown({
    cwd: projectFolder,
    input: { ...programs },
    platform: "node",
    external,
    // Its paths lead to type declarations.
    tsconfig: false,
    transform: { target: "node20" },
    plugins: [packagesUnmapped],
    logLevel: "warn",
  });
  const { output } = await bundle.write({
    dir: folder,
    format: "esm",
    sourcemap: true,
    sourcemapExcludeSources: true,
    comments: { jsdoc: false },
    chunkFileNames: "chunks/[name]-[hash].js",
  });
  await bundle.close();
  for (const file of output)
    if (file.type === "asset") removeIfEmptyMap(join(folder, file.fileName));
  return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
}

/**
 * Removes the source map of a file that has only packages.
 * @param {string} path
 */
function removeIfEmptyMap(path) {
  if (!path.endsWith(".js.map") || /[^;,]/.test(JSON.parse(readFileSync(path, "utf8")).mappings))
    return;
  rmSync(path);
  const code = path.slice(0, -".map".length);
  writeFileSync(code, readFileSync(code, "utf8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"));
}

/**
 * Compiles a module of `src`, and imports it.
 *
 * @param {string} source the path of the module, relative to the project
 * @param {(module: any) => any} use is called with the exports of the module while it can still
 *   import others. By default, returns the exports
 * @returns {Promise<any>} what `use` returns
 */
export async function importSource(source, use = (module) => module) {
  const folder = mkdtempSync(join(projectFolder, ".dist-source-"));
  try {
    await compile({ source }, folder);
    return await use(await import(pathToFileURL(join(folder, "source.js")).href));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
