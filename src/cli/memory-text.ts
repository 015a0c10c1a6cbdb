import { type DescEnum, toJson } from "@bufbuild/protobuf";
import { durationMs, type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { type Memory, MemoryStatusSchema, MemoryTypeSchema } from "#gen/vademecum/v1/memory_pb.js";
import {
  OmissionReasonSchema,
  type SearchHit,
  type SearchSummary,
} from "#gen/vademecum/v1/search_pb.js";
import { enumName } from "./option-values.js";
import { indentLines, printable, printableLine } from "./printable.js";

/**
 * Formats a memory for a person: the content, then the id and the main facts, then the other
 * fields.
 *
 * @param before facts that come before the id
 */
export function memoryText(memory: Memory, ...before: readonly string[]): string {
  const facts = [
    ...before,
    memory.id,
    enumName(MemoryTypeSchema, memory.memoryType),
    printableLine(memory.kind),
    instantText(memory.createTime),
    `importance ${shortNumber(memory.importance)}`,
    `${memory.tokenCount} tokens`,
  ].filter((fact) => fact !== "");
  const lines = [indentLines(memory.content), `  ${facts.join(" · ")}`, ...attributeLines(memory)];
  return printable(lines.join("\n"));
}

function attributeLines(memory: Memory): string[] {
  const attributes: [label: string, value: string | undefined][] = [
    ["status", memory.status > 1 ? enumName(MemoryStatusSchema, memory.status) : ""],
    ["restricted", memory.restricted ? "hidden from tools" : ""],
    ["tags", memory.tags.map(printableLine).join(", ")],
    ["source", printableLine(memory.source)],
    ["author", printableLine(memory.author ?? "")],
    ["thread", printableLine(memory.threadId ?? "")],
    ["happened", instantText(memory.eventTime)],
    ["expires", instantText(memory.expireTime)],
    ["last used", instantText(memory.lastUsedTime)],
    [
      "changed",
      memory.version > 1n ? `${instantText(memory.updateTime)}, version ${memory.version}` : "",
    ],
    ["supersedes", memory.supersedes],
    ["superseded by", memory.supersededBy],
    ["external id", printableLine(memory.externalId ?? "")],
    ["embedding", memory.embedding?.values.map(shortNumber).join(", ")],
    ["metadata", memory.metadata === undefined ? "" : JSON.stringify(memory.metadata)],
  ];
  return attributes
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([label, value]) => `  ${label}: ${value}`);
}

/**
 * Formats a search hit with its rank.
 *
 * @param showsAgent whether the hits may be of several agents
 */
export function hitText(hit: SearchHit, showsAgent = false): string {
  const { memory, scores, rank } = hit;
  if (memory === undefined) return "";
  const relevance = `relevance ${shortNumber(scores?.relevance ?? 0)}`;
  const excerpt = hit.excerpt ? ", cut to fit the budget" : "";
  const agent = showsAgent ? [`agent ${printableLine(memory.namespace?.agentId ?? "")}`] : [];
  return `${rank}. ${memoryText(memory, `${relevance}${excerpt}`, ...agent)}`;
}

/**
 * Formats the summary of a search as one line: counts, tokens, duration, omitted matches, and why
 * there are no hits or only keywords were used.
 */
export function summaryText(summary: SearchSummary): string {
  const { returned, totalMatches, tokensUsed } = summary;
  const budget = summary.budgetTokens === undefined ? "" : ` of ${summary.budgetTokens}`;
  const duration =
    summary.queryDuration === undefined ? "" : `, ${durationMs(summary.queryDuration)} ms`;
  const counts = `${returned} of ${totalMatches} matches, ${tokensUsed}${budget} tokens${duration}.`;
  const omitted = countByName(
    OmissionReasonSchema,
    summary.omitted.map(({ reason }) => reason),
  );
  return [
    counts,
    omitted === "" ? "" : `Left out: ${omitted}.`,
    summary.noHitsReason,
    summary.keywordsOnlyReason,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function countByName(schema: DescEnum, numbers: readonly number[]): string {
  const counts = new Map<string, number>();
  for (const number of numbers) {
    const name = enumName(schema, number).replaceAll("_", " ");
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
}

/** Formats an instant as RFC 3339; empty when there is none. */
export function instantText(timestamp: Timestamp | undefined): string {
  return timestamp === undefined ? "" : toJson(TimestampSchema, timestamp);
}

function shortNumber(value: number): string {
  return String(Number(value.toFixed(2)));
}
