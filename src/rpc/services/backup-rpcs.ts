import { create } from "@bufbuild/protobuf";
import type { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import {
  BackupResponseSchema,
  type HoldWritesRequest,
  HoldWritesResponseSchema,
  type RestoreRequest,
  RestoreRequestSchema,
  RestoreResponseSchema,
  type SlotRange as SlotRangeMessage,
} from "#gen/vademecum/v1/backup_pb.js";
import {
  fromBackupChunk,
  toBackupChunk,
  toBackupContent,
  toScope,
} from "../../backup-format/chunk-messages.js";
import type { BackupChunk } from "../../core/backup/backup-chunk.js";
import type { HoldAction } from "../../core/backup/service.js";
import { invalidField } from "../../core/model/errors.js";
import { lastSlot, type SlotRange } from "../../core/model/slot-range.js";
import type { HandlersOf } from "../adapt/handler.js";
import type { BackupRpcsParts } from "./parts.js";

type BackupHandlers = Pick<HandlersOf<typeof AdminService>, "backup" | "restore" | "holdWrites">;

/** Creates the RPCs that back up and restore data, and hold writes. */
export function createBackupHandlers({
  backups,
  validator,
  forwarder,
}: BackupRpcsParts): BackupHandlers {
  async function* chunksOf(requests: AsyncIterable<RestoreRequest>): AsyncGenerator<BackupChunk> {
    for await (const request of requests) {
      validator.validate(RestoreRequestSchema, request);
      if (request.chunk === undefined) throw invalidField("chunk", "is required");
      yield toBackupChunk(request.chunk);
    }
  }

  return {
    backup: async function* ({ content, range, scopes }, call) {
      const query = {
        content: toBackupContent(content),
        range: toSlotRange(range),
        ...(scopes.length === 0 ? {} : { scopes: scopes.map(toScope) }),
      };
      for await (const chunk of backups.backup(query, call))
        yield create(BackupResponseSchema, { chunk: fromBackupChunk(chunk) });
    },
    restore: async function* (requests, call) {
      for await (const { scopes, unchanged, records } of backups.restore(chunksOf(requests), call))
        yield create(RestoreResponseSchema, {
          scopes: BigInt(scopes),
          unchanged: BigInt(unchanged),
          records: BigInt(records),
        });
    },
    holdWrites: async (request) => {
      const range = toSlotRange(request.range);
      const action = toHoldAction(request);
      if (action.kind !== "list" && request.range === undefined)
        throw invalidField("range", "is required; an empty range, {}, means all users and runs");
      if (request.movedTo !== "") forwarder.require(request.movedTo);
      const { hold, moves, storeId } = await backups.hold(range, action);
      return create(HoldWritesResponseSchema, {
        holdId: hold?.holdId ?? "",
        lifetimeMs: BigInt(hold?.lifetimeMs ?? 0),
        moves: moves.map(({ address, storeId: of, holdId, first, last }) => ({
          range: { first, last },
          address,
          storeId: of ?? "",
          holdId: holdId ?? "",
        })),
        storeId,
        forwardedCalls: BigInt(forwarder.calls),
      });
    },
  };
}

/** Converts a range of slots. An absent range means all slots. */
export function toSlotRange(range: SlotRangeMessage | undefined): SlotRange {
  return { first: range?.first ?? 0, last: range?.last ?? lastSlot };
}

/**
 * Converts a request to hold writes.
 *
 * @throws INVALID_ARGUMENT (INVALID_FIELD) when the fields contradict each other
 */
export function toHoldAction(request: HoldWritesRequest): HoldAction {
  const { holdId, movedTo: address, movedToStore, release, listOnly, handOver } = request;
  if (movedToStore !== "" && address === "")
    throw invalidField("moved_to_store", "needs moved_to: the address of this store");
  if (release || listOnly) {
    const flag = release ? "release" : "list_only";
    if (release && listOnly) throw invalidField("list_only", "cannot be combined with release");
    if (release && address !== "")
      throw invalidField("moved_to", "cannot be combined with release");
    if (movedToStore !== "")
      throw invalidField("moved_to_store", `cannot be combined with ${flag}`);
    if (handOver) throw invalidField("hand_over", `cannot be combined with ${flag}`);
    if (holdId !== "") throw invalidField("hold_id", `cannot be combined with ${flag}`);
    return { kind: release ? "release" : "list" };
  }
  if (handOver && (holdId === "" || address === ""))
    throw invalidField("hand_over", "needs hold_id and moved_to: what to hand over, and where");
  if (address === "") return holdId === "" ? { kind: "hold" } : { kind: "renew", holdId };
  const storeId = movedToStore === "" ? undefined : movedToStore;
  if (holdId !== "")
    return { kind: handOver ? "handOver" : "move", holdId, target: { address, storeId } };
  if (storeId !== undefined) return { kind: "changeAddress", storeId, address };
  throw invalidField(
    "hold_id",
    "is required with moved_to: it names the hold to turn into a move. Only moved_to_store can " +
      "replace it, to change the address of data that has moved to this store",
  );
}
