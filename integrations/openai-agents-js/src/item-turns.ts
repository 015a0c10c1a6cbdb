import type { AgentInputItem } from "@openai/agents-core";
import { type NewTurn, splitText } from "vademecum-client/adapters";
import type { Memory } from "vademecum-client/v1/memory_pb.js";

/** An item of a session, with the ids of the turns that hold it. */
export interface StoredItem {
  readonly item: AgentInputItem;
  readonly turnIds: readonly string[];
}

/** Metadata of a turn has at most 16 KiB as JSON, with names and quotes. */
const maxMetadataBytes = 15_000;
/** The content of a turn has at most 64 KiB. A prefix such as `[1/16] ` comes before each piece. */
const maxPieceBytes = 65_000;
/** Marks the bytes of an item in its JSON. */
const bytesKey = "$bytes";

/**
 * Returns the turns that hold an item.
 *
 * Usually this is one turn: its content is the text of the item, and its metadata the whole item as
 * JSON. An item that is too large for metadata becomes several turns, whose contents are pieces of
 * the JSON.
 */
export function turnsOf(item: AgentInputItem): NewTurn[] {
  const text = JSON.stringify(item, withBytes);
  const kind = item.type ?? "message";
  const common = { kind, ...("role" in item && item.role ? { author: item.role } : {}) };
  if (Buffer.byteLength(JSON.stringify(text)) <= maxMetadataBytes)
    return [{ ...common, content: spoken(item) || kind, metadata: { item: text } }];
  const pieces = splitText(text, maxPieceBytes);
  return pieces.map((piece, index) => ({
    ...common,
    content: `[${index + 1}/${pieces.length}] ${piece}`,
    metadata: { part: index + 1, parts: pieces.length },
  }));
}

/** Returns the items of turns, in order. Leaves out other turns and incomplete items. */
export function itemsOf(turns: readonly Memory[]): StoredItem[] {
  const items: StoredItem[] = [];
  let pieces: Memory[] = [];
  for (const turn of turns) {
    const { item, part, parts } = turn.metadata ?? {};
    if (typeof item === "string") items.push({ item: parse(item), turnIds: [turn.id] });
    if (typeof parts !== "number") continue;
    if (part === 1) pieces = [turn];
    else pieces = part === pieces.length + 1 ? [...pieces, turn] : [];
    if (pieces.length !== parts) continue;
    const text = pieces.map(({ content }) => content.slice(content.indexOf("] ") + 2)).join("");
    items.push({ item: parse(text), turnIds: pieces.map(({ id }) => id) });
    pieces = [];
  }
  return items;
}

/** Writes bytes as base64. A `Buffer` turns into JSON before this function sees it as a value. */
function withBytes(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Readonly<Record<string, unknown>>)[key];
  if (!(original instanceof Uint8Array)) return value;
  return { [bytesKey]: Buffer.from(original).toString("base64") };
}

function parse(text: string): AgentInputItem {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== "object" || value === null || !(bytesKey in value)) return value;
    return new Uint8Array(Buffer.from(String(value[bytesKey]), "base64"));
  }) as AgentInputItem;
}

/** Returns the text of an item, for searches. Empty if the item has none. */
function spoken(item: AgentInputItem): string {
  if (item.type === "function_call") return valid(`${item.name}(${item.arguments})`);
  const { content, output } = item as { readonly content?: unknown; readonly output?: unknown };
  return valid(textsIn(content ?? output).join("\n"));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null || !("text" in value)) return [];
  return typeof value.text === "string" ? [value.text] : [];
}

/** Returns a text that the server accepts as content: valid Unicode, and not white space alone. */
function valid(text: string): string {
  return text.trim() === "" ? "" : new TextDecoder().decode(new TextEncoder().encode(text));
}
