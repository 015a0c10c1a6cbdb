import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One turn of a dialogue, stored as one memory. */
export interface Turn {
  /** Id within the conversation, such as `D1:3`. */
  readonly id: string;
  /** Absent only in merged conversations. */
  readonly author?: string;
  /** `speaker: text [image: caption]`. */
  readonly content: string;
  readonly session: string;
  /** The start of the session, plus a millisecond per turn for the order within it. */
  readonly eventTimeMs: number;
}

/** The kinds of questions, by their number in the data set. */
export const categories = {
  1: "multi-hop",
  2: "temporal",
  3: "open-domain",
  4: "single-hop",
} as const;
/** The category of questions that sound like the dialogue, but have no answer in it. */
const unanswerable = 5;

export type Category = (typeof categories)[keyof typeof categories];

/** A question and the turns that answer it. */
export interface Question {
  readonly text: string;
  readonly category: Category;
  /** Ids of turns, at least one. */
  readonly evidence: readonly string[];
}

/** One dialogue over many sessions, stored as one namespace. */
export interface Conversation {
  readonly name: string;
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
  /** Questions about things that were never said, in the words of the dialogue. */
  readonly unanswerable: readonly string[];
}

/** The used parts of the data set's JSON. */
interface Sample {
  readonly sample_id: string;
  /**
   * `session_N` holds turns, and `session_N_date_time` their time. The other entries are the
   * speakers' names.
   */
  readonly conversation: Readonly<Record<string, string | readonly SampleTurn[]>>;
  readonly qa: readonly {
    readonly question: string;
    readonly category: number;
    readonly evidence?: readonly string[];
  }[];
}

interface SampleTurn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  readonly blip_caption?: string;
}

/** Reads `dev.json` in a folder: conversations in the format of the LoCoMo data set. */
export function readConversations(folder: string): readonly Conversation[] {
  const samples = JSON.parse(readFileSync(join(folder, "dev.json"), "utf8")) as readonly Sample[];
  return samples.map((sample) => {
    const turns = turnsOf(sample);
    const questions = questionsOf(sample, new Set(turns.map(({ id }) => id)));
    const unanswered = sample.qa.filter(({ category }) => category === unanswerable);
    return {
      name: sample.sample_id,
      turns,
      questions,
      unanswerable: unanswered.map(({ question }) => question),
    };
  });
}

function turnsOf({ conversation }: Sample): Turn[] {
  const sessions = Object.keys(conversation).filter((name) => /^session_\d+$/.test(name));
  sessions.sort((a, b) => sessionNumber(a) - sessionNumber(b));
  return sessions.flatMap((session) => {
    const beginMs = parseDateTime(conversation[`${session}_date_time`] as string);
    return (conversation[session] as readonly SampleTurn[]).map((turn, position) => ({
      id: turn.dia_id,
      author: turn.speaker,
      content: `${turn.speaker}: ${turn.text}${turn.blip_caption ? ` [image: ${turn.blip_caption}]` : ""}`,
      session,
      eventTimeMs: beginMs + position,
    }));
  });
}

function sessionNumber(session: string): number {
  return Number(session.slice("session_".length));
}

/** Parses a time such as `1:56 pm on 8 May, 2023` as UTC. Returns milliseconds since 1970. */
function parseDateTime(text: string): number {
  const [, time, half, date] = /^(\d+:\d+) (am|pm) on (.+)$/.exec(text) ?? [];
  const eventTimeMs = Date.parse(`${date} ${time} ${half} UTC`);
  if (Number.isNaN(eventTimeMs))
    throw new Error(`'${text}' is not a time such as '1:56 pm on 8 May, 2023'`);
  return eventTimeMs;
}

/**
 * Returns the questions with an answer in the turns. An entry of `evidence` can join several ids,
 * or name a turn that does not exist.
 */
function questionsOf({ qa }: Sample, turnIds: ReadonlySet<string>): Question[] {
  return qa.flatMap(({ question, category, evidence = [] }) => {
    const name = (categories as Readonly<Record<number, Category>>)[category];
    const ids = new Set(
      evidence.flatMap((entry) => entry.split(/[;\s,]+/)).filter((id) => turnIds.has(id)),
    );
    return name === undefined || ids.size === 0
      ? []
      : [{ text: question, category: name, evidence: [...ids] }];
  });
}
