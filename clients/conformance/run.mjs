// Tests the clients against real servers: `node clients/conformance/run.mjs [LANGUAGE...]`. For
// each language, runs the cases of cases.json, the example, the programs of the README, the
// tutorial, and the client's own tests.
//
// Prints a table of the results. Exits with 1 if something fails. If the toolchain of a language is
// missing, skips the language and says so. With CI_REQUIRE_TOOLCHAINS=1, fails instead.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DriverProcess } from "./driver-process.mjs";
import { difference, fillIn, valueAt } from "./expectations.mjs";
import { openFaultyConnection } from "./faulty-connection.mjs";
import { programsOf, writeProgram } from "./first-lines.mjs";
import { startHeaderRecorder } from "./header-recorder.mjs";
import { startHttpListener } from "./http-listener.mjs";
import { languages, missingPrograms, pageOrigin } from "./languages.mjs";
import { createPrincipals } from "./principals.mjs";
import { startRefusingListener } from "./refusing-listener.mjs";
import { startRemoteListener } from "./remote-listener.mjs";
import { startServer } from "./server-process.mjs";
import { runTutorial } from "./tutorial.mjs";

const folder = dirname(fileURLToPath(import.meta.url));
const projectFolder = dirname(dirname(folder));
const certificates = join(folder, "tls");
const rpcs = JSON.parse(readFileSync(join(folder, "rpcs.json"), "utf8"));
const cases = JSON.parse(readFileSync(join(folder, "cases.json"), "utf8"));
const isRequired = process.env.CI_REQUIRE_TOOLCHAINS === "1";

const requested = process.argv.slice(2);
const selected = requested.length > 0 ? requested : Object.keys(languages);
const unknown = selected.filter((name) => !(name in languages));
if (unknown.length > 0)
  throw new Error(
    `no client for ${unknown.join(", ")}; the clients are ${Object.keys(languages).join(", ")}`,
  );

const preparation = spawnSync(process.execPath, [join(projectFolder, "scripts", "prepare.mjs")], {
  stdio: "inherit",
});
if (preparation.status !== 0) process.exit(1);

const tlsFlags = [
  "--tls-cert",
  join(certificates, "cert.pem"),
  "--tls-key",
  join(certificates, "key.pem"),
];
const originFlags = ["--http-allow-origin", pageOrigin];
const principals = createPrincipals(projectFolder);
const credentialFlags = ["--credentials", principals.file];
const clientCaFlags = ["--tls-client-ca", join(certificates, "client-ca.pem")];
/** The values of placeholders that all cases may use. */
const sharedVariables = {
  ...principals.variables,
  ca_file: join(certificates, "ca.pem"),
  client_cert_file: join(certificates, "client-cert.pem"),
  client_key_file: join(certificates, "client-key.pem"),
};
const servers = {
  plain: await startServer(projectFolder, originFlags),
  tls: await startServer(projectFolder, [...originFlags, ...tlsFlags]),
  credentials: await startServer(projectFolder, [...originFlags, ...credentialFlags]),
  credentialsOverTls: await startServer(projectFolder, [
    ...originFlags,
    ...credentialFlags,
    ...tlsFlags,
    ...clientCaFlags,
  ]),
  otherOrigin: await startServer(projectFolder, ["--http-allow-origin", "http://other.test"]),
};
const results = new Map();
const completedBuilds = new Set();
try {
  for (const name of selected) results.set(name, await runLanguage(name, languages[name]));
} finally {
  await Promise.all(Object.values(servers).map((server) => server.stop()));
  principals.remove();
}
report();

/**
 * Runs everything for one language. Returns `outcomes`: for each case its fault, or `undefined` if
 * the case passed. If the language cannot run, returns the reason as `skipped` or `failed`.
 */
async function runLanguage(name, language) {
  const missing = missingPrograms(language);
  if (missing.length > 0) return { skipped: `${missing.join(" and ")} not found` };
  const startedAt = performance.now();
  try {
    if (!completedBuilds.has(language.build)) language.build();
    completedBuilds.add(language.build);
  } catch (error) {
    return { failed: error.message };
  }
  const builtAt = performance.now();
  const driver = startDriver(language);
  const outcomes = new Map();
  for (const [index, testCase] of cases.entries()) {
    if (testCase.languages?.includes(name) === false) continue;
    if (testCase.environment !== undefined && language.hasEnvironment === false) continue;
    if (testCase.client?.certFile !== undefined && language.hasCertificates === false) continue;
    const scope = {
      user_id: `${name} ${index}`,
      user_digest: createHash("sha256").update(`${name} ${index}`).digest("hex").slice(0, 16),
      agent_id: "conformance",
      run_id: `${name} ${index}`,
    };
    outcomes.set(testCase.name, await faultOf(() => runCase(testCase, language, driver, scope)));
  }
  await driver.stop();
  if (language.example !== undefined)
    outcomes.set("example", await faultOf(() => runExample(language)));
  if (language.firstLines !== undefined)
    outcomes.set("README", await faultOf(() => runReadme(language)));
  if (language.tutorial !== undefined)
    outcomes.set("tutorial", await faultOf(() => runTutorialOf(language)));
  if (language.tests !== undefined)
    outcomes.set("own tests", await faultOf(() => runTests(language)));
  return {
    outcomes,
    buildSeconds: (builtAt - startedAt) / 1000,
    runSeconds: (performance.now() - builtAt) / 1000,
  };
}

