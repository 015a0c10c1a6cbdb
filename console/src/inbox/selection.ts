import { computed, signal } from "@preact/signals";
import type { Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import { place, replacePlace } from "../location.js";
import { applicabilityOf, checksVersion } from "./checks.js";
import { inbox, inboxVersion } from "./feed.js";
import { type Group, groupOf, groups, type InboxFilter, passes, placeOf } from "./groups.js";
import { keyOf } from "./inbox-state.js";

/** A row of the inbox. */
export interface InboxRow {
  readonly key: string;
  readonly proposal: Proposal;
  readonly group: Group;
  readonly isChecked: boolean;
  /** The number of waiting proposals that replace the same words. */
  readonly overlaps: number;
}

/** The filter as text: it stays equal while a person walks through the list. */
const filterText = computed(() => {
  const { user = "", agent = "", target = "", group = "" } = place.value.query;
  return JSON.stringify([user, agent, target, group]);
});

/** The filter in the address. */
export const filter = computed<InboxFilter & { readonly group: Group | "" }>(() => {
  const [user = "", agent = "", target = "", group] = JSON.parse(filterText.value) as string[];
  return { user, agent, target, group: groups.find((it) => it === group) ?? "" };
});

/** What waits and passes the filter of user, agent and target: by group, oldest first. */
const filtered = computed<readonly InboxRow[]>(() => {
  void inboxVersion.value;
  void checksVersion.value;
  const waiting = [...inbox.waiting].filter(([, proposal]) => passes(proposal, filter.value));
  const places = new Map<string, number>();
  for (const [, proposal] of waiting) {
    const at = placeOf(proposal);
    places.set(at, (places.get(at) ?? 0) + 1);
  }
  const rows = waiting.map(([key, proposal]): InboxRow => {
    const applicability = applicabilityOf(key);
    return {
      key,
      proposal,
      group: groupOf(proposal, applicability),
      isChecked: applicability !== undefined,
      overlaps: places.get(placeOf(proposal)) ?? 1,
    };
  });
  return groups.flatMap((group) => rows.filter((row) => row.group === group));
});

/** The rows of the list. */
export const rows = computed(() => {
  const { group } = filter.value;
  return group === "" ? filtered.value : filtered.value.filter((row) => row.group === group);
});

/** How many rows each group has, and how many of all were checked. */
export const counts = computed(() => {
  const byGroup = { ready: 0, changed: 0, stale: 0, repeats: 0 };
  for (const { group } of filtered.value) byGroup[group] += 1;
  return {
    ...byGroup,
    all: filtered.value.length,
    checked: filtered.value.filter(({ isChecked }) => isChecked).length,
  };
});

/** The key of the proposal in the address; `undefined` if it names none. */
export const currentKey = computed(() => {
  const [, userId, id] = place.value.path;
  return userId === undefined || id === undefined ? undefined : `${userId}\0${id}`;
});

export const currentIndex = computed(() =>
  rows.value.findIndex(({ key }) => key === currentKey.value),
);

/** The keys of the marked proposals: always a list of ids, never "all". */
export const marked = signal<ReadonlySet<string>>(new Set());

/** Selects a row. The address changes, without a new entry in the history. */
export function choose(index: number): void {
  const row = rows.peek()[Math.max(0, Math.min(index, rows.peek().length - 1))];
  const { userId = "" } = row?.proposal.namespace ?? {};
  replacePlace(
    row === undefined ? ["inbox"] : ["inbox", userId, row.proposal.id],
    place.peek().query,
  );
}

/** Selects no row. */
export function chooseNone(): void {
  replacePlace(["inbox"], place.peek().query);
}

/** Marks a row, or takes its mark away. */
export function toggleMark(index: number): void {
  const row = rows.peek()[index];
  if (row === undefined) return;
  const next = new Set(marked.peek());
  if (!next.delete(row.key)) next.add(row.key);
  marked.value = next;
}

/** Marks the current row and the next one in a direction, and goes there. */
export function extendMarks(step: 1 | -1): void {
  const from = currentIndex.peek();
  const next = new Set(marked.peek());
  for (const index of [from, from + step]) {
    const row = rows.peek()[index];
    if (row !== undefined) next.add(row.key);
  }
  marked.value = next;
  choose(from + step);
}

/** Returns the marked proposals that still wait. */
export function markedProposals(): readonly Proposal[] {
  return [...inbox.waiting.values()].filter((it) => marked.peek().has(keyOf(it)));
}
