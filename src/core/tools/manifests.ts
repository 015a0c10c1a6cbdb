import { isDeepStrictEqual } from "node:util";
import type { Allowance } from "../model/allowance.js";
import { VademecumError } from "../model/errors.js";
import type { Scope } from "../model/namespace.js";
import { manifestKey, toolPrefix } from "../model/record-keys.js";
import type { ToolManifest } from "../model/tool-manifest.js";
import type { Reader, Store } from "../ports/store.js";
import { listPage } from "../requests/list-page.js";
import { mutate } from "../requests/mutate.js";
import { queriesMax } from "./access.js";
import type {
  DeclaredManifest,
  DeleteToolInput,
  ListToolsQuery,
  ManifestPage,
  RegisterToolInput,
  ToolServiceParts,
} from "./service.js";

/** Manifests describe tools, not users, so they belong to the server. */
const scope: Scope = { kind: "server" };

/** Maximum number of versions of a tool, so that one transaction can delete them all. */
const versionsMax = 100;

/**
 * Stores a manifest. `changed` tells whether the manifest is new, or differs from the stored
 * manifest.
 *
 * @throws FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) when the tool has 100 other versions.
 */
export async function registerTool(
  parts: ToolServiceParts,
  input: RegisterToolInput,
  allowance?: Allowance,
): Promise<{ readonly changed: boolean }> {
  const { manifest } = input;
  const { toolId, version } = manifest;
  const key = manifestKey(toolId, version);
  // The greatest number is the default, so a repetition may have it or not.
  const memoryAccess = manifest.memoryAccess.map((access) => ({
    maxQueries: queriesMax,
    ...access,
  }));
  const compared = { ...input, manifest: { ...manifest, memoryAccess } };
  const mutation = {
    ...{ rpc: "RegisterTool", target: scope, input: compared, allowance },
    stands: (tx: Reader, { createSeq }: RegisterReply) => isStored(tx, key, createSeq),
  };
  const { changed } = await mutate<RegisterReply>(parts, mutation, async (tx) => {
    const known = await tx.get("toolManifests", scope, key);
    if (known === undefined) await requireFreeVersion(tx, toolId);
    // Stored manifests are JSON, which leaves out fields that are `undefined`.
    else if (isDeepStrictEqual(declarationOf(known), JSON.parse(JSON.stringify(manifest))))
      return { createSeq: known.createSeq, changed: false };
    // This revision exceeds the revisions of all earlier manifests, deleted ones included.
    const revision = tx.head.seq + 1;
    const createSeq = known?.createSeq ?? revision;
    tx.put("toolManifests", scope, key, { ...manifest, revision, createSeq });
    return { createSeq, changed: true };
  });
  return { changed };
}

/** The stored reply to RegisterTool. */
interface RegisterReply {
  /** Tells the manifest, whose names the reply must not keep after DeleteTool. */
  readonly createSeq: number;
  readonly changed: boolean;
}

/** Whether the manifest with a `createSeq` exists. It probably has the given key. */
async function isStored(tx: Reader, key: string, createSeq: number): Promise<boolean> {
  if ((await tx.get("toolManifests", scope, key))?.createSeq === createSeq) return true;
  for await (const [, manifest] of tx.scan("toolManifests", scope))
    if (manifest.createSeq === createSeq) return true;
  return false;
}

/** Lists a page of manifests, ordered by tool and version. */
export async function listTools(
  { store }: ToolServiceParts,
  { toolId, limit, pageToken }: ListToolsQuery,
): Promise<ManifestPage> {
  const { items: manifests, nextPageToken } = await listPage(store, {
    scope,
    binding: ["ListTools", toolId],
    table: "toolManifests",
    owner: scope,
    prefix: toolId === "" ? "" : toolPrefix(toolId),
    limit,
    pageToken,
    toItem: (_, manifest) => declarationOf(manifest),
  });
  return { manifests, nextPageToken };
}

/** Deletes one version of a tool, or all versions. */
export function deleteTool(
  parts: ToolServiceParts,
  input: DeleteToolInput,
  allowance?: Allowance,
): Promise<{ readonly deleted: number }> {
  const { toolId, version } = input;
  const mutation = { rpc: "DeleteTool", target: scope, input, allowance, removes: true };
  return mutate(parts, mutation, async (tx) => {
    const keys = (await keysOf(tx, toolId)).filter(
      (key) => version === undefined || key === manifestKey(toolId, version),
    );
    for (const key of keys) tx.delete("toolManifests", scope, key);
    return { deleted: keys.length };
  });
}

/** Reads the manifest of a version of a tool. `undefined`: it is not registered. */
export async function findManifest(
  store: Store,
  toolId: string,
  version: string,
): Promise<ToolManifest | undefined> {
  await using snapshot = await store.snapshot(scope);
  return await snapshot.get("toolManifests", scope, manifestKey(toolId, version));
}

async function keysOf(reader: Reader, toolId: string): Promise<string[]> {
  const prefix = toolPrefix(toolId);
  const keys: string[] = [];
  for await (const [key] of reader.scan("toolManifests", scope, { after: prefix })) {
    if (!key.startsWith(prefix)) break;
    keys.push(key);
  }
  return keys;
}

async function requireFreeVersion(reader: Reader, toolId: string): Promise<void> {
  if ((await keysOf(reader, toolId)).length < versionsMax) return;
  throw new VademecumError(
    "FAILED_PRECONDITION",
    "TOO_MANY_TOOL_VERSIONS",
    `tool '${toolId}' has ${versionsMax} versions, the most that a tool may have; ` +
      "delete versions that are no longer used (DeleteTool)",
  );
}

function declarationOf({ toolId, version, memoryAccess }: ToolManifest): DeclaredManifest {
  return { toolId, version, memoryAccess };
}
