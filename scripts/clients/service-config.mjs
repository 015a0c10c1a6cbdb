// Generates clients/service-config.json, a gRPC service config for programs that use the stubs. It
// repeats the calls that the clients repeat.

/** @typedef {import("./definitions.mjs").Handle} Handle */

/** The retries of the code of the clients too. A test compares these figures with that code. */
const retryPolicy = {
  maxAttempts: 4,
  initialBackoff: "0.1s",
  maxBackoff: "2s",
  backoffMultiplier: 2,
  retryableStatusCodes: ["UNAVAILABLE"],
};

/**
 * Returns the text of the service config.
 * @param {readonly Handle[]} handles
 */
export function serviceConfig(handles) {
  const services = handles.map(({ typeName }) => ({ service: typeName }));
  const unrepeated = handles.flatMap(({ typeName, unrepeated: names }) =>
    names.map((method) => ({ service: typeName, method })),
  );
  const methodConfig = [{ name: services, retryPolicy }, { name: unrepeated }];
  return `${JSON.stringify({ methodConfig }, undefined, 2)}\n`;
}
