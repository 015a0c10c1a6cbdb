import type { CallOptions } from "@connectrpc/connect";
import { type Proposal, ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import type { Connection } from "./connection.js";
import { printableLine } from "./printable.js";
import { hasShortId, isWholeId, missing, onlyOne } from "./short-ids.js";

/** Proposals on one page when a command reads all of them: the most that the server allows. */
const pageProposals = 1000;

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
  if (userId !== undefined)
    for (const id of given) if (isWholeId(id)) found.set(id, { userId, id });
  for (const status of [ProposalStatus.PENDING, ProposalStatus.UNSPECIFIED]) {
    const wanted = given.filter((id) => !found.has(id));
    if (wanted.length === 0) break;
    const matches = new Map<string, ProposalName[]>(wanted.map((id) => [id, []]));
    for await (const proposal of allProposals(connection, { userId, status }, options))
      for (const [id, named] of matches)
        if (hasShortId(proposal.id, id))
          named.push({ userId: proposal.namespace?.userId ?? "", id: proposal.id });
    for (const [id, named] of matches) {
      const only = onlyOne(named, id, "proposals");
      if (only !== undefined) found.set(id, only);
    }
  }
  const whose = userId === undefined ? "you may see no" : `user '${printableLine(userId)}' has no`;
  return given.map((id) => found.get(id) ?? missing(id, `${whose} proposal`, "proposals"));
}
