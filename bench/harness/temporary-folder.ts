import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder. Disposing of it deletes it with all that it holds. */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
}

export function createTemporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "vademecum-bench-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
