import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** The current manifest of a LevelDB folder. */
export interface ManifestFile {
  readonly name: string;
  readonly path: string;
  readonly number: number;
}

/**
 * Returns the manifest that `CURRENT` names; `undefined` if it names none. Throws ENOENT if there
 * is no `CURRENT`.
 */
export async function currentManifest(folder: string): Promise<ManifestFile | undefined> {
  const match = /^(MANIFEST-(\d+))\n$/.exec(await readFile(join(folder, "CURRENT"), "latin1"));
  const [, name, digits] = match ?? [];
  return name === undefined
    ? undefined
    : { name, path: join(folder, name), number: Number(digits) };
}

/** Watches the growth of a manifest, so that its durable size can be recorded. */
export interface ManifestWatch {
  /** Syncs the manifest and returns its size. A power cut cannot make it smaller. */
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
