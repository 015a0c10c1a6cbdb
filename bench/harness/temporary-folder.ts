import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder. Disposing deletes it with its contents. */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
}

/** Creates an empty folder in the system's temporary folder. */
export function createTemporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "vademecum-bench-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