async function faultOf(action) {
  try {
    await action();
    return undefined;
  } catch (error) {
    return error.message;
  }
}

/**
 * Starts a driver. The driver does not get the environment variables `VADEMECUM_*` of this process.
 */
function startDriver({ driver }, environment = {}) {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("VADEMECUM_"));
  return new DriverProcess(driver, { env: { ...Object.fromEntries(others), ...environment } });
}

/** Runs a case in the shared driver. A case with environment variables gets its own driver. */
async function runCase(testCase, language, sharedDriver, scope) {
  const variables = { ...sharedVariables, ...scope };
  const { connection, environment, expectHeaders = {}, expectCounts = {} } = testCase;
  const route = await openConnection(connection, language.listener);
  const driver =
    environment === undefined
      ? sharedDriver
      : startDriver(language, fillIn(environment, variables));
  try {
    await runSteps(testCase, route, driver, scope, variables);
    await route.waitForFault?.();
    const fault =
      difference(fillIn(expectHeaders, variables), route.headers?.() ?? {}, "the headers") ??
      difference(expectCounts, route.counts?.() ?? {}, "the counts");
    if (fault !== undefined) throw new Error(fault);
  } finally {
    route.close?.();
    if (driver !== sharedDriver) await driver.stop();
  }
}

async function runSteps(testCase, route, driver, scope, variables) {
  const { steps = [], client = {}, addresses = [route.address], expectOpen } = testCase;
  variables.address = route.address;
  const { key, caFile, certFile, keyFile, timeoutMs } = fillIn(client, variables);
  const open = {
    key,
    ca_file: caFile ?? route.caFile,
    cert_file: certFile,
    key_file: keyFile,
    timeout_ms: timeoutMs,
  };
  for (const address of addresses)
    await expectAnswer(driver, { open: { address, ...open } }, expectOpen ?? { response: {} });
  for (const step of steps) {
    const command = {
      call: step.call,
      rpc: rpcs[step.call],
      scope,
      request: fillIn(step.request, variables),
      timeout_ms: step.timeoutMs,
      cancel_after_ms: step.cancelAfterMs,
      close_after_ms: step.closeAfterMs,
    };
    const expected = fillIn(step.expect ?? { response: { $any: true } }, variables);
    let answer;
    const startedAt = performance.now();
    for (let time = 0; time < (step.times ?? 1); time++)
      answer = await expectAnswer(driver, command, expected);
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs > (step.endsWithinMs ?? Number.POSITIVE_INFINITY))
      throw new Error(`${step.call}: took ${Math.round(elapsedMs)} ms`);
    for (const [name, path] of Object.entries(step.save ?? {}))
      variables[name] = valueAt(path, answer);
  }
}

async function expectAnswer(driver, command, expected) {
  const answer = await driver.send(command);
  const fault = difference(expected, answer);
  if (fault !== undefined)
    throw new Error(
      `${command.call ?? `open ${command.open.address}`}: ${fault}${"error" in answer ? `; ${JSON.stringify(answer.error)}` : ""}`,
    );
  return answer;
}

/**
 * Prepares the server that a case calls, or a stand-in for a server. `connection` is the entry
 * `connection` of the case in cases.json. It can be one of the names below, the name of a fault of
 * `openFaultyConnection`, or an object with the `refusals` of `startRefusingListener`.
 */
async function openConnection(connection, listener) {
  const addressOf = (server) => (listener === "grpc" ? server.grpcAddress : server.httpAddress);
  if (connection?.refusals !== undefined) {
    const target = connection.thenServes === true ? addressOf(servers.plain) : undefined;
    return startRefusingListener(listener, connection.refusals, target);
  }
  switch (connection) {
    case undefined:
      return { address: addressOf(servers.plain) };
    case "tls":
      return { address: addressOf(servers.tls), caFile: join(certificates, "ca.pem") };
    case "no TLS":
      return { address: addressOf(servers.plain), caFile: join(certificates, "ca.pem") };
    case "credentials":
      return { address: addressOf(servers.credentials) };
    case "credentials, requests counted":
      return openFaultyConnection("none", addressOf(servers.credentials), listener);
    case "credentials over TLS":
      return { address: addressOf(servers.credentialsOverTls) };
    case "another machine":
      return startRemoteListener();
    case "refused":
      // Nothing listens on this port. Browsers allow it, but refuse other low ports.
      return { address: "127.0.0.1:2" };
    case "another protocol":
      return listener === "grpc" ? startHttpListener() : { address: servers.plain.grpcAddress };
    case "plaintext to TLS":
      return { address: addressOf(servers.tls) };
    case "another origin":
      return { address: addressOf(servers.otherOrigin) };
    case "header recorder": {
      const recorder = await startHeaderRecorder(listener);
      return { address: recorder.address, headers: () => recorder.headers, close: recorder.close };
    }
    default:
      return openFaultyConnection(connection, addressOf(servers.plain), listener);
  }
}

