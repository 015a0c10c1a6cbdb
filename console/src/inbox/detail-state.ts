import { effect, signal } from "@preact/signals";
import type { Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import { type GetProposalResponse, ProposalView } from "#gen/vademecum/v1/proposal_service_pb.js";
import { proposals } from "../rpc.js";
import { noteCheck } from "./checks.js";
import { appliedListeners } from "./feed.js";
import { haveSameTarget } from "./groups.js";
import { keyOf } from "./inbox-state.js";
import { currentKey } from "./selection.js";

/** The proposal that is shown, as the server last described it. */
export interface Detail {
  readonly key: string;
  readonly response?: GetProposalResponse;
  readonly error?: unknown;
}

export const detail = signal<Detail | undefined>(undefined);
/** Why the shown proposal was loaded again. Empty: it was not. */
export const changeNotice = signal("");

/** Texts that were typed in place of proposed ones, by the keys of their proposals. */
export const drafts = signal<ReadonlyMap<string, string>>(new Map());

/** How long the selection must rest before its proposal is loaded, in milliseconds. */
const restMs = 40;
let latest = 0;

/** Loads the proposal of each new selection. Returns a function that ends this. */
export function followSelection(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = effect(() => {
    const key = currentKey.value;
    clearTimeout(timer);
    if (key === undefined) {
      detail.value = undefined;
    } else if (detail.peek()?.key !== key) {
      changeNotice.value = "";
      timer = setTimeout(() => void loadDetail(key), restMs);
    }
  });
  return () => {
    clearTimeout(timer);
    end();
  };
}

/** Loads the selected proposal again after its target has changed. */
function refresh(applied: Proposal): void {
  const key = currentKey.peek();
  if (key === undefined || keyOf(applied) === key) return;
  const shown = detail.peek();
  // A load under way may have read the target before it changed.
  const isLoading = shown?.key !== key;
  const proposal = isLoading ? undefined : shown.response?.proposal;
  if (isLoading || (proposal !== undefined && haveSameTarget(proposal, applied)))
    void loadDetail(key);
}

appliedListeners.add(refresh);

/** Loads a proposal. Of several loads, the last one counts. */
export async function loadDetail(key: string): Promise<void> {
  latest += 1;
  const mine = latest;
  const [userId = "", id = ""] = key.split(/\0(?=[^\0]*$)/);
  try {
    const response = await proposals.getProposal({ userId, id, view: ProposalView.FULL });
    noteCheck(key, response.preview?.applicability);
    if (mine === latest) detail.value = { key, response };
  } catch (error) {
    if (mine === latest) detail.value = { key, error };
  }
}

/** Keeps a typed text, or forgets it. */
export function keepDraft(key: string, text: string | undefined): void {
  const next = new Map(drafts.peek());
  if (text === undefined) next.delete(key);
  else next.set(key, text);
  drafts.value = next;
}
