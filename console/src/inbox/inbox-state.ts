import { type Proposal, ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";

/** Outcomes that are remembered, to say what happened to a proposal that somebody looks at. */
const outcomesMax = 500;

/** Returns the key of a proposal among those of all users. */
export function keyOf({ namespace, id }: Pick<Proposal, "namespace" | "id">): string {
  return `${namespace?.userId ?? ""}\0${id}`;
}

/**
 * What waits for a decision, as a stream reports it. A stream begins with everything that waits.
 * Until this part is complete, what an earlier stream reported stays, so that a lost connection
 * empties no list.
 */
export class InboxState {
  #waiting = new Map<string, Proposal>();
  #incoming: Map<string, Proposal> | undefined;
  readonly #outcomes = new Map<string, Proposal>();

  /** The proposals that wait, in the order in which they were made. */
  get waiting(): ReadonlyMap<string, Proposal> {
    return this.#waiting.size === 0 && this.#incoming !== undefined
      ? this.#incoming
      : this.#waiting;
  }

  /** The outcomes of proposals that were reported as waiting. */
  get outcomes(): ReadonlyMap<string, Proposal> {
    return this.#outcomes;
  }

  /** A new stream begins. */
  begin(): void {
    this.#incoming = new Map();
  }

  /** A stream has reported a proposal. */
  take(proposal: Proposal): void {
    const key = keyOf(proposal);
    if (proposal.status === ProposalStatus.PENDING) {
      // A page can know an outcome before the stream reports that the proposal waits.
      if (this.#outcomes.has(key)) return;
      (this.#incoming ?? this.#waiting).set(key, proposal);
      return;
    }
    this.#waiting.delete(key);
    this.#incoming?.delete(key);
    this.#outcomes.set(key, proposal);
    for (const oldest of this.#outcomes.keys()) {
      if (this.#outcomes.size <= outcomesMax) break;
      this.#outcomes.delete(oldest);
    }
  }

  /** The stream has reported everything that waits. */
  complete(): void {
    if (this.#incoming === undefined) return;
    this.#waiting = this.#incoming;
    this.#incoming = undefined;
  }
}
