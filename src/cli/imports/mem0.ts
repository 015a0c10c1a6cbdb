import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { entriesOf, instantMs, isObject, tagsOf, textOf, timestampOf } from "./export-values.js";
import {
  type ImportChoice,
  type ImportedMemory,
  type ImportPlan,
  ImportRefusal,
  originEntry,
  type Skipped,
} from "./import-plan.js";

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
  for (const { name, item } of items) {
    const reason = reasonToSkip(item, sourceUser, nowMs);
    if (reason === undefined) memories.push(toMemory(name, item));
    else skipped.push({ name, reason });
  }
  return { source: "mem0", memories, blocks: [], skipped };
}

function itemsOf(file: JsonValue): { name: string; item: JsonObject }[] {
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
    return { name: textOf(item, "id") ?? `entry ${index}`, item };
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

/** Returns the user of a memory. Ids can be numbers in the open-source version. */
function userOf(item: JsonObject): string | undefined {
  const id = item["user_id"];
  return typeof id === "number" ? String(id) : textOf(item, "user_id");
}

function reasonToSkip(
  item: JsonObject,
  sourceUser: string | undefined,
  nowMs: number,
): string | undefined {
  if (sourceUser !== undefined && userOf(item) !== sourceUser)
    return "a memory of another user than --source-user";
  if (textOf(item, "memory") === undefined) return 'no text under "memory"';
  if (textOf(item, "id") === undefined) return "no id, so a second import would not recognize it";
  const expiration = textOf(item, "expiration_date");
  const expireMs = instantMs(expiration);
  // Without its expiry the memory would be kept for ever.
  if (expiration !== undefined && expireMs === undefined)
    return "an expiration_date that is no time";
  if (expireMs !== undefined && expireMs <= nowMs) return "expired";
  const { metadata } = item;
  if (isObject(metadata) && Object.hasOwn(metadata, originEntry))
    return `its metadata has the entry "${originEntry}", which the import reserves`;
  return undefined;
}

function toMemory(name: string, item: JsonObject): ImportedMemory {
  const originId = textOf(item, "id") ?? "";
  const { metadata } = item;
  const expireMs = instantMs(textOf(item, "expiration_date"));
  const eventTime = timestampOf(item, "created_at");
  const author = textOf(item, "actor_id");
  const threadId = textOf(item, "run_id");
  return {
    name,
    originId,
    fields: {
      content: textOf(item, "memory") ?? "",
      memoryType: MemoryType.SEMANTIC,
      tags: tagsOf(item, "categories"),
      metadata: {
        ...(isObject(metadata) ? metadata : {}),
        [originEntry]: { from: "mem0", id: originId, ...entriesOf(item, originFacts) },
      },
      ...(author !== undefined && { author }),
      ...(threadId !== undefined && { threadId }),
      ...(eventTime !== undefined && { eventTime }),
      ...(expireMs !== undefined && { expireTime: timestampFromMs(expireMs) }),
    },
  };
}
