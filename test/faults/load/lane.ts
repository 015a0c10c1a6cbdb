import type { Connection } from "../../e2e/harness/protocols.js";
import type { Random } from "../server/random.js";
import type { Tally } from "../tally.js";
import type { FaultEnd } from "./failures.js";

/** How a request ended. */
export type Sent = "answered" | FaultEnd;

/**
 * A client that sends one request after another about records of its own, and remembers what was
 * acknowledged. It counts requests, acknowledgements and unknown outcomes.
 */
export interface Lane {
  /**
   * Sends one random request. Requires: after an unknown outcome, `check` comes next.
   *
   * Throws when the reply contradicts what was acknowledged.
   */
  send(connection: Connection): Promise<Sent>;
  /**
   * Compares the records of the server with what was acknowledged. Repeats the requests that have
   * an idempotency key and whose outcome is unknown, and compares again. Counts all harm.
   */
  check(connection: Connection): Promise<void>;
}

/** What a lane needs. */
export interface LaneParts {
  /** The user whose records the lane writes. Lanes of one user write different records. */
  readonly userId: string;
  /** A unique name. The lane's agent, run and blocks are named after it. */
  readonly name: string;
  readonly random: Random;
  readonly tally: Tally;
}
