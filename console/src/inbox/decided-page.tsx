import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type Proposal, ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { ProposalView } from "#gen/vademecum/v1/proposal_service_pb.js";
import { place, replaceQuery } from "../location.js";
import { usePaged } from "../pages/paged.js";
import { Moment } from "../parts/moment.js";
import { Empty } from "../parts/notes.js";
import { Press } from "../parts/press.js";
import { type Column, PagedTable } from "../parts/table.js";
import { hrefOf } from "../router.js";
import { proposals } from "../rpc.js";
import { ShortId, Text } from "../text.js";
import { checkUndone, isUndone } from "./undone.js";

const statuses: Readonly<Record<string, ProposalStatus>> = {
  approved: ProposalStatus.APPROVED,
  rejected: ProposalStatus.REJECTED,
  conflicted: ProposalStatus.CONFLICTED,
  expired: ProposalStatus.EXPIRED,
};

const columns: readonly Column<Proposal>[] = [
  {
    head: "outcome",
    cell: (proposal) => (
      <>
        <a href={hrefOf(["inbox", proposal.namespace?.userId ?? "", proposal.id])}>
          {isUndone(proposal)
            ? "undone"
            : Object.keys(statuses).find((name) => statuses[name] === proposal.status)}
        </a>
        {proposal.editedNewString !== undefined && " with edits"}
        {isUndone(proposal) && " after the approval"}
        {proposal.textsRemoved && ", deleted since"}
      </>
    ),
  },
  {
    head: "target",
    cell: ({ target }) =>
      target.case === "memoryId" ? (
        <>
          memory <ShortId value={target.value} />
        </>
      ) : (
        <Text value={target.value ?? ""} />
      ),
  },
  { head: "user", cell: ({ namespace }) => <Text value={namespace?.userId ?? ""} /> },
  { head: "agent", cell: ({ namespace }) => <Text value={namespace?.agentId ?? ""} /> },
  {
    head: "decided by",
    cell: ({ decidedBy = "–", decidedFor }) => (
      <Text value={decidedFor === undefined ? decidedBy : `${decidedBy} for ${decidedFor}`} />
    ),
  },
  { head: "when", cell: ({ decideTime }) => <Moment time={decideTime} /> },
  {
    head: "reason",
    kind: "wide",
    cell: ({ decisionReason }) => <Text value={decisionReason ?? ""} />,
  },
];

/** What was decided: who, when, what and why. */
export function DecidedPage(): JSX.Element {
  const { status = "", user = "" } = place.value.query;
  const list = usePaged(
    async (pageToken, signal) => {
      const response = await proposals.listProposals(
        {
          limit: 100,
          pageToken,
          view: ProposalView.SUMMARY,
          status: statuses[status] ?? ProposalStatus.UNSPECIFIED,
          ...(user !== "" && { userId: user }),
        },
        { signal },
      );
      const decided = response.proposals.filter((it) => it.status !== ProposalStatus.PENDING);
      return { items: decided, nextPageToken: response.nextPageToken };
    },
    [status, user],
  );
  useEffect(() => void checkUndone(list.items), [list.items]);
  return (
    <section class="page" aria-label="Decided proposals">
      <h1>Decided</h1>
      <DecidedFilter status={status} user={user} />
      <PagedTable
        label="Decisions"
        columns={columns}
        list={list}
        keyOf={({ namespace, id }) => `${namespace?.userId} ${id}`}
        empty={
          <Empty title="Nothing was decided">
            <p>Decisions appear here, with their reasons.</p>
          </Empty>
        }
      />
    </section>
  );
}

function DecidedFilter({ status, user }: { readonly status: string; readonly user: string }) {
  return (
    <div class="filter-bar">
      <label>
        <span class="faint">outcome</span>{" "}
        <select
          value={status}
          onChange={({ currentTarget }) => replaceQuery({ status: currentTarget.value })}
        >
          <option value="">any</option>
          {Object.keys(statuses).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {user !== "" && (
        <Press onPress={() => replaceQuery({ user: "" })}>
          user <Text value={user} /> ✕
        </Press>
      )}
    </div>
  );
}
