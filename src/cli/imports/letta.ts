import { createHash } from "node:crypto";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import {
  entriesOf,
  isObject,
  nameUnder,
  type OnUnread,
  partsOf,
  tagsUnder,
  textOf,
  timestampUnder,
} from "./export-values.js";
import { FieldNames } from "./field-names.js";
import {
  type ImportedBlock,
  type ImportedMemory,
  type ImportPlan,
  ImportRefusal,
  originEntry,
  type Skipped,
} from "./import-plan.js";
import { messageWords, roleOf } from "./letta-messages.js";

/** The lists that a plan is built from. */
interface Parts {
  readonly memories: ImportedMemory[];
  readonly blocks: ImportedBlock[];
  readonly skipped: Skipped[];
  readonly incomplete: Skipped[];
}

/**
 * Plans the import of a Letta file: an agent file, or the list of passages that the archival memory
 * returns. Agent files (`.af`) can have the present form or the form of early 2025.
 *
 * @throws ImportRefusal when the file is neither
 */
export function planLettaImport(source: JsonValue): ImportPlan {
  const parts: Parts = { memories: [], blocks: [], skipped: [], incomplete: [] };
  const file = isObject(source) ? agentNames.usual(source, "the file") : source;
  if (Array.isArray(file)) planPassages(file, parts);
  else if (isObject(file) && Array.isArray(file["agents"])) planAgentFile(file, parts);
  else if (isObject(file) && Array.isArray(file["core_memory"])) planFirstAgentFile(file, parts);
  else
    throw new ImportRefusal(
      "it is neither a Letta agent file nor a list of passages. " +
        'An agent file is an object with "agents" or "core_memory".',
    );
  return { source: "letta", ...parts };
}

function planAgentFile(file: JsonObject, parts: Parts): void {
  for (const block of partsOf(file, "blocks", parts.skipped)) planBlock(block, parts);
  for (const agent of partsOf(file, "agents", parts.skipped)) planMessages(agent, parts);
  for (const document of partsOf(file, "files", parts.skipped)) {
    parts.skipped.push({
      name: nameOf(document, "file_name", "a file"),
      reason: "an attached file: add its text yourself",
    });
  }
}

function planFirstAgentFile(file: JsonObject, parts: Parts): void {
  for (const block of partsOf(file, "core_memory", parts.skipped)) planBlock(block, parts);
  planMessages(file, parts);
}

function planBlock(block: JsonObject, { blocks, skipped }: Parts): void {
  const label = textOf(block, "label");
  const name = `block ${label ?? nameOf(block, "id", "(no label)")}`;
  const body = block["value"];
  if (label === undefined || typeof body !== "string")
    skipped.push({ name, reason: "a block without a label or text" });
  else blocks.push({ name, label, body });
}

/** The fields of an agent, and of an agent file of early 2025. */
const agentNames = new FieldNames({
  system: "Letta",
  used: ["agents", "agent_type", "blocks", "core_memory", "files", "messages", "name"],
  unused: [],
  otherNames: {},
});

/** The fields of a message in an agent file. */
const messageNames = new FieldNames({
  system: "Letta",
  used: ["content", "created_at", "id", "model", "name", "role", "tool_calls"],
  unused: [
    ...["agent_id", "approval_request_id", "approvals", "approve", "batch_item_id"],
    ...["conversation_id", "denial_reason", "group_id", "is_err", "otid", "run_id", "sender_id"],
    ...["step_id", "text", "tool_call_id", "tool_returns", "type", "updated_at"],
  ],
  otherNames: { created: "created_at", date: "created_at", timestamp: "created_at" },
});

