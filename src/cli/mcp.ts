import { randomBytes } from "node:crypto";
import { Command } from "commander";
import { mcpSettings } from "../config/client-settings.js";
import { readSettings } from "../config/config.js";
import { contextChoice } from "../config/contexts.js";
import { environmentName } from "../config/setting.js";
import { errorText } from "../core/model/errors.js";
import type { ToolHost } from "../mcp/tool-calls.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { openPatientConnection } from "./connection.js";
import { firstEndSignal } from "./end-signal.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

const examples = `
Examples:
  $ vademecum mcp --user ada --agent desktop
  $ vademecum mcp --user ada --agent desktop --run experiment-7 --listen 127.0.0.1:8090

The first form uses standard input and output. A host starts the command, which ends when its input
ends.
The second form serves any number of hosts on this machine at http://127.0.0.1:8090/mcp, until
SIGTERM or SIGINT. If the command has a key, it prints a header that these hosts must send. Both
forms forward everything to a Vademecum server, which must be running.`;

/** Creates the command `mcp`, which offers the tools of a running server to MCP hosts. */
export function mcpCommand(io: CommandIo): Command {
  const command = new Command("mcp")
    .description("Offer a server's memory as tools to Model Context Protocol (MCP) hosts.")
    .addHelpText("after", examples);
  addSettings(command, { ...contextChoice, ...mcpSettings });
  return command.action(async () => {
    const { listen, listenSecret, listenAllowedOrigins, ...config } = readSettings(
      mcpSettings,
      readFlagTexts(command, mcpSettings),
      io.environment,
    );
    const host = hostOf(config);
    const connection = openPatientConnection(config);
    try {
      // A dynamic import, because no other command needs the protocol.
      const { createToolCalls } = await import("../mcp/tool-calls.js");
      const tools = createToolCalls(connection, host);
      if (listen === undefined) {
        const { serveStdio } = await import("../mcp/serve-stdio.js");
        await serveStdio(tools, io.stdin, io.stdout).catch((error: unknown) => {
          throw new CommandFailure(`standard input: cannot read any further: ${errorText(error)}`);
        });
        return;
      }
      const { serveHttp } = await import("../mcp/serve-http.js");
      const hasKey = [config.apiKey, config.apiKeyFile, config.clientCert].some(
        (it) => it !== undefined,
      );
      const secret = listenSecret ?? (hasKey ? randomBytes(32).toString("base64url") : "");
      const guard = { secret, allowedOrigins: listenAllowedOrigins };
      const server = await serveHttp(tools, listen, guard).catch((error: unknown) => {
        throw new CommandFailure(`--listen: cannot listen: ${errorText(error)}`);
      });
      const ended = firstEndSignal();
      const header = secret === "" ? {} : { authorization: `Bearer ${secret}` };
      await printLine(io.stdout, JSON.stringify({ mcp: server.url, ...header }));
      await ended;
      await server.close();
    } finally {
      connection.close();
    }
  });
}

type HostSettings = Pick<
  ReturnType<typeof readSettings<typeof mcpSettings>>,
  "userId" | "agentId" | "runId" | "timeZone"
>;

function hostOf({ userId, agentId, runId, timeZone }: HostSettings): ToolHost {
  if ((userId === undefined) !== (agentId === undefined)) {
    const missing = userId === undefined ? "user" : "agent";
    throw new CommandFailure(
      `--${missing}: missing. Memories belong to a user and an agent. ` +
        `Give --${missing} ID, or set ${environmentName(missing)}.`,
      2,
    );
  }
  if (userId === undefined && runId === undefined) {
    throw new CommandFailure(
      "there are no tools to offer. Give --user and --agent for memories, " +
        "--run for the keys of a run, or both.",
      2,
    );
  }
  return {
    ...(runId !== undefined && { runId }),
    ...(timeZone !== undefined && { timeZone }),
    ...(userId !== undefined && agentId !== undefined && { namespace: { userId, agentId } }),
  };
}
