import { signal } from "@preact/signals";
import type { Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import type { Applicability } from "#gen/vademecum/v1/proposal_service_pb.js";
import { proposals } from "../rpc.js";
import { appliedListeners, inbox, inboxVersion } from "./feed.js";
import { haveSameTarget } from "./groups.js";
import { keyOf } from "./inbox-state.js";

/**
 * Whether proposals still apply, as the server said. A proposal is checked when its row is seen,
 * and the first ones in advance, so that stale ones are known before somebody opens them.
 */
const found = new Map<string, Applicability>();
export const checksVersion = signal(0);

/** Time within which results become one new drawing of the list, in milliseconds. */
const drawMs = 60;
let drawing = false;

const inAdvanceMax = 300;
const callsMax = 4;
const queue = new Map<string, Proposal>();
let calls = 0;

/** Returns whether a proposal applies; `undefined` if it was not checked yet. */
export function applicabilityOf(key: string): Applicability | undefined {
  return found.get(key);
}

/** Notes what a reply says about a proposal. */
export function noteCheck(key: string, applicability: Applicability | undefined): void {
  if (applicability === undefined || found.get(key) === applicability) return;
  found.set(key, applicability);
  if (drawing) return;
  drawing = true;
  setTimeout(() => {
    drawing = false;
    checksVersion.value += 1;
  }, drawMs);
}

/** Checks proposals that were not checked yet. */
export function check(wanted: Iterable<Proposal>): void {
  for (const proposal of wanted) {
    const key = keyOf(proposal);
    if (!found.has(key)) queue.set(key, proposal);
  }
  pump();
}

/** Checks the first proposals of the inbox. */
export function checkInAdvance(): void {
  check([...inbox.waiting.values()].slice(0, inAdvanceMax));
}

/** Checks all proposals for a target again whose text has changed. */
export function recheckTarget(changed: Proposal): void {
  const siblings = [...inbox.waiting.values()].filter((it) => haveSameTarget(it, changed));
  for (const sibling of siblings) queue.set(keyOf(sibling), sibling);
  pump();
}

appliedListeners.add(recheckTarget);

function pump(): void {
  for (const [key, proposal] of queue) {
    if (calls >= callsMax) return;
    queue.delete(key);
    if (!inbox.waiting.has(key)) continue;
    calls += 1;
    void ask(key, proposal).finally(() => {
      calls -= 1;
      pump();
    });
  }
}

async function ask(key: string, { namespace, id }: Proposal): Promise<void> {
  try {
    const { preview } = await proposals.getProposal({ userId: namespace?.userId ?? "", id });
    noteCheck(key, preview?.applicability);
  } catch {
    // The row stays unchecked. Opening it shows why.
  }
  if (queue.size === 0) inboxVersion.value += 1;
}
