import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { runCommand } from "./run-command.js";

it("mcp requires a user with an agent, or a run", async () => {
  expect(await runCommand(["mcp"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("Give --user and --agent") as unknown,
  });
  expect(await runCommand(["mcp", "--user", "ada"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--agent") as unknown,
  });
  expect(await runCommand(["mcp", "--agent", "a"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--user") as unknown,
  });
});

it.each(["0.0.0.0:8090", "192.0.2.1:8090", "memory.example.com:8090", "[::]:8090"])(
  "mcp refuses to listen on %s, which other machines can reach",
  async (address) => {
    const { exitCode, stderr } = await runCommand(["mcp", "--run", "r", "--listen", address]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      `--listen: got '${address}'; allowed: an address that only this machine can reach`,
    );
  },
);

it("mcp reports why it cannot listen", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const { exitCode, stderr } = await runCommand([
    "mcp",
    "--run",
    "r",
    "--listen",
    `127.0.0.1:${port}`,
  ]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("--listen: cannot listen: listen EADDRINUSE");
});

it("mcp ends when its input ends", async () => {
  expect(await runCommand(["mcp", "--run", "r"])).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});

it("mcp reports why it ends before its input", async () => {
  const { exitCode, stderr } = await runCommand(["mcp", "--run", "r"], {
    stdin: " ".repeat(10 * 1024 * 1024 + 1),
  });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    "error: standard input: cannot read any further: " +
      "ReadBuffer exceeded maximum size of 10485760 bytes",
  );
});