function planMessages(from: JsonObject, { memories, skipped, incomplete }: Parts): void {
  const agent = agentNames.usual(from, "an agent");
  const agentName = nameOf(agent, "name", "agent");
  const messages = partsOf(agent, "messages", skipped).map((message, index) =>
    messageNames.usual(message, `message ${index} of ${agentName}`),
  );
  incomplete.push(...messageNames.unread(messages));
  for (const [index, message] of messages.entries()) {
    const name = `${agentName}: ${nameOf(message, "id", `message ${index}`)}`;
    const words = messageWords(message, textOf(agent, "agent_type"));
    if ("reason" in words) {
      skipped.push({ name, reason: words.reason });
      continue;
    }
    const role = roleOf(message);
    // Message ids count from 0 in every file, so they do not identify a message across files.
    const originId = digestOf([
      agentName,
      role,
      textOf(message, "created_at") ?? String(index),
      words.text,
    ]);
    const onUnread: OnUnread = (reason) => incomplete.push({ name, reason });
    const eventTime = timestampUnder(message, "created_at", onUnread);
    const author = nameUnder(message, "name", onUnread);
    memories.push({
      name,
      originId,
      fields: {
        content: words.text,
        memoryType: MemoryType.CONVERSATION,
        kind: `${role}_message`,
        threadId: `letta/${agentName}`,
        metadata: {
          [originEntry]: {
            from: "letta",
            id: originId,
            agent: agentName,
            ...entriesOf(message, ["model", "created_at"]),
          },
        },
        ...(author !== undefined && { author }),
        ...(eventTime !== undefined && { eventTime }),
      },
    });
  }
}

/** The fields of a passage. Letta's JavaScript client writes `createdAt` for `created_at`. */
const passageNames = new FieldNames({
  system: "Letta",
  used: [
    "id",
    "text",
    "tags",
    "metadata",
    "archive_id",
    "source_id",
    "file_name",
    "created_at",
    "is_deleted",
  ],
  unused: [
    "agent_id",
    "created_by_id",
    "embedding",
    "embedding_config",
    "file_id",
    "last_updated_by_id",
    "organization_id",
    "updated_at",
  ],
  otherNames: { created: "created_at", timestamp: "created_at", deleted: "is_deleted" },
});

const passageFacts = ["archive_id", "source_id", "file_name", "metadata", "created_at"];

/** Number of passages on a page of Letta's archival memory, unless the request names a limit. */
const passagesPerPage = 100;

function planPassages(list: readonly JsonValue[], { memories, skipped, incomplete }: Parts): void {
  if (list.length === passagesPerPage)
    skipped.push({
      name: "the next page",
      reason:
        `maybe not in the file, which has exactly one page of ${passagesPerPage} passages: ` +
        'fetch the rest with "after"',
    });
  const passages = list.map(passageOf);
  incomplete.push(...passageNames.unread(passages));
  for (const [index, passage] of passages.entries()) {
    const name = nameOf(passage, "id", `passage ${index}`);
    const content = textOf(passage, "text");
    if (content === undefined || isDeleted(passage)) {
      skipped.push({
        name,
        reason: content === undefined ? "a passage without text" : "a deleted passage",
      });
      continue;
    }
    const onUnread: OnUnread = (reason) => incomplete.push({ name, reason });
    const originId = nameUnder(passage, "id", onUnread) ?? digestOf([content]);
    const eventTime = timestampUnder(passage, "created_at", onUnread);
    memories.push({
      name,
      originId,
      fields: {
        content,
        memoryType: MemoryType.SEMANTIC,
        tags: tagsUnder(passage, "tags", onUnread),
        metadata: {
          [originEntry]: { from: "letta", id: originId, ...entriesOf(passage, passageFacts) },
        },
        ...(eventTime !== undefined && { eventTime }),
      },
    });
  }
}

/** Returns a passage. It has the time of its metadata unless it has one of its own. */
function passageOf(entry: JsonValue, index: number): JsonObject {
  const passage = isObject(entry) ? passageNames.usual(entry, `entry ${index}`) : {};
  if (!Object.hasOwn(passage, "text"))
    throw new ImportRefusal(`entry ${index} has no "text", so the file is not a list of passages.`);
  const { metadata } = passage;
  if (!isObject(metadata)) return passage;
  return passageNames.withMetadata(passage, metadata, ["created_at"], () => undefined);
}

function isDeleted({ is_deleted: deleted = null }: JsonObject): boolean {
  return deleted !== null && deleted !== false && deleted !== "false" && deleted !== 0;
}

function nameOf(object: JsonObject, key: string, otherwise: string): string {
  return textOf(object, key) ?? otherwise;
}

function digestOf(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
