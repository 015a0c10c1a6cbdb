import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "#gen/google/rpc/error_details_pb.js";

/** A failed call, with the details that programs read. */
export interface RpcFailure {
  readonly code: string;
  readonly message: string;
  readonly reason: string | undefined;
  readonly domain: string | undefined;
  readonly fields: readonly { readonly field: string; readonly description: string }[];
  readonly retryDelay: { readonly seconds: bigint; readonly nanos: number } | undefined;
}

/** Returns the failure of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<RpcFailure> {
  try {
    await call;
  } catch (error) {
    const failure = ConnectError.from(error);
    const [info] = failure.findDetails(ErrorInfoSchema);
    const [retry] = failure.findDetails(RetryInfoSchema);
    const fields = failure
      .findDetails(BadRequestSchema)
      .flatMap(({ fieldViolations }) => fieldViolations);
    return {
      code: Code[failure.code] ?? String(failure.code),
      message: failure.rawMessage,
      reason: info?.reason,
      domain: info?.domain,
      fields: fields.map(({ field, description }) => ({ field, description })),
      retryDelay: retry?.retryDelay && {
        seconds: retry.retryDelay.seconds,
        nanos: retry.retryDelay.nanos,
      },
    };
  }
  throw new Error("the call must fail, but it succeeded");
}
