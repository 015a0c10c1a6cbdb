// Runs the Connect conformance suite against both listeners:
// `node test/protocol-conformance/run.mjs [grpc|http...]`. Exits with 1 if a case outside the list
// of exceptions fails, or if a case that must fail passes. Skips the suite if Go is missing. With
// CI_REQUIRE_TOOLCHAINS=1, a missing Go is an error.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "../../scripts/compile.mjs";
import { goToolsFolder } from "../../scripts/go-tools.mjs";

/**
 * Lists of allowed failures. On the gRPC listener these cases must fail; on the HTTP listener they
 * may fail.
 */
const exceptions = {
  grpc: ["--known-failing", "known-failing-grpc.txt"],
  http: ["--known-flaky", "known-flaky-http.txt"],
};

/** Number of cases of each configuration. Fewer cases would mean that the suite skipped some. */
const caseCounts = { grpc: 496, http: 3240 };

/** The definitions of the suite, compiled. */
const imageName = "suite.binpb";

const folder = dirname(fileURLToPath(import.meta.url));
const projectFolder = dirname(dirname(folder));
const buf = join("node_modules", "@bufbuild", "buf", "bin", "buf");

const given = process.argv.slice(2);
const listeners = given.length > 0 ? given : Object.keys(caseCounts);
const unknown = listeners.filter((name) => !(name in caseCounts));
if (unknown.length > 0)
  throw new Error(
    `no listener ${unknown.join(", ")}; the listeners are ${Object.keys(caseCounts).join(", ")}`,
  );

const tools = goToolsFolder();
if (tools === undefined) {
  process.stderr.write("Skipped the conformance suite: go not found on the path.\n");
  if (process.env.CI_REQUIRE_TOOLCHAINS === "1") process.exitCode = 1;
} else {
  const scratch = mkdtempSync(join(projectFolder, ".dist-conformance-"));
  try {
    const image = join(scratch, imageName);
    mustSucceed(run(process.execPath, [join("scripts", "prepare.mjs")]));
    mustSucceed(
      run(process.execPath, [buf, "build", join("third_party", "conformance"), "-o", image]),
    );
    await compile({ server: "test/protocol-conformance/server.mjs" }, scratch);
    for (const listener of listeners)
      if (!isConformant(listener, tools, scratch)) process.exitCode = 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function isConformant(listener, tools, scratch) {
  const file = (name) => relative(projectFolder, join(folder, name));
  const began = performance.now();
  const [flag, list] = exceptions[listener];
  const { status, stdout } = run(join(tools, "connectconformance"), [
    ...["--mode", "server", "--conf", file(`${listener}.yaml`), flag, `@${file(list)}`],
    ...["--", process.execPath, join(scratch, "server.js"), listener, join(scratch, imageName)],
  ]);
  const seconds = Math.round((performance.now() - began) / 1000);
  const cases = Number(/^Total cases: (\d+)$/m.exec(stdout)?.[1]);
  process.stdout.write(
    `${listener} listener, ${seconds} s:\n${status === 0 ? withoutKnownFailures(stdout) : stdout}\n`,
  );
  if (cases === caseCounts[listener]) return status === 0;
  process.stdout.write(`The suite ran ${cases} cases in place of ${caseCounts[listener]}.\n`);
  return false;
}

/** Returns the summary at the end of the output. */
function withoutKnownFailures(output) {
  return output.slice(output.indexOf("Total cases:"));
}

function run(command, args) {
  const options = {
    cwd: projectFolder,
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: Number.POSITIVE_INFINITY,
  };
  const result = spawnSync(command, args, options);
  if (result.error !== undefined) throw result.error;
  return result;
}

function mustSucceed({ status }) {
  if (status !== 0) throw new Error(`a preparation ended with ${status}`);
}
