import { LRUCache } from "lru-cache";
import type { Log } from "../../../core/ports/log.js";
import type { Head } from "../../../core/ports/store.js";
import { gatherCalls } from "../../../core/requests/gather.js";
import { isConnectionLoss } from "../errors.js";
import type { HeldScopes, Holds } from "../holds/held-scopes.js";
import type { Pool } from "../session/pool.js";
import { retrying } from "../session/retry.js";
import { listingStatements } from "../tables/statements.js";

/** Maximum number of scopes in one query. */
const batchScopes = 1_000;

/** Number of scopes whose last head is remembered. */
const rememberedHeads = 100_000;

/** A head, and the holds and moves at the time of the same query. */
export interface CheckedHead {
  readonly head: Head;
  readonly holds: Holds;
}

interface HeadRow extends Pick<Head, "epoch" | "seq">, Holds {
  readonly scope: string;
}

/** The result of one query. */
interface HeadsRead {
  readonly rows: readonly HeadRow[];
  readonly holds: Holds;
  readonly timeline: Head["timeline"];
}

interface Asked {
  readonly promise: Promise<CheckedHead>;
  readonly resolve: (checked: CheckedHead) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads heads. Calls that arrive in consecutive turns of the event loop share a query. Calls that
 * arrive while a query runs share the next query. A query begins after its calls, so each call gets
 * a head with every commit acknowledged before the call.
 */
export class HeadChecks {
  #waiting = new Map<string, Asked>();
  /** Number of calls so far. */
  #calls = 0;
  #isAsking = false;
  /** The heads that this server has seen or written. */
  readonly #seen = new LRUCache<string, Head>({
    maxSize: rememberedHeads,
    sizeCalculation: () => 1,
  });
  #goneBack = 0;

  constructor(
    private readonly pool: Pool,
    private readonly newEpoch: string,
    private readonly held: HeldScopes,
    private readonly log: Log,
  ) {}

  /**
   * Returns the head of a scope, even if the scope has moved. Rejects with errors of the driver.
   */
  head(scopeId: string): Promise<CheckedHead> {
    this.#calls++;
    const asked = this.#waiting.get(scopeId) ?? createAsked();
    this.#waiting.set(scopeId, asked);
    if (!this.#isAsking) void this.#ask();
    return asked.promise;
  }

  /** Remembers a head that this server has written. */
  remember(scopeId: string, head: Head): void {
    this.#seen.set(scopeId, head);
  }

  /** Forgets the head of a scope that a restore has replaced. */
  forget(scopeId: string): void {
    this.#seen.delete(scopeId);
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.size > 0) {
      // Waits for callers whose heads were just read, because they may call again. A query costs
      // much more CPU time than one more head in a query.
      await gatherCalls(() => this.#calls);
      const batch = new Map([...this.#waiting].slice(0, batchScopes));
      for (const scopeId of batch.keys()) this.#waiting.delete(scopeId);
      await this.#askFor(batch);
    }
    this.#isAsking = false;
  }

  async #askFor(batch: ReadonlyMap<string, Asked>): Promise<void> {
    const before = new Map([...batch.keys()].map((scopeId) => [scopeId, this.#seen.get(scopeId)]));
    try {
      const { rows, holds, timeline } = await retrying(isConnectionLoss, () =>
        this.#read([...batch.keys()]),
      );
      const heads = new Map(rows.map(({ scope, epoch, seq }) => [scope, { epoch, seq, timeline }]));
      for (const [scopeId, { resolve }] of batch) {
        const head = heads.get(scopeId) ?? { epoch: this.newEpoch, seq: 0, timeline };
        this.#compare(scopeId, before.get(scopeId), head);
        resolve({ head, holds });
      }
    } catch (error) {
      for (const { reject } of batch.values()) reject(error);
    }
  }

  /**
   * Logs when a head is behind a head that was seen before the query: a failover has lost
   * acknowledged commits. An index of the scope that is ahead of the head loads again.
   */
  #compare(scopeId: string, before: Head | undefined, head: Head): void {
    if (before !== undefined && before.epoch === head.epoch && before.seq > head.seq) {
      this.#goneBack++;
      this.log("error", "heads_gone_back: PostgreSQL has lost commits that it acknowledged", {
        scopes: this.#goneBack,
        scope: scopeId,
        from: before.seq,
        to: head.seq,
      });
      this.#seen.set(scopeId, head);
    } else if ((this.#seen.get(scopeId)?.seq ?? 0) <= head.seq) {
      this.#seen.set(scopeId, head);
    }
  }

  async #read(scopeIds: readonly string[]): Promise<HeadsRead> {
    return this.pool.use(async (connection) => {
      const { rows } = await connection.query<HeadRow>(listingStatements.readHeads, [scopeIds]);
      const holds = rows[0] ?? (await this.held.read(connection));
      return { rows, holds, timeline: connection.timeline };
    });
  }
}

function createAsked(): Asked {
  let resolve: Asked["resolve"] = () => undefined;
  let reject: Asked["reject"] = () => undefined;
  const promise = new Promise<CheckedHead>((onHead, onError) => {
    resolve = onHead;
    reject = onError;
  });
  return { promise, resolve, reject };
}
