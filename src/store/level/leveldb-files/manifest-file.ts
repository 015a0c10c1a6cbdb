import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** The manifest that a LevelDB folder uses. */
export interface ManifestFile {
  readonly name: string;
  readonly path: string;
  readonly number: number;
}

/** The manifest that `CURRENT` names; `undefined` if it names none. Throws ENOENT if there is no `CURRENT`. */
export async function currentManifest(folder: string): Promise<ManifestFile | undefined> {
  const match = /^(MANIFEST-(\d+))\n$/.exec(await readFile(join(folder, "CURRENT"), "latin1"));
  const [, name, digits] = match ?? [];
  return name === undefined
    ? undefined
    : { name, path: join(folder, name), number: Number(digits) };
}

/** Watches a manifest that LevelDB appends to, so that its size can be noted once it is durable. */
export interface ManifestWatch {
  /** The size so far, after making sure that a power cut cannot take it back. */
  durableBytes(): Promise<number>;
}

export function watchManifest({ path }: ManifestFile): ManifestWatch {
  let durable = 0;
  return {
    async durableBytes() {
      const { size } = await stat(path);
      if (size !== durable) {
        const file = await open(path, "r");
        try {
          await file.datasync();
        } finally {
          await file.close();
        }
        durable = size;
      }
      return durable;
    },
  };
}
