import type { Command } from "commander";
import { type Proposal, ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { countPhrase } from "../core/text/count-phrase.js";
import {
  addUserChoice,
  callServer,
  connectedCommand,
  connectionConfigOf,
  optionalUserOf,
} from "./client-command.js";
import { coloursOf } from "./colours.js";
import { type CommandIo, printLine } from "./command-io.js";
import { allProposals, type ProposalName } from "./find-proposals.js";
import { printableLine } from "./printable.js";
import { openQuestions } from "./reviews/questions.js";
import { type Outcome, reviewOne } from "./reviews/review-one.js";
import { shortId } from "./short-ids.js";

const examples = `
Examples:
  $ vademecum review
  $ vademecum review --user ada

Shows one edit a screen, the oldest first and those of one text together, with the changed words in
colour, as the edit would change the text now. Answer with one key: y approves, n rejects and asks for
a reason, e opens the new text in the editor of VISUAL or EDITOR, s leaves the edit for later, v shows
what did not fit on the screen, q ends the review. What is decided stays decided. In a pipe, give one
letter a line.`;

/** Creates the command `review`, which decides on pending edits, one after the other. */
export function reviewCommand(io: CommandIo): Command {
  const command = addUserChoice(
    connectedCommand("review", "Decide on pending edits, one after the other."),
  ).addHelpText("after", examples);
  return command.action(async () => {
    const userId = optionalUserOf(command, io);
    await callServer(command, io, async ({ connection, options }) => {
      const choice = { userId, status: ProposalStatus.PENDING };
      const found: Proposal[] = [];
      for await (const proposal of allProposals(connection, choice, options))
        found.unshift(proposal);
      const names = byTarget(found);
      if (names.length === 0) {
        const whose = userId === undefined ? "" : ` of user '${printableLine(userId)}'`;
        await printLine(io.stdout, `No pending edits${whose}.`);
        return;
      }
      const questions = openQuestions(io);
      const parts = {
        io,
        proposals: connection.proposals,
        options,
        questions,
        colours: coloursOf(io),
        server: connectionConfigOf(command, io).server,
      };
      const ids = names.map(({ id }) => id);
      const outcomes: Outcome[] = [];
      try {
        let before = "";
        for (const [at, name] of names.entries()) {
          const place = `${at + 1} of ${names.length}  ${shortId(name.id, ids)}`;
          const { outcome, text } = await reviewOne(parts, { name, place, before });
          before = text;
          if (outcome === "quit") break;
          outcomes.push(outcome);
        }
        // No screen follows that would show it.
        if (io.stdout.isTTY === true && before !== "") await printLine(io.stdout, before);
      } finally {
        questions.close();
      }
      await printLine(io.stdout, summaryText(outcomes, names.length));
    });
  });
}

/**
 * Orders edits, of which the oldest are first, so that those of one text follow each other. The
 * text with the oldest edit is first.
 */
function byTarget(proposals: readonly Proposal[]): ProposalName[] {
  const groups = new Map<string, ProposalName[]>();
  for (const { id, namespace, target } of proposals) {
    const userId = namespace?.userId ?? "";
    const agentId = target.case === "memoryId" ? namespace?.agentId : "";
    const key = JSON.stringify([userId, agentId, target.case, target.value]);
    groups.set(key, [...(groups.get(key) ?? []), { id, userId }]);
  }
  return [...groups.values()].flat();
}

/** Says what became of the edits. */
function summaryText(outcomes: readonly Outcome[], all: number): string {
  const counts = (["approved", "rejected", "skipped", "failed"] as const)
    .map((outcome) => [outcomes.filter((it) => it === outcome).length, outcome] as const)
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${count} ${outcome}`);
  const left = all - outcomes.filter((it) => it === "approved" || it === "rejected").length;
  return `${[...counts, `${countPhrase(left, "edit")} left`].join(", ")}.`;
}
