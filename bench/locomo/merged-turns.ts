import { randomNumbers } from "../harness/sample-texts.js";
import type { Conversation, Turn } from "./conversations.js";

/** A run is a number of consecutive turns of a session: 6 to 10. */
const shortestRun = 6;
const longestRun = 10;

/**
 * Which runs of turns become one memory: `long` merges every run of six to ten turns of a session,
 * `mixed` merges every second run.
 */
export type Merging = "long" | "mixed";

/**
 * Merges runs of turns, so that a conversation has long messages. A question's evidence becomes the
 * runs that hold its evidence turns. The memories have no author: two persons speak in a merged
 * memory, and an author would favour the memories of single turns.
 */
export function mergeTurns(conversation: Conversation, merging: Merging): Conversation {
  const runs = runsOf(conversation.turns);
  const turns: Turn[] = [];
  const mergedIds = new Map<string, string>();
  for (const [position, run] of runs.entries()) {
    const isMerged = merging === "long" || position % 2 === 0;
    turns.push(...(isMerged ? [merge(run)] : run.map(withoutAuthor)));
    for (const { id } of run) mergedIds.set(id, isMerged ? (run[0] as Turn).id : id);
  }
  const questions = conversation.questions.map((question) => ({
    ...question,
    evidence: [...new Set(question.evidence.map((id) => mergedIds.get(id) ?? id))],
  }));
  return { ...conversation, turns, questions };
}

/** Cuts each session into runs. The same turns always give the same runs. */
function runsOf(turns: readonly Turn[]): readonly (readonly Turn[])[] {
  const random = randomNumbers(1);
  const runs: Turn[][] = [];
  let wanted = 0;
  for (const turn of turns) {
    const run = runs.at(-1);
    if (run === undefined || run.length === wanted || run[0]?.session !== turn.session) {
      runs.push([turn]);
      wanted = shortestRun + Math.floor(random() * (longestRun - shortestRun + 1));
    } else run.push(turn);
  }
  return runs;
}

function merge(run: readonly Turn[]): Turn {
  const content = run.map((turn) => turn.content).join("\n");
  return { ...withoutAuthor(run[0] as Turn), content };
}

function withoutAuthor(turn: Turn): Turn {
  const { author: _, ...others } = turn;
  return others;
}
