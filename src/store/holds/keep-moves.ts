import { VademecumError } from "../../core/model/errors.js";
import type { HeldRange } from "./held-ranges.js";
import type { MoveKeeper } from "./held-store.js";
import { parseRanges, rangesText } from "./ranges-text.js";

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

/** Reads and writes one text durably. */
export interface TextFile {
  /** Returns the text; `undefined` if none was written. */
  read(): Promise<string | undefined>;
  write(content: string): Promise<void>;
}

/** Keeps moves in a file as JSON. */
export function keepMovesInFile(file: TextFile): MoveKeeper {
  return {
    async load() {
      const text = await file.read();
      return text === undefined ? [] : parseMoves(text);
    },
    save: (moves) => file.write(rangesText(moves)),
  };
}

function parseMoves(text: string): readonly HeldRange[] {
  try {
    return parseRanges(text);
  } catch (cause) {
    throw new VademecumError(
      "DATA_LOSS",
      "STORE_DAMAGED",
      "moves.json in the data folder is damaged: it says which users have moved to other servers. " +
        "Remove it only if no user has moved away, because the server would serve old data",
      { cause },
    );
  }
}
