import { crc32 } from "node:zlib";
import { describe, expect, onTestFailed } from "vitest";
import { coversProtocols } from "./suite.js";

/**
 * Describes cases that run over several protocols.
 *
 * In the full suite, each case runs over each protocol. In the quick suite, each case runs over one
 * protocol. The name of the case determines the protocol, so each run makes the same choice.
 * `cases` gets a function that returns the protocol of the running case.
 */
export function describeOver<P extends { readonly name: string }>(
  what: string,
  protocols: readonly P[],
  cases: (protocol: () => P) => void,
): void {
  if (!coversProtocols) {
    describe(what, () => cases(() => protocolOfCase(protocols)));
    return;
  }
  for (const protocol of protocols) {
    describe(`${what} over ${protocol.name}`, () => cases(() => protocol));
  }
}

/** The last case that asked for its protocol. */
let lastCase: string | undefined;

function protocolOfCase<P extends { readonly name: string }>(protocols: readonly P[]): P {
  const { currentTestName } = expect.getState();
  if (currentTestName === undefined)
    throw new Error("no case is running: ask for the protocol inside a case");
  const protocol = protocols[crc32(currentTestName) % protocols.length];
  if (protocol === undefined) throw new Error("there is no protocol to choose from");
  if (lastCase !== currentTestName) {
    lastCase = currentTestName;
    // The name of the case does not contain the protocol, so this line adds it to a failure.
    onTestFailed(() => void process.stderr.write(`${currentTestName}: over ${protocol.name}\n`));
  }
  return protocol;
}
