import { VademecumError } from "../../core/model/errors.js";
import type { HeldRange } from "./held-ranges.js";
import type { MoveKeeper } from "./held-store.js";

/** Keeps moves in RAM, for a store that keeps its records in RAM. */
export function keepMovesInMemory(): MoveKeeper {
  let kept: readonly HeldRange[] = [];
  return {
    load: async () => kept,
    save: async (moves) => {
      kept = moves;
    },
  };
}

/** Reads and writes one text durably: a file, or a column in PostgreSQL. */
export interface TextFile {
  /** Returns the text; `undefined` if none was written. */
  read(): Promise<string | undefined>;
  write(content: string): Promise<void>;
}

/** A move in the JSON of `keepMovesInFile`. */
interface StoredMove {
  readonly tenant?: string;
  readonly first: number;
  readonly last: number;
  readonly holdId: string;
  readonly movedTo: string;
}

/** Keeps moves as JSON in a file, or in a column in PostgreSQL. */
export function keepMovesInFile(file: TextFile): MoveKeeper {
  return {
    async load() {
      const text = await file.read();
      if (text === undefined) return [];
      return parseMoves(text).map(({ tenant, ...move }) => ({
        ...move,
        tenant,
        untilMs: Infinity,
      }));
    },
    async save(moves) {
      const stored = moves.map(({ tenant, first, last, holdId, movedTo }) => ({
        ...(tenant === undefined ? {} : { tenant }),
        first,
        last,
        holdId,
        movedTo,
      }));
      await file.write(`${JSON.stringify(stored)}\n`);
    },
  };
}

function parseMoves(text: string): readonly StoredMove[] {
  try {
    return JSON.parse(text) as readonly StoredMove[];
  } catch (cause) {
    throw new VademecumError(
      "DATA_LOSS",
      "STORE_DAMAGED",
      "the list of users that have moved to other servers is damaged (moves.json in the data " +
        "folder, or vm_meta.moves in PostgreSQL). Remove it only if no user has moved away, " +
        "because the server would serve old data",
      { cause },
    );
  }
}