/** Runs the example of a language. All examples must print the same lines. */
function runExample({ example, listener }) {
  const expected = readFileSync(join(projectFolder, "examples", "expected-output.txt"), "utf8");
  return expectOutput(listener, (address) => [...example, address], expected);
}

/** Runs the programs of a README whose output it shows, each against an empty server. */
async function runReadme({ firstLines, listener }) {
  const programs = programsOf(firstLines.readme).filter(({ output }) => output !== undefined);
  if (programs.length < 2) throw new Error(`${firstLines.readme} has fewer than two programs`);
  for (const { program, output } of programs) {
    const prepare = (address) => {
      writeProgram(firstLines, program, address);
      return firstLines.command;
    };
    await expectOutput(listener, prepare, output);
  }
}

/** Runs the tutorial of a language against an empty server. */
async function runTutorialOf({ tutorial, listener }) {
  const server = await startServer(projectFolder);
  const { grpcAddress, httpAddress } = server;
  const address = listener === "grpc" ? grpcAddress : httpAddress;
  try {
    runTutorial(tutorial, { projectFolder, address, grpcAddress });
  } finally {
    await server.stop();
  }
}

/** Runs the client's own tests. Their output goes to standard error, like that of compilers. */
async function runTests({ tests, listener }) {
  for (const { command, serverFlags } of tests)
    await runCommand(listener, (address) => [...command, address], process.stderr, serverFlags);
}

async function expectOutput(listener, commandFor, expected) {
  const stdout = await runCommand(listener, commandFor, "pipe");
  if (stdout !== expected) throw new Error(`unexpected output: ${JSON.stringify(stdout)}`);
}

/** Starts an empty server, and runs the command that `commandFor` returns for its address. */
async function runCommand(listener, commandFor, output, serverFlags = []) {
  const server = await startServer(projectFolder, [...originFlags, ...serverFlags]);
  try {
    const [command, ...args] = commandFor(
      listener === "grpc" ? server.grpcAddress : server.httpAddress,
    );
    const { stdout, status, error } = spawnSync(command, args, {
      encoding: "utf8",
      stdio: ["ignore", output, "inherit"],
    });
    if (status !== 0) throw new Error(`exited with ${error?.message ?? status}`);
    return stdout;
  } finally {
    await server.stop();
  }
}

function report() {
  const names = [...results.keys()];
  const rows = [...cases.map(({ name }) => name), "example", "README", "tutorial", "own tests"];
  const cell = (name, row) => {
    const { outcomes } = results.get(name);
    if (outcomes === undefined)
      return results.get(name).failed === undefined ? "skipped" : "FAILED";
    return !outcomes.has(row) ? "-" : outcomes.get(row) === undefined ? "passed" : "FAILED";
  };
  const seconds = (value) => (value === undefined ? "-" : `${value.toFixed(1)} s`);
  const table = [
    ["case", ...names],
    ...rows.map((row) => [row, ...names.map((name) => cell(name, row))]),
    ["time to build", ...names.map((name) => seconds(results.get(name).buildSeconds))],
    ["time to run", ...names.map((name) => seconds(results.get(name).runSeconds))],
  ];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  process.stdout.write(
    `\n${table
      .map((row) =>
        row
          .map((text, column) => text.padEnd(widths[column]))
          .join("  ")
          .trimEnd(),
      )
      .join("\n")}\n\n`,
  );
  for (const [name, { outcomes = new Map(), failed, skipped }] of results) {
    if (skipped !== undefined) process.stdout.write(`${name}: skipped, ${skipped}\n`);
    if (failed !== undefined) process.stdout.write(`${name}: ${failed}\n`);
    for (const [row, fault] of outcomes)
      if (fault !== undefined) process.stdout.write(`${name}, ${row}: ${fault}\n`);
    const hasFailed =
      failed !== undefined || [...outcomes.values()].some((fault) => fault !== undefined);
    if (hasFailed || (skipped !== undefined && isRequired)) process.exitCode = 1;
  }
}
