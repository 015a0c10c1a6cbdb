import { env } from "node:process";
import { crc32 } from "node:zlib";
import { describe, expect, onTestFailed } from "vitest";
import { coversProtocols } from "./suite.js";

/**
 * Describes cases that run over several protocols.
 *
 * In the full suite, each case runs over each protocol. In the quick suite, each case runs over one
 * protocol. The name of the case and the commit determine the protocol, so that a commit always
 * makes the same choice, and other commits make others. `VADEMECUM_TEST_PROTOCOL` chooses instead:
 * the first protocol whose name contains its value. `cases` gets a function that returns the
 * protocol of the running case.
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

/** A part of the name of the protocol that all cases use. */
const chosen = env["VADEMECUM_TEST_PROTOCOL"];

/** The commit under test. Empty: this is no clone. */
const commit = env["VADEMECUM_TEST_COMMIT"] ?? "";

/** The last case that asked for its protocol. */
let lastCase: string | undefined;

function protocolOfCase<P extends { readonly name: string }>(protocols: readonly P[]): P {
  const { currentTestName } = expect.getState();
  if (currentTestName === undefined)
    throw new Error("no case is running: ask for the protocol inside a case");
  const protocol =
    protocols.find(({ name }) => chosen !== undefined && name.includes(chosen)) ??
    protocols[crc32(currentTestName + commit) % protocols.length];
  if (protocol === undefined) throw new Error("there is no protocol to choose from");
  if (lastCase !== currentTestName) {
    lastCase = currentTestName;
    // The name of the case does not contain the protocol, so this line adds it to a failure.
    const repeat = `VADEMECUM_TEST_PROTOCOL="${protocol.name}"`;
    onTestFailed(() => void process.stderr.write(`${currentTestName}: over ${repeat}\n`));
  }
  return protocol;
}
