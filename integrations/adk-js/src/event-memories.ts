import type { Event, MemoryEntry } from "@google/adk";
import type { Memories } from "vademecum-client";
import { type Memory, MemoryType } from "vademecum-client/v1/memory_pb.js";
import { splitText } from "./split-text.js";

/** A memory to store. */
export type NewMemory = NonNullable<Parameters<Memories["addMany"]>[0]["memories"]>[number];

type Content = MemoryEntry["content"];

/** The limits of a content and of one AddMany. Metadata has at most 16 KiB. */
const maxContentBytes = 65_536;
const maxMetadataBytes = 15_000;
const maxRequestBytes = 900_000;
const maxRequestMemories = 500;

/**
 * Returns the memories of an event: usually one, several if the text is very long. An event without
 * text has none.
 */
export function memoriesOf(event: Event, sessionId: string): NewMemory[] {
  const { content, id, author, timestamp } = event;
  if (content === undefined) return [];
  const text = textOf(content);
  const milliseconds = Math.round(timestamp);
  const pieces = splitText(text, maxContentBytes).filter((piece) => piece.trim() !== "");
  return pieces.map((piece, index) => ({
    content: piece,
    memoryType: MemoryType.CONVERSATION,
    threadId: sessionId,
    externalId: index === 0 ? `adk/${id}` : `adk/${id}/${index + 1}`,
    eventTime: {
      seconds: BigInt(Math.floor(milliseconds / 1000)),
      nanos: (milliseconds % 1000) * 1_000_000,
    },
    metadata: metadataOf(content, piece === text),
    ...(author ? { author } : {}),
  }));
}

/** Returns the entry of a memory, also of one that another client has stored. */
export function entryOf(memory: Memory): MemoryEntry {
  const { role, content } = memory.metadata ?? {};
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

/** Divides memories into requests of a size that the server accepts. */
export function requestsOf(memories: readonly NewMemory[]): NewMemory[][] {
  const requests: NewMemory[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const memory of memories) {
    const { content = "", metadata = {} } = memory;
    const bytes = Buffer.byteLength(content) + Buffer.byteLength(JSON.stringify(metadata)) + 1000;
    if (size + bytes > maxRequestBytes || requests.at(-1)?.length === maxRequestMemories) {
      requests.push([]);
      size = 0;
    }
    requests.at(-1)?.push(memory);
    size += bytes;
  }
  return requests;
}

/** Returns the texts of a content. Empty for white space alone. */
function textOf({ parts = [] }: Content): string {
  const text = parts.flatMap((part) => (part.text ? [part.text] : [])).join(" ");
  return text.trim() === "" ? "" : text;
}

/** Returns the role of a content, and the whole content if it is more than a text and fits. */
function metadataOf(content: Content, isWhole: boolean): Record<string, string> {
  const metadata: Record<string, string> = content.role ? { role: content.role } : {};
  const { parts = [] } = content;
  const isPlain = parts.length === 1 && Object.keys(parts[0] ?? {}).join() === "text";
  const text = JSON.stringify(content);
  if (isWhole && !isPlain && Buffer.byteLength(JSON.stringify(text)) <= maxMetadataBytes)
    metadata["content"] = text;
  return metadata;
}
