import type { JSX } from "preact";
import { type Proposal, ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { ProposalView } from "#gen/vademecum/v1/proposal_service_pb.js";
import { place, replaceQuery } from "../location.js";
import { usePaged } from "../pages/paged.js";
import { Moment } from "../parts/moment.js";
import { Empty, FailureNote, Loading } from "../parts/notes.js";
import { Press } from "../parts/press.js";
import { hrefOf } from "../router.js";
import { proposals } from "../rpc.js";
import { ShortId, Text } from "../text.js";

const statuses: Readonly<Record<string, ProposalStatus>> = {
  approved: ProposalStatus.APPROVED,
  rejected: ProposalStatus.REJECTED,
  conflicted: ProposalStatus.CONFLICTED,
  expired: ProposalStatus.EXPIRED,
};

/** What was decided: who, when, what and why. */
export function DecidedPage(): JSX.Element {
  const { status = "", user = "" } = place.value.query;
  const { items, isComplete, isLoading, error, more } = usePaged(
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
  return (
    <section class="page" aria-label="Decided proposals">
      <h1>Decided</h1>
      <DecidedFilter status={status} user={user} />
      {error !== undefined && <FailureNote error={error} onRetry={more} />}
      {items.length === 0 && isComplete ? (
        <Empty title="Nothing was decided">
          <p>Decisions appear here, with their reasons.</p>
        </Empty>
      ) : (
        <table>
          <thead>
            <tr>
              <th>outcome</th>
              <th>target</th>
              <th>user</th>
              <th>agent</th>
              <th>decided by</th>
              <th>when</th>
              <th>reason</th>
            </tr>
          </thead>
          <tbody>
            {items.map((proposal) => (
              <DecidedRow
                key={`${proposal.namespace?.userId} ${proposal.id}`}
                proposal={proposal}
              />
            ))}
          </tbody>
        </table>
      )}
      {isLoading && <Loading what="decisions" />}
      {!isComplete && !isLoading && <Press onPress={more}>More</Press>}
    </section>
  );
}

function DecidedRow({ proposal }: { readonly proposal: Proposal }): JSX.Element {
  const { namespace, target, id, decidedBy, decidedFor, decideTime } = proposal;
  const outcome = Object.keys(statuses).find((it) => statuses[it] === proposal.status);
  const userId = namespace?.userId ?? "";
  return (
    <tr>
      <td>
        <a href={hrefOf(["inbox", userId, id])}>{outcome}</a>
        {proposal.editedNewString !== undefined && " with edits"}
      </td>
      <td>
        {target.case === "memoryId" ? (
          <>
            memory <ShortId value={target.value} />
          </>
        ) : (
          <Text value={target.value ?? ""} />
        )}
      </td>
      <td>
        <Text value={userId} />
      </td>
      <td>
        <Text value={namespace?.agentId ?? ""} />
      </td>
      <td>
        <Text value={decidedBy ?? "–"} />
        {decidedFor !== undefined && (
          <>
            {" for "}
            <Text value={decidedFor} />
          </>
        )}
      </td>
      <td>
        <Moment time={decideTime} />
      </td>
      <td class="wide">
        <Text value={proposal.decisionReason ?? ""} />
      </td>
    </tr>
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
