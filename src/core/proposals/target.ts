import { blockNotFound } from "../blocks/records.js";
import type { Block } from "../model/block.js";
import { VademecumError } from "../model/errors.js";
import type { Instant } from "../model/instant.js";
import { blockBodyMaxBytes, contentMaxBytes } from "../model/limits.js";
import type { Memory } from "../model/memory.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import type { Edit, Proposal, ProposalTarget } from "../model/proposal.js";
import { isExpired } from "../model/visibility.js";
import type { Reader } from "../ports/store.js";
import { isBlank } from "../text/blank.js";
import { applyEdit, type EditResult } from "./edit.js";

/** The stored target of a proposal. A block without a record is a block to create. */
export type TargetRecord =
  | { readonly kind: "block"; readonly label: string; readonly record: Block | undefined }
  | { readonly kind: "memory"; readonly record: Memory };

/**
 * Looks for a memory in the proposer's namespace, or for a block among the blocks of its user.
 *
 * @param creates whether the edit creates a block that does not exist
 */
export async function readTarget(
  reader: Reader,
  namespace: Namespace,
  target: ProposalTarget,
  now: Instant,
  creates: boolean,
): Promise<TargetRecord | undefined> {
  if (target.kind === "block") {
    const record = await reader.get("blocks", scopeOf(namespace), target.label);
    return record === undefined && !creates
      ? undefined
      : { kind: "block", label: target.label, record };
  }
  const record = await reader.get("memories", namespace, target.id);
  return record === undefined || isExpired(record, now) ? undefined : { kind: "memory", record };
}

/** Returns the text that an edit changes: the body of a block or the content of a memory. */
export function textOf(target: TargetRecord): string {
  return target.kind === "block" ? (target.record?.body ?? "") : target.record.content;
}

/** Returns the version of a target. 0: there is no target, or a block to create. */
export function versionOf(target: TargetRecord | undefined): number {
  return target?.record?.version ?? 0;
}

/** Returns the name of a target for messages. */
export function targetName(target: ProposalTarget): string {
  return target.kind === "block" ? `block '${target.label}'` : `memory '${target.id}'`;
}

/**
 * Returns the NOT_FOUND error for a target. The error does not reveal whether the target never
 * existed, was deleted, has expired or belongs to another namespace.
 */
export function targetNotFound(target: ProposalTarget): VademecumError {
  if (target.kind === "block") return blockNotFound(target.label);
  return new VademecumError("NOT_FOUND", "MEMORY_NOT_FOUND", `Memory '${target.id}' not found.`);
}

/** The target when the edit was proposed. */
type Base = Pick<Proposal, "baseText" | "baseVersion">;

/** Applies an edit to a target's text. An edit of the whole text applies only to its base. */
export function editTarget(target: TargetRecord, edit: Edit, base: Base): EditResult {
  const text = textOf(target);
  const exists = versionOf(target) > 0;
  const isBase = text === base.baseText && exists === base.baseVersion > 0;
  return edit.whole === "BODY" && !isBase
    ? { kind: "changed" }
    : applyEdit(text, edit, textMaxBytes(target));
}

/** Returns the maximum size of a target's text, in bytes of UTF-8. */
export function textMaxBytes({ kind }: Pick<ProposalTarget, "kind">): number {
  return kind === "block" ? blockBodyMaxBytes : contentMaxBytes;
}

/** A field of a request that holds the text of an edit. */
export type EditField = "new_string" | "new_body" | "append" | "edited_new_string";

/** Returns the field of ProposeEditRequest that holds the new text. */
export function fieldOf({ whole }: Pick<Edit, "whole">): EditField {
  if (whole === undefined) return "new_string";
  return whole === "BODY" ? "new_body" : "append";
}

/**
 * Returns the edited text. `field` is the field of the request that holds the new string.
 *
 * @throws FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the target cannot hold the text.
 */
export function requireFit(
  target: ProposalTarget,
  result: Extract<EditResult, { kind: "applied" | "too large" }>,
  field: EditField,
): string {
  requireSize(target, result, field);
  if (target.kind === "memory" && isBlank(result.text)) {
    throw resultRefused(
      field,
      `${targetName(target)} would be empty or white space alone. Delete the memory instead`,
    );
  }
  return result.text;
}

/**
 * Checks the size of an edited text.
 *
 * @throws FAILED_PRECONDITION (EDIT_RESULT_REFUSED) when the text is larger than the target can
 *   hold.
 */
export function requireSize(
  target: ProposalTarget,
  result: EditResult,
  field: EditField,
): asserts result is Exclude<EditResult, { kind: "too large" }> {
  if (result.kind !== "too large") return;
  const bytes = result.bytes.toLocaleString("en");
  const limit = textMaxBytes(target).toLocaleString("en");
  throw resultRefused(
    field,
    `${targetName(target)} would be ${bytes} bytes; the limit is ${limit}. Shorten the new text`,
  );
}

function resultRefused(field: string, description: string): VademecumError {
  return new VademecumError("FAILED_PRECONDITION", "EDIT_RESULT_REFUSED", description, { field });
}
