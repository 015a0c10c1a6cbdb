import {
  listSetting,
  optionalSetting,
  type Settings,
  secretSetting,
  setting,
  type ValuesOf,
} from "./setting.js";
import {
  parseEndpoint,
  parseListenSecret,
  parseLoopbackAddress,
  parseName,
  parseOrigins,
  parsePath,
  parseSecret,
} from "./setting-values.js";

/** How a client command connects to its server. */
export type ConnectionConfig = ValuesOf<typeof connectionSettings>;

/** The settings of every command that calls a server. */
export const connectionSettings = {
  server: setting({
    flag: "server",
    placeholder: "address",
    defaultText: "127.0.0.1:50051",
    parse: parseEndpoint,
    help: "The gRPC address of the server: HOST:PORT, or https://HOST:PORT for TLS.",
  }),
  tlsCa: optionalSetting({
    flag: "tls-ca",
    placeholder: "file",
    parse: parsePath,
    help:
      "A certificate to trust, in PEM form, for a server whose certificate is not signed by a " +
      "well-known authority.",
  }),
  apiKey: secretSetting({
    flag: "api-key",
    parse: parseSecret,
    help:
      "The API key or token to send, for a server with credentials. It has no flag, because other " +
      "users of the machine can read command lines. It is sent only over TLS, or to this machine.",
  }),
  apiKeyFile: optionalSetting({
    flag: "api-key-file",
    placeholder: "file",
    parse: parsePath,
    help: "A file with the API key or token to send. VADEMECUM_API_KEY takes precedence.",
  }),
  clientCert: optionalSetting({
    flag: "tls-cert",
    placeholder: "file",
    parse: parsePath,
    help: "A client certificate in PEM form, for a server that asks for one. Requires --tls-key.",
  }),
  clientKey: optionalSetting({
    flag: "tls-key",
    placeholder: "file",
    parse: parsePath,
    help: "The private key of the client certificate, in PEM form. Requires --tls-cert.",
  }),
} as const satisfies Settings;

const { server, ...credentialSettings } = connectionSettings;

/** The settings of the command `move`, which calls two servers. */
export const moveSettings = {
  from: optionalSetting({
    flag: "from",
    placeholder: "address",
    parse: server.parse,
    help: "The gRPC or HTTP address of the server that the data leaves. Required.",
  }),
  to: optionalSetting({
    flag: "to",
    placeholder: "address",
    parse: server.parse,
    help: "The gRPC or HTTP address of the server that gets the data. Required.",
  }),
  clientAddress: optionalSetting({
    flag: "client-address",
    placeholder: "address",
    parse: server.parse,
    help:
      "The address of the new server as the old server reaches it, to forward calls. Default: the " +
      "address that an earlier run of this move used, or else --to.",
  }),
  ...credentialSettings,
  toApiKeyFile: optionalSetting({
    flag: "to-api-key-file",
    placeholder: "file",
    parse: parsePath,
    help: "A file with the API key for the server of --to. Default: the key for --from.",
  }),
} as const satisfies Settings;

/** The settings of commands for the memories of one namespace. */
export const namespaceSettings = {
  userId: optionalSetting({
    flag: "user",
    placeholder: "id",
    parse: String,
    help: "The id of the user who owns the data.",
  }),
  agentId: optionalSetting({
    flag: "agent",
    placeholder: "id",
    parse: String,
    help: "The id of the agent that keeps the memories.",
  }),
} as const satisfies Settings;

/** The settings of commands for the blocks and proposals of one user. */
export const userSettings = { userId: namespaceSettings.userId } as const satisfies Settings;

/** The settings of commands for the notes of one run. */
export const runSettings = {
  runId: optionalSetting({
    flag: "run",
    placeholder: "id",
    parse: String,
    help: "The id of the run that has the notes.",
  }),
} as const satisfies Settings;

/** The settings of the command `mcp`. */
export const mcpSettings = {
  ...connectionSettings,
  ...namespaceSettings,
  runId: optionalSetting({
    flag: "run",
    placeholder: "id",
    parse: String,
    help:
      "The run whose notes (values under keys) the tools can read and change. Without a run, the " +
      "server offers no tools for notes.",
  }),
  timeZone: optionalSetting({
    flag: "time-zone",
    placeholder: "zone",
    parse: parseName,
    help:
      "The time zone in which the days of a query count, such as Europe/Madrid or +05:30. " +
      "Default: the server's.",
  }),
  listen: optionalSetting({
    flag: "listen",
    placeholder: "host:port",
    parse: parseLoopbackAddress,
    help:
      "Serve streamable HTTP at this address, at the path /mcp, instead of standard input and " +
      "output. Only addresses of this machine are allowed. Port 0 takes any free port. The first " +
      "line of output has the URL, and the header that callers must send, if there is one.",
  }),
  listenSecret: secretSetting({
    flag: "listen-secret",
    parse: parseListenSecret,
    help:
      "The secret that callers of --listen must send as `authorization: Bearer SECRET`. 'none': " +
      "every program of this machine may call. Default: a random secret for each start if the " +
      "command has a key or a certificate, because all its calls have the rights of that key; " +
      "else none. It has no flag, because other users of the machine can read command lines.",
  }),
  listenAllowedOrigins: listSetting({
    flag: "listen-allow-origin",
    placeholder: "origin",
    parse: parseOrigins,
    help:
      "An origin whose web pages may call --listen, such as http://localhost:3000. Repeat the flag " +
      "for several origins, or separate them by commas. Pages of other origins are refused.",
  }),
} as const satisfies Settings;
