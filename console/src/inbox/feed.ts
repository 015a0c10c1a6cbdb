import { signal } from "@preact/signals";
import { type Proposal, ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { InboxState } from "./inbox-state.js";

/**
 * How fresh the inbox is. `connecting`: nothing has arrived yet. `live`: the stream is open.
 * `polling`: the page asks every few seconds. `lost`: the server does not answer. `closed`: the
 * person may not read proposals.
 */
export type FeedStatus = "connecting" | "live" | "polling" | "lost" | "closed";

/** What the tab with the stream tells the other tabs of the browser. */
export type FeedMessage =
  | { readonly kind: "begin" }
  | { readonly kind: "proposals"; readonly proposals: readonly Proposal[] }
  | { readonly kind: "complete" }
  | { readonly kind: "status"; readonly status: FeedStatus };

/** What waits. Shared by all parts of the page; `inboxVersion` changes with it. */
export const inbox = new InboxState();
export const inboxVersion = signal(0);
export const feedStatus = signal<FeedStatus>("connecting");
/** When the server was last heard, in milliseconds of the person's machine. */
export const heardMs = signal(Date.now());

/** Called with each edit that was applied, by this page or by somebody else. */
export const appliedListeners = new Set<(applied: Proposal) => void>();

/** Time within which changes become one new drawing of the page, in milliseconds. */
const drawMs = 60;
let drawing = false;

/** Applies a message to the inbox of this tab. */
export function receive(message: FeedMessage): void {
  heardMs.value =
    message.kind === "status" && message.status === "lost" ? heardMs.peek() : Date.now();
  switch (message.kind) {
    case "begin":
      inbox.begin();
      break;
    case "proposals":
      for (const proposal of message.proposals) take(proposal);
      break;
    case "complete":
      inbox.complete();
      break;
    case "status":
      feedStatus.value = message.status;
      break;
  }
  redraw();
}

/** Notes the outcome of a decision of this tab, before the stream reports it. */
export function takeOutcome(proposal: Proposal): void {
  take(proposal);
  inboxVersion.value += 1;
}

function take(proposal: Proposal): void {
  inbox.take(proposal);
  if (proposal.status === ProposalStatus.APPROVED)
    for (const listener of appliedListeners) listener(proposal);
}

function redraw(): void {
  if (drawing) return;
  drawing = true;
  setTimeout(() => {
    drawing = false;
    inboxVersion.value += 1;
  }, drawMs);
}
