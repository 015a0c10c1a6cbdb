import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import {
  HealthCheckResponse_ServingStatus,
  HealthCheckResponseSchema,
} from "#gen/grpc/health/v1/health_pb.js";
import { callServer, clientCommand } from "./client-command.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";

/** How long a health check waits for the server, in milliseconds. */
const checkTimeoutMs = 5_000;

const examples = `
Example:
  $ vademecum health && echo ready

For health checks of containers and supervisors. The exit code is 0 when the server takes calls.
It is 1 when the server takes no calls, or does not answer within ${checkTimeoutMs / 1000} seconds.`;

/** Creates the command `health`, which asks a server whether it takes calls. */
export function healthCommand(io: CommandIo): Command {
  const command = clientCommand("health", "Ask a server whether it takes calls.").addHelpText(
    "after",
    examples,
  );
  const check = () =>
    callServer(
      command,
      io,
      async ({ connection, options, json }) => {
        const response = await connection.health.check({}, options);
        const status = HealthCheckResponse_ServingStatus[response.status];
        await printLine(
          io.stdout,
          json ? toJsonString(HealthCheckResponseSchema, response) : status,
        );
        if (response.status !== HealthCheckResponse_ServingStatus.SERVING)
          throw new CommandFailure(`the server is ${status}`);
      },
      checkTimeoutMs,
    );
  return command.action(check);
}
