// Runs the cases of cases.json through the client of each language against a real server, each example, the first lines of each README, and the package's own tests: `node clients/conformance/run.mjs [LANGUAGE...]`.
// Prints a table. Ends with 1 if a case failed; a language whose toolchain is missing is skipped and named, and fails with CI_REQUIRE_TOOLCHAINS=1.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DriverProcess } from "./driver-process.mjs";
import { difference, filledIn, valueAt } from "./expectations.mjs";
import { openFaultyConnection } from "./faulty-connection.mjs";
import { firstLinesOutput, writeFirstLines } from "./first-lines.mjs";
import { startHeaderRecorder } from "./header-recorder.mjs";
import { languages, missingPrograms, pageOrigin } from "./languages.mjs";
import { startServer } from "./server-process.mjs";

const folder = dirname(fileURLToPath(import.meta.url));
const projectFolder = dirname(dirname(folder));
const certificates = join(folder, "tls");
const cases = JSON.parse(readFileSync(join(folder, "cases.json"), "utf8"));
const isRequired = process.env.CI_REQUIRE_TOOLCHAINS === "1";

const given = process.argv.slice(2);
const chosen = given.length > 0 ? given : Object.keys(languages);
const unknown = chosen.filter((name) => !(name in languages));
if (unknown.length > 0)
  throw new Error(
    `no client for ${unknown.join(", ")}; there are ${Object.keys(languages).join(", ")}`,
  );

const prepared = spawnSync(process.execPath, [join(projectFolder, "scripts", "prepare.mjs")], {
  stdio: "inherit",
});
if (prepared.status !== 0) process.exit(1);

const tlsFlags = [
  "--tls-cert",
  join(certificates, "cert.pem"),
  "--tls-key",
  join(certificates, "key.pem"),
];
const originFlags = ["--http-allow-origin", pageOrigin];
const servers = {
  plain: await startServer(projectFolder, originFlags),
  tls: await startServer(projectFolder, [...originFlags, ...tlsFlags]),
  otherOrigin: await startServer(projectFolder, ["--http-allow-origin", "http://other.test"]),
};
const results = new Map();
const built = new Set();
try {
  for (const name of chosen) results.set(name, await runLanguage(name, languages[name]));
} finally {
  await Promise.all(Object.values(servers).map((server) => server.stop()));
}
report();

/** Outcomes by case: `undefined` where it passed, else what went wrong. Or why the language was not run. */
async function runLanguage(name, language) {
  const missing = missingPrograms(language);
  if (missing.length > 0) return { skipped: `${missing.join(" and ")} not found` };
  const began = performance.now();
  try {
    if (!built.has(language.build)) language.build();
    built.add(language.build);
  } catch (error) {
    return { failed: error.message };
  }
  const ready = performance.now();
  const driver = new DriverProcess(language.driver);
  const outcomes = new Map();
  for (const [index, testCase] of cases.entries()) {
    if (testCase.languages?.includes(name) === false) continue;
    const scope = {
      user_id: `${name} ${index}`,
      agent_id: "conformance",
      run_id: `${name} ${index}`,
    };
    outcomes.set(testCase.name, await faultOf(() => runCase(testCase, language, driver, scope)));
  }
  await driver.stop();
  if (language.example !== undefined)
    outcomes.set("example", await faultOf(() => runExample(language)));
  if (language.firstLines !== undefined)
    outcomes.set("first lines", await faultOf(() => runFirstLines(language)));
  if (language.tests !== undefined)
    outcomes.set("own tests", await faultOf(() => runTests(language)));
  return {
    outcomes,
    buildSeconds: (ready - began) / 1000,
    runSeconds: (performance.now() - ready) / 1000,
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

async function runCase(
  { steps, client = {}, connection, expectHeaders },
  { listener },
  driver,
  scope,
) {
  const way = await openConnection(connection, listener);
  const saved = { ...scope };
  try {
    const { key, timeoutMs } = client;
    await expectAnswer(
      driver,
      { open: { address: way.address, ca_file: way.caFile, key, timeout_ms: timeoutMs } },
      { response: {} },
    );
    for (const step of steps) {
      const command = {
        call: step.call,
        scope,
        request: filledIn(step.request, saved),
        timeout_ms: step.timeoutMs,
        cancel_after_ms: step.cancelAfterMs,
        close_after_ms: step.closeAfterMs,
      };
      const expected = filledIn(step.expect ?? { response: { $any: true } }, saved);
      let answer;
      for (let time = 0; time < (step.times ?? 1); time++)
        answer = await expectAnswer(driver, command, expected);
      for (const [name, path] of Object.entries(step.save ?? {}))
        saved[name] = valueAt(path, answer);
    }
    await way.happened?.();
    const wrong = difference(expectHeaders ?? {}, way.headers?.() ?? {}, "the headers");
    if (wrong !== undefined) throw new Error(wrong);
  } finally {
    way.close?.();
  }
}

async function expectAnswer(driver, command, expected) {
  const answer = await driver.send(command);
  const wrong = difference(expected, answer);
  if (wrong !== undefined)
    throw new Error(
      `${command.call ?? "open"}: ${wrong}${"error" in answer ? `; ${JSON.stringify(answer.error)}` : ""}`,
    );
  return answer;
}

/** The way from a client to the server, with the fault that a case asks for. */
async function openConnection(connection, listener) {
  const addressOf = (server) => (listener === "grpc" ? server.grpcAddress : server.httpAddress);
  switch (connection) {
    case undefined:
      return { address: addressOf(servers.plain) };
    case "tls":
      return { address: addressOf(servers.tls), caFile: join(certificates, "ca.pem") };
    case "no TLS":
      return { address: addressOf(servers.plain), caFile: join(certificates, "ca.pem") };
    case "refused":
      // Where nobody listens, and what browsers do not refuse by its number.
      return { address: "127.0.0.1:2" };
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

/** An example prints the same lines in every language. */
function runExample({ example, listener }) {
  const expected = readFileSync(join(projectFolder, "examples", "expected-output.txt"), "utf8");
  return expectOutput(listener, (address) => [...example, address], expected);
}

function runFirstLines({ firstLines, listener }) {
  const prepare = (address) => {
    writeFirstLines(firstLines, address);
    return firstLines.command;
  };
  return expectOutput(listener, prepare, firstLinesOutput);
}

/** What the tests print goes to standard error, as what compilers print. */
async function runTests({ tests, listener }) {
  await runCommand(listener, (address) => [...tests, address], process.stderr);
}

async function expectOutput(listener, commandFor, expected) {
  const stdout = await runCommand(listener, commandFor, "pipe");
  if (stdout !== expected) throw new Error(`it printed ${JSON.stringify(stdout)}`);
}

/** Runs a command that `commandFor` makes for the address of a server without data. */
async function runCommand(listener, commandFor, output) {
  const server = await startServer(projectFolder, originFlags);
  try {
    const [command, ...args] = commandFor(
      listener === "grpc" ? server.grpcAddress : server.httpAddress,
    );
    const { stdout, status, error } = spawnSync(command, args, {
      encoding: "utf8",
      stdio: ["ignore", output, "inherit"],
    });
    if (status !== 0) throw new Error(`it ended with ${error?.message ?? status}`);
    return stdout;
  } finally {
    await server.stop();
  }
}

function report() {
  const names = [...results.keys()];
  const rows = [...cases.map((it) => it.name), "example", "first lines", "own tests"];
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
