import fc from "fast-check";
import { expect } from "vitest";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { withContent } from "../load/oracle.js";
import {
  anyNumber,
  commandOf,
  expectFailure,
  isKeyed,
  type ModelCommand,
  sendCall,
} from "./command.js";
import {
  agentCount,
  at,
  type Model,
  namespaceCount,
  noteDeletion,
  type ProposalModel,
  pickFrom,
  userCount,
  userOf,
  withdraw,
} from "./model.js";
import type { Real } from "./real.js";

const user = fc.nat({ max: userCount - 1 });
const label = fc.constantFrom("style", "style/", "plan");

/** The client of a user, by the first agent. Blocks and proposals belong to the user. */
const clientOf = (real: Real, of: number) => real.user(of * agentCount);

const put = commandOf(
  "PutBlock",
  fc.record({ user, label, keyed: isKeyed, version: fc.constantFrom("any", "right", "stale") }),
  async ({ user: of, label: name, keyed, version }, model, real) => {
    const body = `${real.word()} body`;
    const versions = at(model.blocks, of).get(name) ?? [];
    const expectedVersion = { any: undefined, right: versions.length, stale: versions.length + 7 }[
      version
    ];
    const expected =
      expectedVersion === undefined ? {} : { expectedVersion: BigInt(expectedVersion) };
    const send = (key: object) =>
      clientOf(real, of).put(body, { label: name, ...expected, ...key });
    if (version === "stale") return expectFailure(send({}), "VERSION_MISMATCH");
    const block = await sendCall({ model, real }, "PutBlock", keyed, send, {
      targetOf: () => `block ${of} ${name}`,
    });
    expect(block).toMatchObject({ body, version: BigInt(versions.length + 1) });
    at(model.blocks, of).set(name, [...versions, body]);
  },
);

