import { isDeepStrictEqual } from "node:util";
import { VademecumError } from "../model/errors.js";
import type { Scope } from "../model/namespace.js";
import type { ToolManifest } from "../model/tool-manifest.js";
import type { Reader, Store } from "../ports/store.js";
import { replyOnce } from "../requests/idempotency.js";
import { readPage } from "../requests/page.js";
import { type PageBinding, readPageToken } from "../requests/page-token.js";
import type { ToolServiceParts } from "./parts.js";
import type {
  DeclaredManifest,
  DeleteToolInput,
  ListToolsQuery,
  ManifestPage,
  RegisterToolInput,
} from "./tool-service.js";

/** Manifests belong to nobody: they are about tools, not about users. */
const scope: Scope = { kind: "server" };

/** Most versions of a tool, so that it can be deleted in one step. */
const versionsMax = 100;

/** Stores a manifest. @throws FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) */
export async function registerTool(
  { store, clock }: ToolServiceParts,
  input: RegisterToolInput,
): Promise<{ readonly changed: boolean }> {
  const { manifest, idempotencyKey } = input;
  const { toolId, version } = manifest;
  const key = manifestKey(toolId, version);
  const repeatable = {
    rpc: "RegisterTool",
    idempotencyKey,
    request: manifest,
    nowMs: clock.nowMs(),
  };
  const { result } = await store.update(scope, (tx) =>
    replyOnce(tx, scope, repeatable, async () => {
      const known = await tx.get("toolManifests", scope, key);
      if (known === undefined) await requireRoom(tx, toolId);
      // Compared as it is stored, which keeps no absent fields.
      else if (isDeepStrictEqual(declared(known), JSON.parse(JSON.stringify(manifest))))
        return { changed: false };
      // Also a manifest that was deleted meanwhile had a smaller number.
      tx.put("toolManifests", scope, key, { ...manifest, revision: tx.head.seq + 1 });
      return { changed: true };
    }),
  );
  return result;
}

/** Lists a page of manifests. */
export async function listTools(
  { store }: ToolServiceParts,
  { toolId, limit, pageToken }: ListToolsQuery,
): Promise<ManifestPage> {
  const prefix = toolId === "" ? "" : toolPrefix(toolId);
  await using snapshot = await store.snapshot(scope);
  const binding: PageBinding = { epoch: snapshot.head.epoch, listing: ["ListTools", toolId] };
  const after = pageToken === "" ? prefix : readPageToken(binding, pageToken);
  const entries = async function* (): AsyncGenerator<readonly [string, DeclaredManifest]> {
    for await (const [key, manifest] of snapshot.scan("toolManifests", scope, { after })) {
      if (!key.startsWith(prefix)) return;
      yield [key, declared(manifest)];
    }
  };
  const { items: manifests, nextPageToken } = await readPage(entries(), limit, binding);
  return { manifests, nextPageToken };
}

/** Deletes a version of a tool, or all of them. */
export async function deleteTool(
  { store, clock }: ToolServiceParts,
  input: DeleteToolInput,
): Promise<{ readonly deleted: number }> {
  const { idempotencyKey, ...request } = input;
  const { toolId, version } = request;
  const { result } = await store.update(scope, (tx) =>
    replyOnce(
      tx,
      scope,
      { rpc: "DeleteTool", idempotencyKey, request, nowMs: clock.nowMs() },
      async () => {
        const keys = (await keysOf(tx, toolId)).filter(
          (key) => version === undefined || key === manifestKey(toolId, version),
        );
        for (const key of keys) tx.delete("toolManifests", scope, key);
        return { deleted: keys.length };
      },
    ),
  );
  return result;
}

/** What a version of a tool declares; `undefined` if it was not registered. */
export async function findManifest(
  store: Store,
  toolId: string,
  version: string,
): Promise<ToolManifest | undefined> {
  await using snapshot = await store.snapshot(scope);
  return await snapshot.get("toolManifests", scope, manifestKey(toolId, version));
}

/** Key of a manifest: in byte order, manifests are in the order of their tool, then their version. */
export function manifestKey(toolId: string, version: string): string {
  return toolPrefix(toolId) + version;
}

/** What the keys of a tool begin with, and no others. NUL ends the name; one inside of it is written so that it comes behind an end. */
function toolPrefix(toolId: string): string {
  return `${toolId.replaceAll("\0", "\0\u0001")}\0\0`;
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

async function requireRoom(reader: Reader, toolId: string): Promise<void> {
  if ((await keysOf(reader, toolId)).length < versionsMax) return;
  const message = `tool '${toolId}' has ${versionsMax} versions, and may not have more; delete some that are not used any more (DeleteTool)`;
  throw new VademecumError("FAILED_PRECONDITION", "TOO_MANY_TOOL_VERSIONS", message);
}

function declared({ toolId, version, memoryAccess }: ToolManifest): DeclaredManifest {
  return { toolId, version, memoryAccess };
}
