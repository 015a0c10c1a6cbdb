import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { parseExactJson } from "./exact-json.js";
import {
  entriesOf,
  isObject,
  nameUnder,
  type OnUnread,
  tagsUnder,
  textOf,
  timestampUnder,
  timeUnder,
} from "./export-values.js";
import {
  type ImportChoice,
  type ImportedMemory,
  type ImportPlan,
  ImportRefusal,
  originEntry,
  type Skipped,
} from "./import-plan.js";
import { mem0Fields, unreadKeys } from "./mem0-keys.js";

const originFacts = [
  "user_id",
  "agent_id",
  "app_id",
  "run_id",
  "role",
  "immutable",
  "created_at",
  "updated_at",
];

/**
 * Plans the import of a mem0 export, from the open-source version or the platform. The export is
 * the result of `get_all`: `{"results": [...]}` or the bare list.
 *
 * @throws ImportRefusal when the file has another format, or has several users and no user was
 *   chosen
 */
export function planMem0Import(file: JsonValue, { sourceUser, nowMs }: ImportChoice): ImportPlan {
  const items = itemsOf(file);
  const users = [...new Set(items.map(({ item }) => userOf(item) ?? ""))];
  if (sourceUser === undefined && users.length > 1) {
    const names = users.map((user) => (user === "" ? "(none)" : user)).slice(0, 10);
    const more = users.length > names.length ? ", and more" : "";
    throw new ImportRefusal(
      `the file holds memories of ${users.length} users (${names.join(", ")}${more}). ` +
        "A namespace belongs to one user. Choose one with --source-user.",
    );
  }
  const memories: ImportedMemory[] = [];
  const skipped: Skipped[] = isObject(file)
    ? [...skippedRelations(file), ...missingPages(file)]
    : [];
  const incomplete: Skipped[] = [];
  for (const { name, item, unread } of items) {
    const reason = reasonToSkip(item, sourceUser, nowMs);
    if (reason === undefined) memories.push(toMemory(name, item, incomplete));
    else skipped.push({ name, reason });
    if (reason === undefined)
      incomplete.push(...unread.map((unreadOf) => ({ name, reason: unreadOf })));
  }
  const all = items.map(({ item }) => item);
  const metadata = all.map((item) => metadataOf(item, ignore));
  incomplete.push(...unreadKeys(all, metadata));
  return { source: "mem0", memories, blocks: [], skipped, incomplete };
}

/** A memory of the file. */
interface Item {
  readonly name: string;
  readonly item: JsonObject;
  /** What could not be read of its metadata. */
  readonly unread: readonly string[];
}

function itemsOf(file: JsonValue): Item[] {
  const list = isObject(file) ? file["results"] : file;
  if (!Array.isArray(list)) {
    throw new ImportRefusal(
      "it is not a mem0 export. " +
        'Allowed: a list of memories, or an object with such a list under "results".',
    );
  }
  return list.map((item, index) => {
    if (!isObject(item))
      throw new ImportRefusal(`entry ${index} is not an object, so the file is not a mem0 export.`);
    const unread: string[] = [];
    const usual = mem0Fields(
      item,
      `entry ${index}`,
      (fields) => metadataOf(fields, ignore),
      (reason) => unread.push(reason),
    );
    return { name: nameUnder(usual, "id", ignore) ?? `entry ${index}`, item: usual, unread };
  });
}

function skippedRelations(file: JsonObject): Skipped[] {
  const relations = file["relations"];
  const count = Array.isArray(relations) ? relations.length : 0;
  return Array.from({ length: count }, (_, index) => ({
    name: `relation ${index}`,
    reason: "a relation of mem0's graph, without text",
  }));
}

/** Reports missing pages. The platform returns pages, each with a link to the next page. */
function missingPages(file: JsonObject): Skipped[] {
  if (textOf(file, "next") === undefined) return [];
  return [
    {
      name: "the next page",
      reason: "not in the file, which is one of several pages: export the other pages too",
    },
  ];
}

/**
 * Returns the user of a memory. Ids can be numbers in the open-source version.
 *
 * @throws ImportRefusal when the user is neither a text nor a whole number
 */
function userOf(item: JsonObject): string | undefined {
  return nameUnder(item, "user_id", () => {
    throw new ImportRefusal(
      `a memory has the user_id ${JSON.stringify(item["user_id"])}, which is no id.`,
    );
  });
}

/** For fields that are reported elsewhere. */
const ignore: OnUnread = () => undefined;

function reasonToSkip(
  item: JsonObject,
  sourceUser: string | undefined,
  nowMs: number,
): string | undefined {
  if (sourceUser !== undefined && userOf(item) !== sourceUser)
    return "a memory of another user than --source-user";
  if (textOf(item, "memory") === undefined) return 'no text under "memory"';
  if (nameUnder(item, "id", ignore) === undefined)
    return "no id, so a second import would not recognize it";
  const expireMs = timeUnder(item, "expiration_date");
  // Without its expiry the memory would be kept for ever.
  if (typeof expireMs === "string") return `an expiration_date that is ${expireMs}`;
  if (expireMs !== undefined && expireMs <= nowMs) return "expired";
  const metadata = metadataOf(item, ignore);
  if (Object.hasOwn(metadata, originEntry))
    return `its metadata has the entry "${originEntry}", which the import reserves`;
  return undefined;
}

function toMemory(name: string, item: JsonObject, incomplete: Skipped[]): ImportedMemory {
  const onUnread: OnUnread = (reason) => incomplete.push({ name, reason });
  const originId = nameUnder(item, "id", onUnread) ?? "";
  const expireMs = timeUnder(item, "expiration_date");
  const eventTime = timestampUnder(item, "created_at", onUnread);
  const author = nameUnder(item, "actor_id", onUnread);
  const threadId = nameUnder(item, "run_id", onUnread);
  return {
    name,
    originId,
    fields: {
      content: textOf(item, "memory") ?? "",
      memoryType: MemoryType.SEMANTIC,
      tags: tagsUnder(item, "categories", onUnread),
      metadata: {
        ...metadataOf(item, onUnread),
        [originEntry]: { from: "mem0", id: originId, ...entriesOf(item, originFacts) },
      },
      ...(author !== undefined && { author }),
      ...(threadId !== undefined && { threadId }),
      ...(eventTime !== undefined && { eventTime }),
      ...(typeof expireMs === "number" && { expireTime: timestampFromMs(expireMs) }),
    },
  };
}

/** Returns the metadata: an object, or a text with a JSON object. Reports any other value. */
function metadataOf(item: JsonObject, onUnread: OnUnread): JsonObject {
  const metadata = item["metadata"];
  if (metadata === undefined || metadata === null || metadata === "") return {};
  if (isObject(metadata)) return metadata;
  const parsed = typeof metadata === "string" ? parsedObject(metadata) : undefined;
  if (parsed === undefined) onUnread("metadata that is no object");
  return parsed ?? {};
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value = parseExactJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
