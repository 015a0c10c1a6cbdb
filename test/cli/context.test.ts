import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { runCommand } from "./run-command.js";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ provider: "memory", embedder: "none" });
});
afterAll(() => server.stop());

/** Creates a user of a machine, who has no contexts yet. */
async function createHome() {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-home-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const run = (args: readonly string[], environment: Record<string, string> = {}) =>
    runCommand(args, { environment: { HOME: folder, ...environment } });
  const printed = async (...args: readonly string[]) => {
    const { stdout, stderr, exitCode } = await run(args);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    return stdout;
  };
  return { folder, run, printed, file: join(folder, ".config", "vademecum", "contexts.json") };
}

it("a context gives commands their address, user and agent", async () => {
  const { run, printed } = await createHome();
  expect(await printed("context")).toBe("No contexts. `vademecum context add NAME` adds one.\n");
  const ada = ["--server", server.grpcUrl, "--user", "ada", "--agent", "coder"];
  await printed("context", "add", "home", ...ada);
  await printed("context", "add", "bob", "--server", server.grpcUrl, "--user", "bob");
  expect(await run(["add", "Ada drinks tea"])).toMatchObject({ exitCode: 2 });
  await printed("add", "--context", "home", "Ada drinks tea");
  expect(await printed("context", "use", "home")).toBe("The default is now 'home'.\n");
  expect(await printed("count")).toBe("1\n");
  const ofBob = ["count", "--context", "bob"];
  expect((await run(ofBob)).stderr).toContain("--agent: missing");
  expect(await printed(...ofBob, "--agent", "coder")).toBe("0\n");
  expect(await printed("context")).toBe(
    `* home  ${server.grpcUrl} · user ada · agent coder\n` +
      `  bob  ${server.grpcUrl} · user bob\n`,
  );
  expect(await printed("context", "remove", "home")).toBe("Removed 'home'.\n");
  expect(await printed("context", "list")).toBe(`  bob  ${server.grpcUrl} · user bob\n`);
});

it("a flag wins over a variable, and a variable over a context", async () => {
  const { run, printed } = await createHome();
  for (const user of ["ada", "bob"])
    await printed("context", "add", user, "--server", server.grpcUrl, "--user", user);
  await printed("context", "use", "ada");
  const userOf = async (args: readonly string[], environment: Record<string, string>) => {
    const { stdout } = await run(["block", "list", "--json", ...args], environment);
    return stdout;
  };
  const write = ["block", "put", "name"];
  for (const user of ["ada", "bob", "cem"]) await run([...write, user, "--user", user]);
  expect(await userOf([], {})).toContain('"body":"ada"');
  expect(await userOf([], { VADEMECUM_CONTEXT: "bob" })).toContain('"body":"bob"');
  expect(await userOf(["--context", "ada"], { VADEMECUM_CONTEXT: "bob" })).toContain(
    '"body":"ada"',
  );
  const cem = { VADEMECUM_USER: "cem" };
  expect(await userOf(["--context", "bob"], cem)).toContain('"body":"cem"');
  expect(await userOf(["--context", "bob", "--user", "ada"], cem)).toContain('"body":"ada"');
});

it("the key of a context is kept for its user alone, and never printed", async () => {
  const { folder, run, printed, file } = await createHome();
  const key = "vk_secret-of-the-context";
  const added = await run(["context", "add", "work"], {
    VADEMECUM_API_KEY: key,
    VADEMECUM_SERVER: "https://memory.example.com:50051",
  });
  expect(added.stdout).toContain("work  https://memory.example.com:50051 · api-key kept\n");
  const keyFile = join(folder, "key");
  await writeFile(keyFile, key, { mode: 0o600 });
  await printed("context", "add", "local", "--api-key-file", keyFile);
  const all = [
    added.stdout,
    await printed("context"),
    await printed("context", "list", "--json"),
    await printed("context", "use", "work"),
  ];
  expect(all.join("")).not.toContain(key);
  expect(JSON.parse(all[2]?.split("\n")[0] ?? "")).toEqual({
    name: "work",
    current: false,
    server: "https://memory.example.com:50051",
    hasKey: true,
  });
  expect(all[1]).toContain(`local  http://127.0.0.1:50051 · api-key-file ${keyFile}`);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
    contexts: { work: { "api-key": key } },
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(file, ".."))).mode & 0o777).toBe(0o700);
  await chmod(file, 0o644);
  const open = await run(["context"]);
  expect(open).toMatchObject({ exitCode: 2, stdout: "" });
  expect(open.stderr).toContain("chmod 600");
});

it("the key and the TLS options of a context go to no other server", async () => {
  const { folder, run, printed } = await createHome();
  const keyFile = join(folder, "key");
  await writeFile(keyFile, "vk_a", { mode: 0o600 });
  const elsewhere = "http://127.0.0.1:9";
  await printed("context", "add", "work", "--server", elsewhere, "--api-key-file", keyFile);
  await printed("context", "use", "work");
  await rm(keyFile);
  const count = ["count", "--user", "dan", "--agent", "coder"];
  // The command would fail for its key file if it used the context.
  expect(await run([...count])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(keyFile) as unknown,
  });
  expect(await run([...count, "--server", server.grpcUrl])).toMatchObject({ stdout: "0\n" });
  expect(await run(count, { VADEMECUM_SERVER: server.grpcUrl })).toMatchObject({ stdout: "0\n" });
  // A key of the command takes the place of the context's.
  expect((await run(count, { VADEMECUM_API_KEY: "vk_b" })).stderr).toContain("no server answers");
});

it("wrong names, settings and files of contexts are refused before anything is tried", async () => {
  const { run, printed, file } = await createHome();
  const wrong: readonly (readonly [args: readonly string[], message: string])[] = [
    [["context", "use", "home"], "there is no context 'home': there are none"],
    [["context", "remove", "home"], "there is no context 'home'"],
    [["count", "--context", "home"], "there is no context 'home'"],
    [["context", "add", "../x"], "1 to 64 letters"],
    [["context", "add", "x", "--server", "memory"], "--server: got 'memory'"],
    [["context", "add", "x", "--tls-ca", "/none"], "cannot read '/none'"],
    [["context", "add", "x", "--tls-cert", "/none"], "--tls-key: missing"],
  ];
  for (const [args, message] of wrong)
    expect(await run(args)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(message) as unknown,
    });
  const plaintext = { VADEMECUM_API_KEY: "k", VADEMECUM_SERVER: "memory.example.com:50051" };
  expect((await run(["context", "add", "x"], plaintext)).stderr).toContain("in plaintext");
  await printed("context", "add", "home");
  expect((await run(["context", "add", "home"])).stderr).toContain("'home' already");
  expect((await run(["count"], { VADEMECUM_CONTEXT: "hime" })).stderr).toContain("there are home");
  expect((await run(["context"], { VADEMECUM_SERVER: "a:1" })).stderr).toContain("wins over");
  await writeFile(file, '{"contexts":{"home":{"password":"x"}}}');
  expect(await run(["context"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("is not a file that `vademecum context add` wrote") as unknown,
  });
  expect((await runCommand(["context", "add", "home"])).stderr).toContain("set HOME");
});
