import { type Block, blockTitle } from "../model/block.js";
import { happenedAt, type Memory } from "../model/memory.js";
import type { Skill } from "../model/skill.js";
import type { TimeZone } from "../model/time-zone.js";
import type { TokenCounter } from "../ports/token-counter.js";
import {
  dateOf,
  type ListRendering,
  listRendering,
  renderedList,
  type ShownMemory,
  weakHeading,
} from "../search/pack/rendering.js";
import { fenced } from "../text/fenced.js";
import { replaceLineBreaks } from "../text/line-breaks.js";
import { visibleName } from "../text/visible-text.js";
import type { ContextFormat, SectionKind } from "./service.js";

/** The texts before and after the items of a section. Neither `open` nor an item is empty. */
export interface SectionFrame {
  readonly open: string;
  readonly close: string;
}

/**
 * Writes the parts of a context. Each item ends with a line break, and begins with a letter, `#`,
 * `-` or `<`, so that no token reaches from one section into the next.
 */
export interface ContextWriter {
  frame(kind: SectionKind): SectionFrame;
  block(block: Block, body: string): string;
  skill(skill: Pick<Skill, "context" | "lesson">): string;
  note(key: string, value: string): string;
  turn(turn: Memory, content: string): string;
  /** Writes memories without the line break of the last one. */
  readonly memories: ListRendering;
}

const headings: Readonly<Record<SectionKind, string>> = {
  BLOCKS: "Memory blocks",
  SKILLS: "Skills",
  KEYS: "Notes",
  MEMORIES: "Memories",
  RECENT: "Conversation",
};

const elements: Readonly<Record<SectionKind, string>> = {
  BLOCKS: "blocks",
  SKILLS: "skills",
  KEYS: "notes",
  MEMORIES: "memories",
  RECENT: "conversation",
};

/**
 * Returns the writer of a format.
 *
 * @param zone the time zone of the dates; `undefined`: no dates
 */
export function contextWriter(
  format: ContextFormat,
  counter: TokenCounter,
  zone: TimeZone | undefined,
): ContextWriter {
  if (format === "XML") return xmlWriter(counter, zone);
  const isMarkdown = format === "MARKDOWN";
  const dated = (memory: Memory) => (zone === undefined ? "" : `[${dayOf(memory, zone)}] `);
  return {
    frame: (kind) => ({
      open: isMarkdown ? `## ${headings[kind]}\n\n` : `${headings[kind]}:\n`,
      close: kind === "BLOCKS" ? "" : "\n",
    }),
    block: (block, body) => {
      const title = visibleName(blockTitle(block.label, block));
      // No line of the body can look like the heading of a section or of another block.
      return isMarkdown
        ? `### ${title}\n\n${fenced(body)}\n`
        : `${listItem(`${title}:\n${body}`)}\n`;
    },
    skill: ({ context, lesson }) => listItem(`${context.trimEnd()}: ${lesson}`),
    note: (key, value) => listItem(`${visibleName(key)}: ${value}`),
    turn: (turn, content) => {
      const author = turn.author === undefined ? "" : `${visibleName(turn.author)}: `;
      return listItem(dated(turn) + author + content);
    },
    memories: listRendering(counter, zone && { zone }),
  };
}

function xmlWriter(counter: TokenCounter, zone: TimeZone | undefined): ContextWriter {
  const attributesOf = (memory: ShownMemory, isNamed: boolean): string => {
    const date = zone === undefined ? "" : ` date="${dayOf(memory, zone)}"`;
    const { author } = memory;
    return (
      date + (author === undefined || !isNamed ? "" : ` author="${escapeXml(visibleName(author))}"`)
    );
  };
  const memoryElement = (memory: ShownMemory): string =>
    `<memory${attributesOf(memory, zone !== undefined)}>${escapeXml(memory.content)}</memory>`;
  return {
    frame: (kind) => ({ open: `<${elements[kind]}>\n`, close: `</${elements[kind]}>\n` }),
    block: (block, body) => {
      const title = escapeXml(visibleName(blockTitle(block.label, block)));
      const names = `label="${escapeXml(visibleName(block.label))}" title="${title}"`;
      return `<block ${names}>\n${escapeXml(body)}\n</block>\n`;
    },
    skill: ({ context, lesson }) =>
      `<skill context="${escapeXml(context)}">${escapeXml(lesson)}</skill>\n`,
    note: (key, value) => `<note key="${escapeXml(visibleName(key))}">${escapeXml(value)}</note>\n`,
    turn: (turn, content) => `<turn${attributesOf(turn, true)}>${escapeXml(content)}</turn>\n`,
    memories: renderedList(counter, memoryElement, `<!-- ${weakHeading} -->`),
  };
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

/** Writes an item of a list. Indents its further lines, so that no content looks like an item. */
function listItem(text: string): string {
  return `- ${replaceLineBreaks(text, "\n  ")}\n`;
}

function dayOf(memory: ShownMemory, zone: TimeZone): string {
  return dateOf(happenedAt(memory), zone);
}
