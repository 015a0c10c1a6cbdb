import type { CallOptions } from "@connectrpc/connect";
import { type Proposal, ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { CommandFailure } from "./command-io.js";
import type { Connection } from "./connection.js";
import { printableLine } from "./printable.js";

/** Proposals on one page when a command reads all of them: the most that the server allows. */
const pageProposals = 1000;

/** The fewest characters of an id that a command accepts. */
const idMinCharacters = 4;

/** The proposals that a command is about. */
export interface ProposalChoice {
  /** The user. Absent: all users whom the caller may name. */
  readonly userId: string | undefined;
  /** The status. Default: any. */
  readonly status?: ProposalStatus;
}

/** Yields proposals, newest first, without their diffs. */
export async function* allProposals(
  { proposals }: Pick<Connection, "proposals">,
  { userId, status = ProposalStatus.UNSPECIFIED }: ProposalChoice,
  options: CallOptions,
): AsyncGenerator<Proposal> {
  const fields = { ...(userId !== undefined && { userId }), status, limit: pageProposals };
  let pageToken = "";
  do {
    const page = await proposals.listProposals({ ...fields, pageToken }, options);
    yield* page.proposals;
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
}

/** The user and the id of a proposal. */
export interface ProposalName {
  readonly userId: string;
  readonly id: string;
}

/**
 * Finds the proposals that ids name. An id can be shortened to its beginning or its end where only
 * one proposal has it. Pending proposals come first: another one is meant only if no pending one
 * has the id.
 *
 * @throws CommandFailure when no proposal, or more than one, has an id
 */
export async function findProposals(
  connection: Pick<Connection, "proposals">,
  given: readonly string[],
  userId: string | undefined,
  options: CallOptions,
): Promise<readonly ProposalName[]> {
  const found = new Map<string, ProposalName>();
  // The server says best what is wrong with a whole id of a user.
  if (userId !== undefined) for (const id of given) if (isWhole(id)) found.set(id, { userId, id });
  for (const status of [ProposalStatus.PENDING, ProposalStatus.UNSPECIFIED]) {
    const wanted = given.filter((id) => !found.has(id));
    if (wanted.length === 0) break;
    const matches = new Map<string, ProposalName[]>(wanted.map((id) => [id, []]));
    for await (const proposal of allProposals(connection, { userId, status }, options))
      for (const [id, named] of matches)
        if (isNamed(proposal.id, id))
          named.push({ userId: proposal.namespace?.userId ?? "", id: proposal.id });
    for (const [id, named] of matches) {
      if (named.length > 1) throw ambiguous(id, named);
      if (named[0] !== undefined) found.set(id, named[0]);
    }
  }
  return given.map((id) => found.get(id) ?? missing(id, userId));
}

/** Returns the shortest end of an id that no other of the ids has, at least 6 characters. */
export function shortId(id: string, all: readonly string[]): string {
  for (let length = 6; length < id.length; length++) {
    const end = id.slice(-length);
    if (all.every((other) => other === id || !other.endsWith(end))) return end;
  }
  return id;
}

function isWhole(id: string): boolean {
  return id.length >= 36;
}

function isNamed(id: string, given: string): boolean {
  if (given.length < idMinCharacters) return false;
  const text = given.toLowerCase();
  return id.startsWith(text) || id.endsWith(text);
}

function ambiguous(given: string, named: readonly ProposalName[]): CommandFailure {
  const ids = named.slice(0, 5).map(({ id, userId }) => `${id} of user '${printableLine(userId)}'`);
  return new CommandFailure(`several proposals have '${given}' in their ids: ${ids.join(", ")}`);
}

function missing(given: string, userId: string | undefined): never {
  const whose = userId === undefined ? "you may see no" : `user '${printableLine(userId)}' has no`;
  const hint =
    given.length < idMinCharacters
      ? `give at least ${idMinCharacters} characters of the id`
      : "see `vademecum proposals`";
  throw new CommandFailure(`${whose} proposal '${printableLine(given)}'; ${hint}`);
}
