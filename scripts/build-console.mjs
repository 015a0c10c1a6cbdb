// Bundles the web console from `console/` into files that the server sends as they are.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { cutDescriptors } from "./console-descriptors.mjs";

const projectFolder = fileURLToPath(new URL("..", import.meta.url));

/**
 * Writes the console into a folder: `index.html`, and in `a/` its script, its styles and its icon,
 * whose names contain the hash of their content. Each file in `a/` is also there in the encodings
 * brotli (`.br`) and gzip (`.gz`).
 *
 * @param {string} folder
 * @returns the paths of all modules in the script
 */
export async function buildConsole(folder) {
  mkdirSync(join(folder, "a"), { recursive: true });
  const { code, modules } = await bundleScript();
  const source = (/** @type {string} */ name) =>
    readFileSync(join(projectFolder, "console", name), "utf8");
  const paths = {
    SCRIPT: writeAsset(folder, code, "js"),
    STYLE: writeAsset(folder, withoutComments(source("style.css")), "css"),
    ICON: writeAsset(folder, source("icon.svg"), "svg"),
  };
  const page = source("index.html").replaceAll(
    /\$(SCRIPT|STYLE|ICON)/g,
    (_, name) => paths[/** @type {keyof typeof paths} */ (name)],
  );
  writeFileSync(join(folder, "index.html"), page);
  return modules;
}

async function bundleScript() {
  const bundle = await rolldown({
    cwd: projectFolder,
    input: join("console", "src", "main.tsx"),
    platform: "browser",
    tsconfig: false,
    transform: { target: "es2023", jsx: { runtime: "automatic", importSource: "preact" } },
    plugins: [
      cutDescriptors(join(projectFolder, "gen", "ts"), join(projectFolder, "console", "src")),
    ],
    logLevel: "warn",
  });
  const { output } = await bundle.generate({
    format: "esm",
    minify: true,
    comments: { jsdoc: false, legal: false },
    codeSplitting: false,
  });
  await bundle.close();
  const [script] = output;
  return { code: script.code, modules: script.moduleIds };
}

/** @param {string} css */
function withoutComments(css) {
  return css.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/\n\s*/g, "\n");
}

/**
 * Writes a file in all encodings, and returns its path in the console.
 * @param {string} folder
 * @param {string} content
 * @param {string} ending
 */
function writeAsset(folder, content, ending) {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  const path = `a/${hash}.${ending}`;
  writeFileSync(join(folder, path), content);
  writeFileSync(join(folder, `${path}.br`), brotliCompressSync(content));
  writeFileSync(join(folder, `${path}.gz`), gzipSync(content, { level: 9 }));
  return path;
}
