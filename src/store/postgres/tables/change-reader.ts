import type { Change } from "../../../core/ports/store.js";
import { decodeChange, readChanges } from "../../codec/change-records.js";
import type { Session } from "../session/connection.js";
import { openChange } from "./record-codec.js";
import type { PageHead } from "./record-pages.js";
import type { ScopeRow } from "./scope-row.js";
import { scopeStatements } from "./statements.js";

interface ChangeRow {
  readonly epoch: string;
  readonly head_seq: number;
  /**
   * Number of the commit. If the log has no commit in the range, the answer has one row, and `seq`
   * and `body` are null in it.
   */
  readonly seq: number | null;
  readonly body: Buffer | null;
}

/**
 * Reads the commits after `afterSeq` up to `lastSeq`, oldest first; `undefined` if the change log
 * no longer has all of them.
 *
 * @param check is called with the head of the scope at the time of the query. Throws if this head
 *   is not that of the caller's snapshot
 * @throws DATA_LOSS (DAMAGED_RECORD) when an entry is damaged
 */
export async function readStoredChanges(
  session: Pick<Session, "query">,
  scope: ScopeRow,
  afterSeq: number,
  lastSeq: number,
  check: (head: PageHead | undefined) => void = () => undefined,
): Promise<readonly Change[] | undefined> {
  if (afterSeq >= lastSeq) return [];
  const { rows } = await session.query<ChangeRow>(scopeStatements.readChanges, [
    scope.uuid,
    afterSeq,
    lastSeq,
  ]);
  check(rows[0] && { epoch: rows[0].epoch, seq: rows[0].head_seq });
  const bodies = new Map(rows.map(({ seq, body }) => [seq, body]));
  return readChanges(afterSeq, lastSeq, (seq) => {
    const body = bodies.get(seq);
    if (body === undefined || body === null) return undefined;
    return decodeChange(seq, openChange(scope, seq, body));
  });
}
