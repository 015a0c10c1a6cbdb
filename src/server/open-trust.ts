import type { Logger } from "pino";
import type { Config } from "../config/server-settings.js";
import type { Authenticator } from "../core/ports/authenticator.js";
import type { Clock } from "../core/ports/clock.js";
import type { Meter } from "../core/ports/meter.js";
import type { Timer } from "../core/ports/timer.js";
import { isLoopback } from "../edge/address.js";
import type { TlsSource } from "../rpc/listen/tls-identity.js";
import { createFileWatcher } from "../system/watched-files.js";
import { openAuthenticator } from "./open-authenticator.js";
import { openTls } from "./open-tls.js";
import { partLog } from "./part-log.js";

/** The authenticator and the TLS identity of the listeners. Both follow changes of their files. */
export interface TrustHandle {
  /**
   * The options of the listeners. Without `authenticator`, everybody may call. Without `tls`, the
   * listeners serve plaintext.
   */
  readonly options: { readonly authenticator?: Authenticator; readonly tls?: TlsSource };
  /** Reads the credentials and certificates again if their files have changed. */
  refresh(): Promise<void>;
  /** Stops following the files. */
  stop(): void;
}

/** The dependencies of `openTrust`. */
export interface TrustParts {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly log: Logger;
  readonly meter: Meter;
}

/**
 * Opens the credentials and certificates that the configuration names. Logs a warning if other
 * machines can reach the server and one of the two is missing, which only `--insecure` allows.
 *
 * @throws ConfigError when one of the files cannot be used
 */
export async function openTrust(
  config: Config,
  { clock, timer, log, meter }: TrustParts,
): Promise<TrustHandle> {
  meter("credentialsStale", 0);
  const onStale = (isStale: boolean): void => meter("credentialsStale", isStale ? 1 : 0);
  const watcher = createFileWatcher(timer, partLog(log), onStale);
  let authenticator: Authenticator | undefined;
  let tls: TlsSource | undefined;
  try {
    authenticator = await openAuthenticator(config, clock, watcher, partLog(log));
    tls = await openTls(config, watcher);
  } catch (error) {
    watcher.stop();
    throw error;
  }
  const isLocal = [config.grpcAddress, config.httpAddress].every(isLoopback);
  if (!isLocal && (authenticator === undefined || tls === undefined)) {
    log.warn(
      { credentials: authenticator !== undefined, tls: tls !== undefined },
      "other machines can reach this server without credentials or without TLS (--insecure)",
    );
  }
  return {
    options: { ...(authenticator && { authenticator }), ...(tls && { tls }) },
    refresh: () => watcher.refresh(),
    stop: () => watcher.stop(),
  };
}
