import { blockNotFound, bodyMaxBytes } from "../blocks/records.js";
import type { Block } from "../model/block.js";
import { VademecumError } from "../model/errors.js";
import type { Instant } from "../model/instant.js";
import { contentMaxBytes, type Memory } from "../model/memory.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import type { Edit, ProposalTarget } from "../model/proposal.js";
import { isExpired } from "../model/visibility.js";
import type { Reader } from "../ports/store.js";
import { applyEdit, type EditResult } from "./edit.js";

/** What a proposal edits, as it is stored. */
export type TargetRecord =
  | { readonly kind: "block"; readonly record: Block }
  | { readonly kind: "memory"; readonly record: Memory };

/** Reads a target; `undefined`: there is none. A memory lies in the proposer's namespace. */
export async function readTarget(
  reader: Reader,
  namespace: Namespace,
  target: ProposalTarget,
  now: Instant,
): Promise<TargetRecord | undefined> {
  if (target.kind === "block") {
    const record = await reader.get("blocks", scopeOf(namespace), target.label);
    return record && { kind: "block", record };
  }
  const record = await reader.get("memories", namespace, target.id);
  return record === undefined || isExpired(record, now) ? undefined : { kind: "memory", record };
}

/** The text that edits of a target change. */
export function textOf(target: TargetRecord): string {
  return target.kind === "block" ? target.record.body : target.record.content;
}

/** A target in the words of messages. */
export function targetName(target: ProposalTarget): string {
  return target.kind === "block" ? `block '${target.label}'` : `memory '${target.id}'`;
}

/** NOT_FOUND for a target: the same whether it never was, is gone, or lies elsewhere. */
export function targetNotFound(target: ProposalTarget): VademecumError {
  if (target.kind === "block") return blockNotFound(target.label);
  return new VademecumError("NOT_FOUND", "MEMORY_NOT_FOUND", `Memory '${target.id}' not found.`);
}

/** Applies an edit to a target's text. */
export function editTarget(target: TargetRecord, edit: Edit): EditResult {
  return applyEdit(textOf(target), edit, textMaxBytes(target));
}

/** Most bytes of UTF-8 that the text of a target may have. */
export function textMaxBytes({ kind }: Pick<ProposalTarget, "kind">): number {
  return kind === "block" ? bodyMaxBytes : contentMaxBytes;
}

/** The text that an edit makes. `field` is where its new string comes from. @throws FAILED_PRECONDITION (EDIT_RESULT_REFUSED) if the target cannot hold it. */
export function requireFitting(
  target: ProposalTarget,
  result: Extract<EditResult, { kind: "applied" | "too large" }>,
  field: "new_string" | "edited_new_string",
): string {
  requireSize(target, result, field);
  if (result.text === "" && target.kind === "memory") {
    throw resultRefused(
      field,
      `${targetName(target)} would be empty; a memory has at least one byte. Delete it instead`,
    );
  }
  return result.text;
}

/** @throws FAILED_PRECONDITION (EDIT_RESULT_REFUSED) if a text is larger than the target can hold */
export function requireSize(
  target: ProposalTarget,
  result: EditResult,
  field: "new_string" | "edited_new_string",
): asserts result is Exclude<EditResult, { kind: "too large" }> {
  if (result.kind !== "too large") return;
  const sizes = `${result.bytes.toLocaleString("en")} bytes of UTF-8; it may have ${textMaxBytes(target).toLocaleString("en")}`;
  throw resultRefused(field, `${targetName(target)} would have ${sizes}; shorten the new text`);
}

function resultRefused(field: string, description: string): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "EDIT_RESULT_REFUSED",
    `${field}: ${description}`,
    { fields: [{ field, description }] },
  );
}
