import { Command } from "commander";
import { environmentName, mcpSettings, readSettings } from "../config/config.js";
import { errorText } from "../core/model/errors.js";
import type { ToolHost } from "../mcp/tool-calls.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { openConnection } from "./connection.js";
import { firstEndSignal } from "./end-signal.js";
import { addSettings, givenFlags } from "./setting-options.js";

const examples = `
Examples:
  $ vademecum mcp --user ada --agent desktop
  $ vademecum mcp --user ada --agent desktop --run experiment-7 --listen 127.0.0.1:8090

Hosts start the first one themselves and talk to it over standard input and output; it ends with its input.
The second one serves any number of hosts of this machine at http://127.0.0.1:8090/mcp, until SIGTERM or SIGINT.
A Vademecum server must be running: both pass everything on to it.`;

/** `mcp`: offers the tools of a running server to hosts of the Model Context Protocol. */
export function mcpCommand(io: CommandIo): Command {
  const command = new Command("mcp")
    .description("Offer a server's memory as tools to hosts of the Model Context Protocol (MCP).")
    .addHelpText("after", examples);
  addSettings(command, mcpSettings);
  return command.action(async () => {
    const { listen, ...config } = readSettings(
      mcpSettings,
      givenFlags(command, mcpSettings),
      io.environment,
    );
    const host = hostOf(config);
    const connection = openConnection(config);
    try {
      // Loaded here: no other command needs the protocol.
      const { createToolCalls } = await import("../mcp/tool-calls.js");
      const tools = createToolCalls(connection, host);
      if (listen === undefined) {
        const { serveStdio } = await import("../mcp/serve-stdio.js");
        await serveStdio(tools, io.stdin, io.stdout).catch((error: unknown) => {
          throw new CommandFailure(
            `standard input: cannot be read any further: ${errorText(error)}`,
          );
        });
        return;
      }
      const { serveHttp } = await import("../mcp/serve-http.js");
      const server = await serveHttp(tools, listen).catch((error: unknown) => {
        throw new CommandFailure(`--listen: cannot listen there: ${errorText(error)}`);
      });
      const ended = firstEndSignal();
      await printLine(io.stdout, JSON.stringify({ mcp: server.url }));
      await ended;
      await server.close();
    } finally {
      connection.close();
    }
  });
}

type HostSettings = Pick<
  ReturnType<typeof readSettings<typeof mcpSettings>>,
  "userId" | "agentId" | "runId"
>;

function hostOf({ userId, agentId, runId }: HostSettings): ToolHost {
  if ((userId === undefined) !== (agentId === undefined)) {
    const missing = userId === undefined ? "user" : "agent";
    throw new CommandFailure(
      `--${missing}: not given. Memories belong to a user and an agent: give --${missing} ID or set ${environmentName(missing)}.`,
      2,
    );
  }
  if (userId === undefined && runId === undefined) {
    throw new CommandFailure(
      "there is nothing to offer: give --user and --agent for memories, --run for the keys of a run, or both.",
      2,
    );
  }
  return {
    ...(runId !== undefined && { runId }),
    ...(userId !== undefined && agentId !== undefined && { namespace: { userId, agentId } }),
  };
}
