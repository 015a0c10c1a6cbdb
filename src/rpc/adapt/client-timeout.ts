import { clientTimeoutMaxMs } from "../limits.js";

/** Milliseconds of each unit of `grpc-timeout`. */
const unitMs: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/**
 * Shortens a longer deadline of the client to `clientTimeoutMaxMs`. Connect would refuse the call,
 * and grpc-js lets it pass. Leaves timeouts that cannot be read to Connect, which refuses them.
 */
export function limitTimeout(header: Headers): void {
  const connect = header.get("connect-timeout-ms");
  if (connect !== null && /^\d{1,10}$/.test(connect) && Number(connect) > clientTimeoutMaxMs)
    header.set("connect-timeout-ms", String(clientTimeoutMaxMs));
  const [, digits, unit = ""] =
    /^(\d{1,8})([HMSmun])$/.exec(header.get("grpc-timeout") ?? "") ?? [];
  if (digits !== undefined && Number(digits) * (unitMs[unit] ?? 0) > clientTimeoutMaxMs)
    header.set("grpc-timeout", `${clientTimeoutMaxMs / 1000}S`);
}
