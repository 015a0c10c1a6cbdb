import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, writeFileDurably } from "./folder.js";

/** Opens the file of a data folder that says which users and runs have moved to other servers. */
export function openMovesFile(folder: string): {
  read(): Promise<string | undefined>;
  write(content: string): Promise<void>;
} {
  const path = join(folder, "moves.json");
  return {
    async read() {
      try {
        return await readFile(path, "utf8");
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    write: (content) => writeFileDurably(folder, path, content),
  };
}
