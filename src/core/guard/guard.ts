import { allowsId, type IdPatterns } from "../model/principal.js";
import { findSecrets } from "./find-secrets.js";
import type { SecretKind } from "./secret-rules.js";

/** What the guard does with a text that has a secret. */
export const guardActions = ["tag", "redact", "reject", "off"] as const;
export type GuardAction = (typeof guardActions)[number];

/** A rule of the operator: what to do with texts of some users and agents. */
export interface GuardRule {
  readonly users: IdPatterns;
  /** Patterns of agents. Data that belongs to no agent passes only a rule for all agents. */
  readonly agents: IdPatterns;
  readonly action: GuardAction;
}

/** Whose texts a request has. A run's notes have neither a user nor an agent. */
export interface TextOwner {
  readonly userId?: string | undefined;
  readonly agentId?: string | undefined;
}

/** Returns the action of the first rule that covers an owner. Without one: `off`. */
export function actionFor(rules: readonly GuardRule[], owner: TextOwner): GuardAction {
  const covers = (patterns: IdPatterns, id: string | undefined): boolean =>
    id === undefined ? patterns.includes("*") : allowsId(patterns, id);
  const rule = rules.find(
    ({ users, agents }) => covers(users, owner.userId) && covers(agents, owner.agentId),
  );
  return rule?.action ?? "off";
}

/** A text without its secrets. */
export interface RedactedText {
  readonly text: string;
  /** The kind of each secret that was found. */
  readonly kinds: readonly SecretKind[];
}

/** Replaces each secret of a text by its kind. */
export function redactSecrets(text: string): RedactedText {
  const found = findSecrets(text);
  if (found.length === 0) return { text, kinds: [] };
  let redacted = "";
  let from = 0;
  for (const { kind, start, end } of found) {
    redacted += `${text.slice(from, start)}[redacted: ${kind}]`;
    from = end;
  }
  return { text: redacted + text.slice(from), kinds: found.map(({ kind }) => kind) };
}

/** Returns the tag of memories with a secret of a kind. */
export function guardTag(kind: SecretKind): string {
  return `guard:${kind.replaceAll(" ", "-")}`;
}