/** Compares the blocks of a user, and all versions of the block `name`, with the model. */
export async function expectBlocks(
  model: Model,
  real: Real,
  of: number,
  name: string,
): Promise<void> {
  const blocks = at(model.blocks, of);
  const user = clientOf(real, of);
  const { userId } = user;
  const listed = (await user.blocks.listBlocks({ userId, limit: 100 })).blocks;
  const expected = [...blocks].map(([key, bodies]) => [key, bodies.at(-1), bodies.length]);
  expect(listed.map((block) => [block.label, block.body, Number(block.version)])).toEqual(
    expected.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
  const bodies = blocks.get(name);
  if (bodies === undefined) return expectFailure(user.versions(name), "BLOCK_NOT_FOUND");
  expect((await user.versions(name)).map(({ body }) => body)).toEqual(bodies.toReversed());
}

const readBlocks = commandOf("ListBlocks", fc.record({ user, label }), (given, model, real) =>
  expectBlocks(model, real, given.user, given.label),
);

const deleteBlock = commandOf(
  "DeleteBlock",
  fc.record({ user, label, keyed: isKeyed }),
  async ({ user: of, label: name, keyed }, model, real) => {
    const { deleted } = await sendCall({ model, real }, "DeleteBlock", keyed, (key) => {
      const { userId, blocks } = clientOf(real, of);
      return blocks.deleteBlock({ userId, label: name, ...key });
    });
    expect(deleted).toBe(at(model.blocks, of).delete(name));
    if (deleted) noteDeletion(model, `block ${of} ${name}`);
    if (deleted)
      withdraw(
        at(model.proposals, of),
        ({ target }) => target.kind === "block" && target.name === name,
      );
  },
);

const restore = commandOf(
  "RestoreBlock",
  fc.record({ user, label, number: anyNumber }),
  async ({ user: of, label: name, number }, model, real) => {
    const { userId, blocks } = clientOf(real, of);
    const versions = at(model.blocks, of).get(name);
    const version = 1 + (number % ((versions?.length ?? 0) + 2));
    const restoring = blocks.restoreBlock({ userId, label: name, version: BigInt(version) });
    if (versions === undefined) return expectFailure(restoring, "BLOCK_NOT_FOUND");
    const body = versions[version - 1];
    if (body === undefined) return expectFailure(restoring, "BLOCK_VERSION_NOT_FOUND");
    expect((await restoring).block).toMatchObject({ body, version: BigInt(versions.length + 1) });
    at(model.blocks, of).set(name, [...versions, body]);
  },
);

/** Returns the present text of a target; `undefined` if it was deleted. */
function textOf(
  model: Model,
  of: number,
  { namespace, target }: ProposalModel,
): string | undefined {
  return target.kind === "block"
    ? at(model.blocks, of).get(target.name)?.at(-1)
    : at(model.memories, namespace).get(target.name)?.content;
}

const propose = commandOf(
  "ProposeEdit",
  fc.record({
    namespace: fc.nat({ max: namespaceCount - 1 }),
    target: fc.oneof(
      fc.record({ kind: fc.constant("block" as const), label }),
      fc.record({ kind: fc.constant("memory" as const), number: anyNumber }),
    ),
    keyed: isKeyed,
  }),
  async ({ namespace, target, keyed }, model, real) => {
    const of = userOf(namespace);
    const name =
      target.kind === "block"
        ? target.label
        : (pickFrom(at(model.memories, namespace).keys(), target.number) ??
          // The agent has no memories, so this picks a memory of another agent.
          pickFrom(
            model.memories.flatMap((memories) => [...memories.keys()]),
            target.number,
          ));
    if (name === undefined) return;
    const base = { namespace, target: { kind: target.kind, name } };
    const draft = { ...base, id: "", old: "", new: `${real.word()} edited`, hasTexts: true };
    const old = textOf(model, of, { ...draft, status: "PENDING" });
    const edit = {
      ...(target.kind === "block" ? { label: name } : { memoryId: name }),
      old: old ?? "anything",
      new: draft.new,
    };
    if (old === undefined) {
      const reason = target.kind === "block" ? "BLOCK_NOT_FOUND" : "MEMORY_NOT_FOUND";
      return expectFailure(real.user(namespace).propose(edit), reason);
    }
    const { proposal } = await sendCall({ model, real }, "ProposeEdit", keyed, (key) =>
      real.user(namespace).propose({ ...edit, ...key }),
    );
    expect(proposal).toMatchObject({ status: ProposalStatus.PENDING, newString: draft.new });
    at(model.proposals, of).push({ ...draft, id: proposal?.id ?? "", old, status: "PENDING" });
  },
);

/** Picks a proposal, of another user if `foreign`. `undefined`: there is none. */
function proposalFor(
  model: Model,
  of: number,
  number: number,
  foreign: boolean,
): ProposalModel | undefined {
  return pickFrom(
    model.proposals.flatMap((proposals, i) => ((i === of) !== foreign ? proposals : [])),
    number,
  );
}

const decision = fc.record({ user, number: anyNumber, foreign: fc.boolean() });

const approve = commandOf("ApproveProposal", decision, async (given, model, real) => {
  const { user: of, number, foreign } = given;
  const proposal = proposalFor(model, of, number, foreign);
  if (proposal === undefined) return;
  const approving = clientOf(real, of).approve(proposal.id);
  if (foreign) return expectFailure(approving, "PROPOSAL_NOT_FOUND");
  const { status } = proposal;
  if (status === "APPROVED") {
    expect(await approving).toMatchObject({ alreadyDecided: true });
    return;
  }
  if (status !== "PENDING") return expectFailure(approving, `PROPOSAL_${status}`);
  const text = textOf(model, of, proposal);
  if (text?.includes(proposal.old) !== true) {
    proposal.status = "CONFLICTED";
    return expectFailure(approving, "PROPOSAL_CONFLICTED");
  }
  expect(await approving).toMatchObject({ alreadyDecided: false });
  proposal.status = "APPROVED";
  const { kind, name } = proposal.target;
  if (kind === "block") at(model.blocks, of).get(name)?.push(proposal.new);
  else
    model.memories[proposal.namespace] = withContent(
      at(model.memories, proposal.namespace),
      name,
      proposal.new,
    );
});

const reject = commandOf("RejectProposal", decision, async (given, model, real) => {
  const { user: of, number, foreign } = given;
  const proposal = proposalFor(model, of, number, foreign);
  if (proposal === undefined) return;
  const rejecting = clientOf(real, of).reject(proposal.id);
  if (foreign) return expectFailure(rejecting, "PROPOSAL_NOT_FOUND");
  const { status } = proposal;
  if (status === "APPROVED" || status === "CONFLICTED")
    return expectFailure(rejecting, `PROPOSAL_${status}`);
  expect((await rejecting).status).toBe(ProposalStatus.REJECTED);
  proposal.status = "REJECTED";
});

/** Compares the proposals of a user with the model. */
export async function expectProposals(model: Model, real: Real, of: number): Promise<void> {
  const { userId, proposals } = clientOf(real, of);
  const found: unknown[] = [];
  for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
    const page = await proposals.listProposals({ userId, limit: 1000, pageToken });
    found.push(
      ...page.proposals.map((one) => [
        one.id,
        ProposalStatus[one.status],
        one.oldString,
        one.newString,
      ]),
    );
    pageToken = page.nextPageToken === "" ? undefined : page.nextPageToken;
  }
  const expected = at(model.proposals, of).map(({ id, status, hasTexts, ...texts }) =>
    hasTexts ? [id, status, texts.old, texts.new] : [id, status, "", ""],
  );
  const byId = (list: readonly unknown[]) => list.map((line) => JSON.stringify(line)).toSorted();
  expect(byId(found)).toEqual(byId(expected));
}

const readProposals = commandOf("ListProposals", fc.record({ user }), (given, model, real) =>
  expectProposals(model, real, given.user),
);

/** Commands about blocks and proposals, with how often each is chosen. */
export const editingCommands: readonly fc.WeightedArbitrary<ModelCommand>[] = [
  { weight: 6, arbitrary: put },
  { weight: 2, arbitrary: readBlocks },
  { weight: 1, arbitrary: deleteBlock },
  { weight: 2, arbitrary: restore },
  { weight: 6, arbitrary: propose },
  { weight: 5, arbitrary: approve },
  { weight: 3, arbitrary: reject },
  { weight: 2, arbitrary: readProposals },
];
