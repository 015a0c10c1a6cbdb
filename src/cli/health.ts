import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import {
  HealthCheckResponse_ServingStatus,
  HealthCheckResponseSchema,
} from "#gen/grpc/health/v1/health_pb.js";
import { connectionSettings } from "../config/client-settings.js";
import { readSettings } from "../config/config.js";
import { serverSettings } from "../config/server-settings.js";
import { environmentName } from "../config/setting.js";
import { callServer, clientCommand, connectionConfigOf } from "./client-command.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import type { TransportConfig } from "./connection.js";
import { urlOnThisMachine } from "./own-server.js";
import { readFlagTexts } from "./setting-options.js";

/** How long a health check waits for the server, in milliseconds. */
const checkTimeoutMs = 5_000;

const examples = `
Example:
  $ vademecum health && echo ready

For health checks of containers and supervisors. The exit code is 0 when the server takes calls.
It is 1 when the server takes no calls, or does not answer within ${checkTimeoutMs / 1000} seconds.

Without --server and VADEMECUM_SERVER, the command asks the server of its own container: on this
machine, at the port of VADEMECUM_GRPC, and over TLS if VADEMECUM_TLS_CERT is set. It then sends no
key, and accepts any certificate of the server. If the server requires client certificates, give the
certificate of a principal with --tls-cert and --tls-key.`;

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
      { timeoutMs: checkTimeoutMs, config: checkedServer(command, io) },
    );
  return command.action(check);
}

/**
 * Returns the server of `--server`, or of the environment variable VADEMECUM_SERVER. Without them,
 * returns the server that would start with the settings in the environment, such as VADEMECUM_GRPC.
 */
function checkedServer(command: Command, io: CommandIo): TransportConfig {
  const flagTexts = readFlagTexts(command, connectionSettings);
  const { flag } = connectionSettings.server;
  if (flagTexts.has(flag) || io.environment[environmentName(flag)])
    return connectionConfigOf(command, io);
  const { grpcAddress, tlsCert } = readSettings(ownServerSettings, new Map(), io.environment);
  return {
    // Ignores the environment: there, VADEMECUM_TLS_CERT is the certificate of the server. The
    // command would present it as its own.
    ...readSettings(connectionSettings, flagTexts, {}),
    server: urlOnThisMachine(grpcAddress, tlsCert !== undefined),
    apiKeyFile: undefined,
    acceptsAnyCertificate: !flagTexts.has(connectionSettings.tlsCa.flag),
  };
}

const ownServerSettings = {
  grpcAddress: serverSettings.grpcAddress,
  tlsCert: serverSettings.tlsCert,
};
