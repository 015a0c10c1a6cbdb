import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";

/** Why a call failed, as a person reads it. */
export interface Failure {
  readonly code: Code;
  /** The name of the code, such as `NotFound`. */
  readonly codeName: string;
  /** The stable reason of the server, such as `VERSION_MISMATCH`. */
  readonly reason?: string;
  readonly message: string;
  /** Whether the server was not reached. */
  readonly isNetwork: boolean;
}

/** Describes the error of a call. */
export function failureOf(error: unknown): Failure {
  const { code, rawMessage, details } = ConnectError.from(error);
  const reason = ConnectError.from(error).findDetails(ErrorInfoSchema)[0]?.reason;
  // A browser tells a page nothing about a connection that failed.
  const isNetwork = details.length === 0 && /fetch|network|Load failed/i.test(rawMessage);
  return {
    code,
    codeName: Code[code],
    ...(reason !== undefined && { reason }),
    isNetwork,
    message: isNetwork ? "the server does not answer; is it running?" : rawMessage,
  };
}

/** Whether a call failed only because the page has left or changed. */
export function isCancelled(error: unknown): boolean {
  return ConnectError.from(error).code === Code.Canceled;
}
