import { createHash } from "node:crypto";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { entriesOf, isObject, partsOf, tagsOf, textOf, timestampOf } from "./export-values.js";
import {
  type ImportedBlock,
  type ImportedMemory,
  type ImportPlan,
  ImportRefusal,
  originEntry,
  type Skipped,
} from "./import-plan.js";
import { spokenText } from "./letta-messages.js";

/** What becomes of a part of the file. */
interface Parts {
  readonly memories: ImportedMemory[];
  readonly blocks: ImportedBlock[];
  readonly skipped: Skipped[];
}

/**
 * Reads an agent file of Letta (`.af`), in its present form or that of 2025's first half, or the list of passages that its archival memory returns.
 * @throws ImportRefusal if it is something else.
 */
export function planLettaImport(file: JsonValue): ImportPlan {
  const parts: Parts = { memories: [], blocks: [], skipped: [] };
  if (Array.isArray(file)) planPassages(file, parts);
  else if (isObject(file) && Array.isArray(file["agents"])) planAgentFile(file, parts);
  else if (isObject(file) && Array.isArray(file["core_memory"])) planFirstAgentFile(file, parts);
  else
    throw new ImportRefusal(
      'it is no agent file of Letta (an object with "agents" or "core_memory") and no list of passages.',
    );
  return { source: "letta", ...parts };
}

function planAgentFile(file: JsonObject, parts: Parts): void {
  for (const block of partsOf(file, "blocks", parts.skipped)) planBlock(block, parts);
  for (const agent of partsOf(file, "agents", parts.skipped)) planMessages(agent, parts);
  for (const document of partsOf(file, "files", parts.skipped)) {
    parts.skipped.push({
      name: nameOf(document, "file_name", "a file"),
      reason: "a file attached to the agent: store its text yourself",
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
    skipped.push({ name, reason: "a block without a label or a text" });
  else blocks.push({ name, label, body });
}

function planMessages(agent: JsonObject, { memories, skipped }: Parts): void {
  const agentName = nameOf(agent, "name", "agent");
  for (const [index, message] of partsOf(agent, "messages", skipped).entries()) {
    const name = `${agentName}: ${nameOf(message, "id", `message ${index}`)}`;
    const said = spokenText(message, textOf(agent, "agent_type"));
    if ("reason" in said) {
      skipped.push({ name, reason: said.reason });
      continue;
    }
    const role = textOf(message, "role") ?? "";
    // Message ids count from 0 in every file, so they tell nothing across files.
    const originId = digestOf([
      agentName,
      role,
      textOf(message, "created_at") ?? String(index),
      said.text,
    ]);
    const eventTime = timestampOf(message, "created_at");
    const author = textOf(message, "name");
    memories.push({
      name,
      originId,
      fields: {
        content: said.text,
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

const keptOfPassage = ["archive_id", "source_id", "file_name", "metadata", "created_at"];

function planPassages(list: readonly JsonValue[], { memories, skipped }: Parts): void {
  for (const [index, passage] of list.entries()) {
    if (!isObject(passage) || !Object.hasOwn(passage, "text")) {
      throw new ImportRefusal(
        `entry ${index} of its list has no "text", so it is no list of passages.`,
      );
    }
    const name = nameOf(passage, "id", `passage ${index}`);
    const content = textOf(passage, "text");
    if (content === undefined || passage["is_deleted"] === true) {
      skipped.push({
        name,
        reason: content === undefined ? "a passage without a text" : "a passage that was deleted",
      });
      continue;
    }
    const originId = textOf(passage, "id") ?? digestOf([content]);
    const eventTime = timestampOf(passage, "created_at");
    memories.push({
      name,
      originId,
      fields: {
        content,
        memoryType: MemoryType.SEMANTIC,
        tags: tagsOf(passage, "tags"),
        metadata: {
          [originEntry]: { from: "letta", id: originId, ...entriesOf(passage, keptOfPassage) },
        },
        ...(eventTime !== undefined && { eventTime }),
      },
    });
  }
}

function nameOf(object: JsonObject, key: string, otherwise: string): string {
  return textOf(object, key) ?? otherwise;
}

function digestOf(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
