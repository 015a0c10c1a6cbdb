import { Code, ConnectError } from "@connectrpc/connect";

/** Returns what was read, or `undefined` if the record does not exist. */
export async function orMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (ConnectError.from(error).code === Code.NotFound) return undefined;
    throw error;
  }
}
