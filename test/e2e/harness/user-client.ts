import { type Client, createClient } from "@connectrpc/connect";
import type { Block, BlockVersion } from "#gen/vademecum/v1/block_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryProvider, type ProposeEditResponse } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import {
  type ApproveProposalResponse,
  type GetProposalResponse,
  ProposalService,
  ProposalView,
  type WatchProposalsResponse,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import { createNamespaceClient, type NamespaceClient, required } from "./namespace-client.js";
import type { Connection } from "./protocols.js";

/**
 * An edit of the memory `memoryId` or, without this id, of the block `label` (default `student`).
 */
export interface BlockEdit {
  readonly label?: string;
  readonly memoryId?: string;
  readonly old?: string;
  readonly new?: string;
  readonly newBody?: string;
  readonly append?: string;
  readonly reasoning?: string;
  readonly replaceAll?: boolean;
  readonly idempotencyKey?: string;
}

/** Calls about one user's blocks and proposals, by an agent of that user. */
export interface UserClient {
  readonly userId: string;
  /** The agent's own memories. */
  readonly memories: NamespaceClient;
  readonly blocks: Client<typeof BlockService>;
  readonly proposals: Client<typeof ProposalService>;
  /** Writes a block, by default with the label `student`. */
  put(
    body: string,
    fields?: { label?: string; title?: string; expectedVersion?: bigint; idempotencyKey?: string },
  ): Promise<Block>;
  block(label?: string): Promise<Block>;
  versions(label?: string): Promise<BlockVersion[]>;
  propose(edit: BlockEdit): Promise<ProposeEditResponse>;
  /** Proposes an edit and returns its id. */
  proposed(edit: BlockEdit): Promise<string>;
  approve(
    id: string,
    fields?: {
      editedNewString?: string;
      idempotencyKey?: string;
      expectedVersion?: bigint;
      note?: string;
    },
  ): Promise<ApproveProposalResponse>;
  reject(id: string, reason?: string): Promise<Proposal>;
  proposal(id: string, view?: ProposalView): Promise<GetProposalResponse>;
  /** Watches until `end` is called. `next` awaits the events one by one. */
  watch(): { next(): Promise<Proposal>; end(): void };
}

const defaultLabel = "student";

/** Creates the client of an agent over a connection. */
export function createUserClient(
  { transport }: Connection,
  namespace: { readonly userId: string; readonly agentId: string },
): UserClient {
  const provider = createClient(MemoryProvider, transport);
  const blocks = createClient(BlockService, transport);
  const proposals = createClient(ProposalService, transport);
  const { userId } = namespace;
  const propose = ({
    label = defaultLabel,
    memoryId,
    old = "",
    new: newString = "",
    newBody,
    append,
    ...fields
  }: BlockEdit) =>
    provider.proposeEdit({
      reasoning: "the user said so",
      ...fields,
      ...(newBody !== undefined && { change: { case: "newBody", value: newBody } }),
      ...(append !== undefined && { change: { case: "append", value: append } }),
      namespace,
      target:
        memoryId === undefined
          ? { case: "blockLabel", value: label }
          : { case: "memoryId", value: memoryId },
      oldString: old,
      newString,
    });
  return {
    userId,
    memories: createNamespaceClient(provider, namespace),
    blocks,
    proposals,
    put: async (body, fields = {}) => {
      const { block } = await blocks.putBlock({ label: defaultLabel, ...fields, userId, body });
      return required(block, "PutBlock answered without a block");
    },
    block: async (label = defaultLabel) =>
      required(
        (await blocks.getBlock({ userId, label })).block,
        "GetBlock answered without a block",
      ),
    versions: async (label = defaultLabel) =>
      (await blocks.listBlockVersions({ userId, label, limit: 1000 })).versions,
    propose,
    proposed: async (edit) =>
      required((await propose(edit)).proposal, "ProposeEdit answered without a proposal").id,
    approve: (id, fields = {}) => proposals.approveProposal({ ...fields, userId, id }),
    reject: async (id, reason = "") =>
      required(
        (await proposals.rejectProposal({ userId, id, reason })).proposal,
        "RejectProposal answered without a proposal",
      ),
    proposal: (id, view = ProposalView.UNSPECIFIED) => proposals.getProposal({ userId, id, view }),
    watch() {
      const ended = new AbortController();
      const messages = proposals
        .watchProposals({ userId }, { signal: ended.signal })
        [Symbol.asyncIterator]();
      return {
        async next() {
          const { value } = (await messages.next()) as { value?: WatchProposalsResponse };
          return required(value?.proposal, "the stream of WatchProposals ended");
        },
        end: () => ended.abort(),
      };
    },
  };
}
