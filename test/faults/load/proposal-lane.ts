import type { Memory } from "#gen/vademecum/v1/memory_pb.js";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import type { Connection } from "../../e2e/harness/protocols.js";
import {
  type BlockEdit,
  createUserClient,
  type UserClient,
} from "../../e2e/harness/user-client.js";
import { endOf } from "./failures.js";
import type { Lane, LaneParts, Sent } from "./lane.js";
import { orMissing } from "./missing.js";

type Decision = "approve" | "reject" | "delete target";

/** A block or memory, a proposed edit of it, and the decision about the edit. */
interface Episode {
  readonly label: string;
  readonly before: string;
  readonly after: string;
  /** `undefined`: the target is the block of this label. */
  memoryId: string | undefined;
  readonly isMemory: boolean;
  proposalId: string | undefined;
  /** The decision, once it was acknowledged or its outcome was seen. */
  decided: Decision | undefined;
}

/** The state of an episode, as the server returns it. */
interface Found {
  readonly status: ProposalStatus | undefined;
  readonly hasTexts: boolean;
  /** `undefined`: the target does not exist. */
  readonly text: string | undefined;
  readonly version: bigint | undefined;
}

/** Number of decided episodes that are checked again after later faults. */
const rememberedMax = 5;

/** The status that a proposal must have, by the decision about it. */
const statuses: Readonly<Record<Decision | "pending", ProposalStatus>> = {
  approve: ProposalStatus.APPROVED,
  reject: ProposalStatus.REJECTED,
  "delete target": ProposalStatus.CONFLICTED,
  pending: ProposalStatus.PENDING,
};

/**
 * Creates a lane that proposes edits of blocks and memories of its own, and approves and rejects
 * them, or deletes their targets.
 */
export function createProposalLane({ userId, name, random, tally }: LaneParts): Lane {
  const past: Episode[] = [];
  let episode = nextEpisode(0);
  let isBlockCreated = false;
  let count = 0;
  let unknown: { readonly step: "create" | "propose" | Decision } | undefined;

  function nextEpisode(number: number): Episode {
    return {
      label: `${name} ${number}`,
      before: `${name}e${number} reads one book a week.`,
      after: `${name}e${number} reads one book and two papers a week.`,
      isMemory: random.chance(0.5),
      memoryId: undefined,
      proposalId: undefined,
      decided: undefined,
    };
  }

  const editOf = ({ label, memoryId }: Episode): BlockEdit => ({
    ...(memoryId === undefined ? { label } : { memoryId }),
    old: "one book",
    new: "one book and two papers",
    idempotencyKey: label,
  });

  const clientOf = (connection: Connection): UserClient =>
    createUserClient(connection, { userId, agentId: `${name} edits` });

  function begin(): void {
    if (episode.decided !== undefined) past.push(episode);
    if (past.length > rememberedMax) past.shift();
    count += 1;
    episode = nextEpisode(count);
    isBlockCreated = false;
  }

  function nextStep(): "create" | "propose" | Decision {
    if (episode.proposalId !== undefined)
      return random.pick(["approve", "approve", "approve", "reject", "delete target"]);
    const isCreated = episode.isMemory ? episode.memoryId !== undefined : isBlockCreated;
    return isCreated ? "propose" : "create";
  }

  async function take(user: UserClient, step: "create" | "propose" | Decision): Promise<void> {
    const { label, before, isMemory, memoryId, proposalId = "" } = episode;
    if (step === "create") {
      if (isMemory) episode.memoryId = (await user.memories.add(before)).id;
      else await user.put(before, { label });
      isBlockCreated = !isMemory;
    } else if (step === "propose") {
      episode.proposalId = await user.proposed(editOf(episode));
    } else {
      if (step === "approve") await user.approve(proposalId);
      else if (step === "reject") await user.reject(proposalId);
      else if (memoryId === undefined) await user.blocks.deleteBlock({ userId, label });
      else await user.memories.delete(memoryId);
      episode.decided = step;
    }
  }

  return {
    async send(connection): Promise<Sent> {
      const step = nextStep();
      try {
        await take(clientOf(connection), step);
      } catch (error) {
        const end = endOf(error);
        if (end === "unknown") {
          unknown = { step };
          tally.count("unknown outcomes");
        }
        return end;
      }
      tally.count("acknowledged");
      if (episode.decided !== undefined) begin();
      return "answered";
    },
    async check(connection) {
      const user = clientOf(connection);
      for (const one of past) await checkDecided(user, one);
      if (unknown?.step === "create") begin();
      else if (unknown?.step === "propose") await checkProposed(user);
      else if (unknown !== undefined) await checkDecision(user, unknown.step);
      unknown = undefined;
    },
  };

  /** Repeats the proposal: there must be exactly one. */
  async function checkProposed(user: UserClient): Promise<void> {
    episode.proposalId = await user.proposed(editOf(episode));
    tally.count("repeated");
    const { proposals } = await user.proposals.listProposals({ userId, limit: 1000 });
    const ofTarget = proposals.filter(({ target }) =>
      episode.memoryId === undefined
        ? target.case === "blockLabel" && target.value === episode.label
        : target.case === "memoryId" && target.value === episode.memoryId,
    );
    if (ofTarget.length > 1) tally.harm("doubled", `${episode.label}: proposed twice`);
    if (ofTarget.length === 0) tally.harm("lost", `${episode.label}: no proposal`);
  }

  async function checkDecision(user: UserClient, step: Decision): Promise<void> {
    const found = await look(user, episode);
    if (found.status !== ProposalStatus.PENDING) {
      tally.count("unknown, applied");
      episode.decided = step;
    }
    expectState(episode, found);
    if (step !== "approve") return begin();
    // Approving again must not apply the edit again.
    await user.approve(episode.proposalId ?? "");
    tally.count("repeated");
    episode.decided = "approve";
    await checkDecided(user, episode);
    const { hits } = await user.memories.search(episode.after, { limit: 5 });
    if (episode.isMemory && !hits.some(({ memory }) => memory?.content === episode.after))
      tally.harm("not searchable", `${episode.label}: '${episode.after}'`);
    begin();
  }

  async function checkDecided(user: UserClient, one: Episode): Promise<void> {
    expectState(one, await look(user, one));
  }

  function expectState(one: Episode, { status, hasTexts, text, version }: Found): void {
    const { decided = "pending", label, before, after } = one;
    const what = `${label}: ${decided}, found status ${status}, version ${version}, '${text}'`;
    if (status !== statuses[decided]) {
      tally.harm("lost", what);
      return;
    }
    const expected = {
      approve: { text: after, version: 2n },
      reject: { text: before, version: 1n },
      pending: { text: before, version: 1n },
      "delete target": { text: undefined, version: undefined },
    }[decided];
    if (text !== expected.text) tally.harm("half approved", what);
    else if (version !== expected.version) tally.harm("doubled", what);
    if (hasTexts !== (decided !== "delete target"))
      tally.harm("half approved", `${what}; texts of the proposal: ${hasTexts}`);
  }
}

async function look(
  user: UserClient,
  { label, memoryId, proposalId = "" }: Episode,
): Promise<Found> {
  const { proposal } = await user.proposal(proposalId);
  const target = await orMissing<{ version: bigint; body: string } | Memory>(
    memoryId === undefined ? user.block(label) : user.memories.get(memoryId),
  );
  const text = target && ("body" in target ? target.body : target.content);
  const hasTexts = proposal !== undefined && !proposal.textsRemoved && proposal.oldString !== "";
  return { status: proposal?.status, hasTexts, text, version: target?.version };
}
