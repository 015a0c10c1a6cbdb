import { execFile, execFileSync } from "node:child_process";
import { execPath } from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { programs } from "../../console/src/calls/call-programs.js";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ provider: "memory", embedder: "none" });
});
afterAll(() => server.stop());

const run = promisify(execFile);

/** How to run the program of each language. `undefined`: it is not installed. */
const interpreters: Readonly<Record<string, readonly string[] | undefined>> = {
  curl: isInstalled("curl") ? ["sh", "-c"] : undefined,
  Python: isInstalled("python3") ? ["python3", "-c"] : undefined,
  TypeScript: [execPath, "--input-type=module", "-e"],
};

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Texts that break out of quotes, are commands, or end a line. */
const texts = [
  "it's \"quoted\" and 'again'",
  "$(touch /x) `id` $HOME \u0024{a} \\ \\n %s !!",
  "line one\nline two\r\n\ttab \u2028 end",
  "\u202eright to left\u202c zero\u200bwidth 😀 é ''' \"\"\"",
  "</script><!-- # // /* @file",
];

it.each(Object.keys(programs))("a call as %s makes the same call", async (name) => {
  const [command = "", ...args] = interpreters[name] ?? [];
  if (command === "") return expect(name).not.toBe("TypeScript");
  const namespace = { userId: 'ada\'s "agent"', agentId: name };
  for (const content of texts) {
    const request = JSON.stringify({ namespace, content, importance: 0.5, metadata: { a: null } });
    const program = programs[name]?.(
      { method: "vademecum.v1.MemoryProvider/Add", request },
      { url: `${server.httpUrl}/`, needsKey: false },
    );
    const { stdout } = await run(command, [...args, program ?? ""]);
    expect(stdout).toMatch(/id/);
  }
  const response = await fetch(`${server.httpUrl}/vademecum.v1.MemoryProvider/GetAll`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ namespace }),
  });
  const { memories } = (await response.json()) as { memories: { content: string }[] };
  expect(memories.map(({ content }) => content).toSorted()).toEqual(texts.toSorted());
});

it.each(Object.keys(programs))("a call as %s reads the key from the environment", async (name) => {
  const [command = "", ...args] = interpreters[name] ?? [];
  if (command === "") return expect(name).not.toBe("TypeScript");
  const method = "vademecum.v1.AccessService/GetCaller";
  const target = { url: `${server.httpUrl}/`, needsKey: true };
  const program = programs[name]?.({ method, request: "{}" }, target) ?? "";
  const env = { ...process.env, VADEMECUM_API_KEY: "secret" };
  expect(program).toContain("VADEMECUM_API_KEY");
  // A server without credentials refuses none, so this call only has to be a valid program.
  const { stdout } = await run(command, [...args, program], { env });
  expect(stdout).toMatch(/anonymous/);
});
