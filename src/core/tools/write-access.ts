import type { NewMemory } from "../memories/service.js";
import { VademecumError } from "../model/errors.js";
import type { ToolManifest } from "../model/tool-manifest.js";
import { namesOf, notAllowed } from "./access.js";

/** A memory that a tool writes, and its path in the request. */
export interface ToolWrite {
  readonly memory: NewMemory;
  readonly path: string;
}

/** A write that the manifest of its tool does not allow. */
export interface RefusedWrite extends Partial<ToolWrite> {
  /** Why, in words. */
  readonly reason: string;
}

/**
 * Returns the first write that a manifest does not allow; `undefined` if it allows all.
 *
 * @param manifest `undefined` if this version of the tool is not registered
 */
export function findRefused(
  writes: readonly ToolWrite[],
  manifest: ToolManifest | undefined,
): RefusedWrite | undefined {
  if (manifest === undefined)
    return { reason: "this version of the tool is not registered (RegisterTool)" };
  for (const write of writes) {
    const reason = refusalOf(write.memory, manifest);
    if (reason !== undefined) return { ...write, reason };
  }
  return undefined;
}

/** Returns the error of a refused write. */
export function notInManifest({ path, reason }: RefusedWrite): VademecumError {
  return new VademecumError(
    "PERMISSION_DENIED",
    "NOT_IN_MANIFEST",
    `${reason}; change the memory, or ask the operator to change the manifest`,
    { ...(path !== undefined && { field: path }) },
  );
}

function refusalOf(
  { memoryType = "EPISODIC", kind, tags = [] }: NewMemory,
  { memoryAccess }: ToolManifest,
): string | undefined {
  const access = memoryAccess.find((one) => one.memoryType === memoryType);
  if (access?.write !== true) return `the tool's manifest does not allow to write ${memoryType}`;
  const ofKind = kind === undefined ? "memories without a kind" : namesOf("kind", [kind]);
  if (notAllowed([kind ?? ""], access.kinds).length > 0)
    return `the tool's manifest does not allow ${ofKind}`;
  const refused = notAllowed(tags, access.tags);
  if (refused.length > 0) return `the tool's manifest does not allow ${namesOf("tag", refused)}`;
  if (tags.length === 0 && access.tags.length > 0)
    return "the tool's manifest does not allow memories without one of its tags";
  return undefined;
}
