import type { Event, MemoryEntry } from "@google/adk";
import { type NewMemory, splitContent } from "vademecum-client/adapters";
import { type Memory, MemoryType } from "vademecum-client/v1/memory_pb.js";
import { OnConflict } from "vademecum-client/v1/memory_provider_pb.js";

type Content = MemoryEntry["content"];

/** Metadata has at most 16 KiB. */
const maxMetadataBytes = 15_000;

/**
 * Returns the memories of an event: usually one, several if the text is very long. An event without
 * text has none.
 */
export function memoriesOf(event: Event, sessionId: string): NewMemory[] {
  const { content, id, author, timestamp } = event;
  if (content === undefined) return [];
  const text = textOf(content);
  const pieces = splitContent(text);
  const milliseconds = Math.round(timestamp);
  const seconds = Math.floor(milliseconds / 1000);
  return pieces.map((piece, index) => ({
    content: piece,
    memoryType: MemoryType.CONVERSATION,
    threadId: sessionId,
    externalId: index === 0 ? `adk/${id}` : `adk/${id}/${index + 1}`,
    eventTime: {
      seconds: BigInt(seconds),
      nanos: (milliseconds - seconds * 1000) * 1_000_000,
    },
    metadata: { adk: adkOf(content, pieces.length === 1) },
    // Events do not change, so an event that is there stays as it is.
    onConflict: OnConflict.KEEP,
    ...(author ? { author } : {}),
  }));
}

/** Returns the entry of a memory, also of one that another client has stored. */
export function entryOf(memory: Memory): MemoryEntry {
  const { role, content } = (memory.metadata?.["adk"] ?? {}) as Partial<Record<string, unknown>>;
  const { seconds = 0n, nanos = 0 } = memory.eventTime ?? memory.createTime ?? {};
  const plain = {
    ...(typeof role === "string" ? { role } : {}),
    parts: [{ text: memory.content }],
  };
  return {
    content: typeof content === "string" ? (JSON.parse(content) as Content) : plain,
    ...(memory.author ? { author: memory.author } : {}),
    timestamp: new Date(Number(seconds) * 1000 + nanos / 1e6).toISOString(),
  };
}

/** Returns the texts of a content. Empty for white space alone. */
function textOf({ parts = [] }: Content): string {
  const text = parts.flatMap((part) => (part.text ? [part.text] : [])).join(" ");
  return text.trim() === "" ? "" : text;
}

/** Returns the role of a content, and the whole content if it is more than a text and fits. */
function adkOf(content: Content, isWhole: boolean): Record<string, string> {
  const adk: Record<string, string> = content.role ? { role: content.role } : {};
  const { parts = [] } = content;
  const isPlain = parts.length === 1 && Object.keys(parts[0] ?? {}).join() === "text";
  const text = JSON.stringify(content);
  if (isWhole && !isPlain && Buffer.byteLength(JSON.stringify(text)) <= maxMetadataBytes)
    adk["content"] = text;
  return adk;
}
