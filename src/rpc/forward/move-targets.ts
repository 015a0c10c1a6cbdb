import { VademecumError } from "../../core/model/errors.js";
import { type Address, formatAddress, isLoopback } from "../../edge/address.js";

/** A server to which calls may be forwarded. */
export interface AllowedServer {
  /** A host name or an IP address, without brackets. */
  readonly host: string;
  /** Absent: every port of the host. */
  readonly port?: number;
}

/** The servers to which a server may forward the calls of moved users. */
export interface MoveTargets {
  /**
   * Returns the host and port at which to call a server; `undefined` if calls must not go there.
   *
   * @param address `http://HOST:PORT` or `https://HOST:PORT`
   */
  find(address: string): { readonly authority: string; readonly isTls: boolean } | undefined;
  /**
   * Checks an address before users move there.
   *
   * @throws FAILED_PRECONDITION (MOVE_TARGET_REFUSED) when `find` returns nothing
   */
  require(address: string): void;
}

/**
 * Creates the list of targets. Calls go to the listed targets only, and in plaintext only within
 * this machine, because they carry the credentials of callers.
 *
 * @param listed `undefined`: the server forwards nothing, and `require` takes every address
 */
export function createMoveTargets(listed: readonly AllowedServer[] | undefined): MoveTargets {
  const isListed = ({ host, port }: Address): boolean =>
    listed?.some((it) => it.host === host && (it.port === undefined || it.port === port)) ?? false;
  const isPrivate = (address: Address, isTls: boolean): boolean => isTls || isLoopback(address);
  return {
    find(text) {
      const { address, isTls } = partsOf(text);
      if (!isListed(address) || !isPrivate(address, isTls)) return undefined;
      return { authority: formatAddress(address), isTls };
    },
    require(text) {
      if (listed === undefined) return;
      const { address, isTls } = partsOf(text);
      if (!isListed(address))
        throw refused(
          `${text} is not in the list --move-targets of this server. Start the server with ` +
            `--move-targets ${formatAddress(address)}, or with --on-moved refuse to forward nothing`,
        );
      if (!isPrivate(address, isTls))
        throw refused(`${text} is on another machine, so it must begin with https://`);
    },
  };
}

function partsOf(text: string): { readonly address: Address; readonly isTls: boolean } {
  const { protocol, hostname, port } = new URL(text);
  const isTls = protocol === "https:";
  const host = hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return { address: { host, port: port === "" ? (isTls ? 443 : 80) : Number(port) }, isTls };
}

function refused(message: string): VademecumError {
  return new VademecumError("FAILED_PRECONDITION", "MOVE_TARGET_REFUSED", message);
}
