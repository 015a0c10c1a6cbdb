import { create } from "@bufbuild/protobuf";
import {
  type ForgetUserRequest,
  type ForgetUserResponse,
  ForgetUserResponseSchema,
} from "#gen/vademecum/v1/admin_pb.js";
import { ScopeKind } from "#gen/vademecum/v1/backup_pb.js";
import type { ForgetInput } from "../../core/erasure/service.js";
import type { ErasureReceipt } from "../../core/model/erasure.js";
import { instantOfMillis } from "../../core/model/instant.js";
import { dropUndefined } from "./drop-undefined.js";
import { fromInstant } from "./instant.js";

/** What no erasure covers, see `ErasureReceipt.not_covered`. */
const notCovered = ["backups", "logs", "traces", "audit"];

/** Converts a request to erase. */
export function toForgetInput({ userId, runIds, idempotencyKey }: ForgetUserRequest): ForgetInput {
  return dropUndefined<ForgetInput>({ runIds, userId, idempotencyKey });
}

/** Converts a receipt to the reply with it. */
export function fromErasureReceipt(receipt: ErasureReceipt): ForgetUserResponse {
  const { timeMs, hmacKey, scopes, counts } = receipt;
  return create(ForgetUserResponseSchema, {
    receipt: {
      time: fromInstant(instantOfMillis(timeMs)),
      scopes: scopes.map(({ kind, idHmac, commitSeq }) => ({
        kind: kind === "user" ? ScopeKind.USER : ScopeKind.RUN,
        idHmac,
        commitSeq: BigInt(commitSeq),
      })),
      hmacKey,
      counts: Object.fromEntries(
        Object.entries(counts).map(([kind, count]) => [kind, BigInt(count as number)]),
      ),
      notCovered,
    },
  });
}
