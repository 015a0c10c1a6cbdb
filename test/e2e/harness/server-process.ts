import {
  type ServerProcess,
  type StartOptions,
  startServerProcess as startProcess,
} from "../../faults/server/server-process.js";
import { storeFlags } from "./store-flags.js";

export {
  FailedStart,
  type ServerProcess,
  type StartOptions,
} from "../../faults/server/server-process.js";

/**
 * Starts `serve` in a process of its own. With `vitest --mode postgres`, a database takes the place
 * of the data folder.
 *
 * @throws FailedStart when the process ends instead of becoming ready
 */
export async function startServerProcess(
  dataFolder: string,
  options: StartOptions = {},
): Promise<ServerProcess> {
  const { flags = [] } = options;
  if (flags.includes("--provider")) return startProcess(dataFolder, options);
  const { data: _, ...store } = await storeFlags({ data: dataFolder });
  const more = Object.entries(store).flatMap(([name, value]) => [`--${name}`, value]);
  return startProcess(dataFolder, { ...options, flags: [...flags, ...more] });
}
