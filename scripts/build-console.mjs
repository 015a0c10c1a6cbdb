// Bundles the web console from `console/` into files that the server sends as they are.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { rolldown } from "rolldown";

const projectFolder = fileURLToPath(new URL("..", import.meta.url));

/**
 * Replaces the descriptors of validation rules and of RPC options by empty files of the same names,
 * and leaves these options out of all other descriptors. Only the server reads them, and they would
 * be a third of the bundle.
 */
const optionsLeftOut = {
  name: "options-left-out",
  load: {
    filter: { id: /gen\/ts\/.*_pb\.js$/ },
    /** @param {string} path */
    handler(path) {
      const name = path.replace(/^.*gen\/ts\//, "").replace(/_pb\.js$/, "");
      const source = readFileSync(path, "utf8");
      if (!/^(?:buf\/validate\/validate|vademecum\/v1\/options)$/.test(name))
        return source.replace(
          /fileDesc\("([^"]+)"/,
          (_, encoded) => `fileDesc("${withoutOptions(encoded)}"`,
        );
      const file = create(FileDescriptorProtoSchema, { name: `${name}.proto` });
      return [
        `import { fileDesc } from "@bufbuild/protobuf/codegenv2";`,
        `export const file_${name.replaceAll("/", "_")} = fileDesc("${encode(file)}");`,
      ].join("\n");
    },
  },
};

/** @param {import("@bufbuild/protobuf/wkt").FileDescriptorProto} file */
function encode(file) {
  return Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString("base64");
}

/**
 * Returns the descriptor of a file without options, except those that make a map of a field.
 * @param {string} encoded
 */
function withoutOptions(encoded) {
  const file = fromBinary(FileDescriptorProtoSchema, Buffer.from(encoded, "base64"));
  /** @param {import("@bufbuild/protobuf/wkt").DescriptorProto} message */
  const strip = (message) => {
    if (message.options?.mapEntry !== true) delete message.options;
    for (const part of [...message.field, ...message.oneofDecl, ...message.enumType])
      delete part.options;
    for (const nested of message.nestedType) strip(nested);
  };
  for (const message of file.messageType) strip(message);
  for (const service of file.service) for (const method of service.method) delete method.options;
  return encode(file);
}

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
    plugins: [optionsLeftOut],
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
