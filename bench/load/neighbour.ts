import type { LoadFigures, LoadRun } from "./call-stream.js";
import type { ChildProgram } from "./child-program.js";

/** Repeats the calls of a neighbour for as long as `measured` takes. Returns what it returns. */
export async function besideNeighbour<T>(
  neighbour: ChildProgram<LoadRun, LoadFigures>,
  run: LoadRun,
  measured: () => Promise<T>,
): Promise<T> {
  const state = { ended: false };
  const repeat = async () => {
    while (!state.ended) await neighbour.ask(run);
  };
  const repeated = repeat();
  try {
    return await measured();
  } finally {
    state.ended = true;
    await repeated;
  }
}
