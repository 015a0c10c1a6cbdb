import { readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { ConfigError } from "../config/config.js";
import { errorText } from "../core/model/errors.js";
import { packageFolder } from "../edge/package-folder.js";
import type { ConsoleFile, ConsoleFiles } from "../rpc/listen/console-pages.js";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const encodings = { ".br": "br", ".gz": "gzip" } as const;

/**
 * Reads the files of the web console, which the build has made. A request can therefore name only
 * a file of this list, never a path on the disk.
 *
 * @throws ConfigError when the files are missing
 */
export function readConsoleFiles(folder = join(packageFolder, "dist", "console")): ConsoleFiles {
  const files = new Map<string, ConsoleFile>();
  for (const name of namesIn(folder)) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const path = name.split(sep).join("/");
    const encoded = new Map<"br" | "gzip", Buffer>();
    for (const [ending, encoding] of Object.entries(encodings))
      if (path !== "index.html") encoded.set(encoding, readFileSync(join(folder, name + ending)));
    const file = { type, bytes: readFileSync(join(folder, name)), encoded };
    files.set(path === "index.html" ? "" : path, file);
  }
  return files;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch (error) {
    throw new ConfigError([
      `--console: cannot read the files of the console: ${errorText(error)}. Build them with ` +
        "`npm run build`, or start without them: --console off",
    ]);
  }
}
