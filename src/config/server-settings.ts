import { embedderSettings } from "./embedder-settings.js";
import { guardSettings } from "./guard-settings.js";
import { observationSettings } from "./observation-settings.js";
import { postgresSettings } from "./postgres-settings.js";
import { retentionSettings } from "./retention-settings.js";
import {
  listSetting,
  optionalSetting,
  type Settings,
  setting,
  switchSetting,
  type ValuesOf,
} from "./setting.js";
import {
  byteSizeParser,
  choiceParser,
  durationParser,
  integerParser,
  parseAddress,
  parseHostNames,
  parseIpAddresses,
  parseMoveTargets,
  parseName,
  parseOrigins,
  parsePath,
  parseSwitch,
} from "./setting-values.js";

/** The configuration of a server. */
export type Config = ValuesOf<typeof serverSettings>;

/** The part of the configuration that chooses the embedder. */
export type EmbedderConfig = ValuesOf<typeof embedderSettings>;

/** The configuration of the command `calibrate`. */
export type CalibrateConfig = ValuesOf<typeof calibrateSettings>;

const mebibyte = 1024 ** 2;
const secondMs = 1000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const providers = ["level", "memory", "postgres"] as const;
const tlsClientAuths = ["optional", "require"] as const;
const onMovedRules = ["forward", "refuse"] as const;

/** The setting of every command that reads or changes the credentials file. */
export const credentialSettings = {
  credentials: optionalSetting({
    flag: "credentials",
    placeholder: "file",
    parse: parsePath,
    help:
      "The credentials file: the callers with their keys and rights. `vademecum keys` writes it. " +
      "Keep it outside the data folder, readable by its owner alone (mode 600). The server reads it again " +
      "when it changes. Without this file and without --jwt-jwks, callers are not authenticated.",
  }),
} as const satisfies Settings;

/** The settings of the command `serve`. */
export const serverSettings = {
  dataFolder: setting({
    flag: "data",
    placeholder: "folder",
    defaultText: "./data",
    parse: parsePath,
    help:
      "The folder for all data. The first start creates it. Only one server at a time can use it. " +
      "Copy or move the whole folder only while no server uses it. With --provider postgres, the " +
      "folder has only caches, which you may delete, the audit trail (--audit), and with " +
      "--embedder openai also the calibrations of models.",
  }),
  grpcAddress: setting({
    flag: "grpc",
    placeholder: "host:port",
    defaultText: "127.0.0.1:50051",
    parse: parseAddress,
    help: "The address for gRPC clients. Port 0 takes any free port.",
  }),
  httpAddress: setting({
    flag: "http",
    placeholder: "host:port",
    defaultText: "127.0.0.1:8080",
    parse: parseAddress,
    help:
      "The address for Connect, gRPC-Web and JSON clients, such as browsers and curl. Port 0 " +
      "takes any free port.",
  }),
  ...guardSettings,
  httpAllowedOrigins: listSetting({
    flag: "http-allow-origin",
    placeholder: "origin",
    parse: parseOrigins,
    help:
      "An origin whose web pages may call the HTTP address, such as https://app.example.com. " +
      "Repeat the flag for several origins, or separate them by commas. Pages of other origins are " +
      "refused, except pages of the server's own host (see --http-allow-host). On a server without " +
      "credentials, an allowed page can read and delete every memory.",
  }),
  httpAllowedHosts: listSetting({
    flag: "http-allow-host",
    placeholder: "name",
    parse: parseHostNames,
    help:
      "A host name of this server, such as memory.example.com behind a proxy. Web pages of this " +
      "host may call the HTTP address. Repeat the flag for several names, or separate them by " +
      "commas. `localhost`, IP addresses, and programs such as curl need no entry. Pages of a " +
      "host without an entry are refused, which prevents DNS rebinding.",
  }),
  servesConsole: setting({
    flag: "console",
    placeholder: "on/off",
    defaultText: "on",
    parse: parseSwitch,
    help:
      "Whether the HTTP address serves the web console at /console/: on or off. The console has no " +
      "rights of its own: its pages make the same calls as programs, with the key of the person " +
      "who uses them.",
  }),
  provider: setting({
    flag: "provider",
    placeholder: "name",
    defaultText: "level",
    parse: choiceParser(providers),
    help:
      "Where memories are stored. level: LevelDB in the data folder, synced to disk before each " +
      "reply. postgres: a PostgreSQL that several servers share, see --postgres-url. memory: RAM " +
      "only, lost when the process ends; for tests.",
  }),
  ...postgresSettings,
  ...embedderSettings,
  indexMaxBytes: setting({
    flag: "index-max-bytes",
    placeholder: "size",
    defaultText: "1GiB",
    parse: byteSizeParser(16 * mebibyte),
    help:
      "The maximum RAM for the indexes of namespaces, at least 16MiB. Above the maximum, the " +
      "server evicts the least recently used indexes. A namespace gets an HNSW graph only if its " +
      "index and its graph together fit into the maximum. With the bundled model, a memory of 30 " +
      "tokens takes about 1.1 kB, or 2.5 kB with a graph.",
  }),
  images: optionalSetting({
    flag: "images",
    placeholder: "on|off",
    parse: choiceParser(["on", "off"] as const),
    help:
      "Whether the indexes of namespaces are kept in files, in the folder images of the data " +
      "folder. With them, the first search of a namespace costs a few percent of deriving its " +
      "index from its memories. They take about 1.2 kB of disk for a memory of 30 tokens. A " +
      "memory is removed from them before its deletion is acknowledged. Default: on with " +
      "--provider level. Other providers cannot have images.",
  }),
  graphThreshold: setting({
    flag: "graph-threshold",
    placeholder: "count",
    defaultText: "500000",
    parse: integerParser(1, 1_000_000_000),
    help:
      "A namespace with at least this number of memories gets an HNSW graph of its vectors, which " +
      "takes RAM and minutes to build. From 150,000 memories on, searches of smaller namespaces " +
      "find near vectors by one bit for each of their numbers. Below that, they compare all " +
      "vectors. To turn graphs off, set a number above the size of your largest namespace.",
  }),
  timeZone: setting({
    flag: "time-zone",
    placeholder: "zone",
    defaultText: "UTC",
    parse: parseName,
    help:
      "The time zone in which the days of a query count, if the query names none: a name of the " +
      "IANA time zone database, such as Europe/Madrid, or an offset from UTC, such as +05:30.",
  }),
  allowReset: switchSetting({
    flag: "allow-reset",
    help:
      "Allow the RPC Reset to delete all data of all users in one call. Reset of a single " +
      "namespace is always allowed.",
  }),
  quotaMemories: optionalSetting({
    flag: "quota-memories",
    placeholder: "count",
    parse: integerParser(1, Number.MAX_SAFE_INTEGER),
    help:
      "The most memories that each user may have, over all agents. A call that would add more " +
      "fails with QUOTA_EXCEEDED. Deletions always work. By default, there is no limit.",
  }),
  quotaBytes: optionalSetting({
    flag: "quota-bytes",
    placeholder: "size",
    parse: byteSizeParser(1),
    help:
      "The most bytes that the records of each user may have: memories, vectors, blocks with all " +
      "versions, proposals, skills and traces. Also the most bytes that the notes of each run may " +
      "have. A call that would add more fails with QUOTA_EXCEEDED. Deletions always work. By " +
      "default, there is no limit.",
  }),
  memoryVersions: setting({
    flag: "memory-versions",
    placeholder: "count",
    defaultText: "20",
    parse: integerParser(0, 100),
    help:
      "The most earlier versions to keep of each memory, 0 to 100. With 0, a change leaves no " +
      "earlier version. A lower value takes effect for a memory at its next change.",
  }),
  proposalLifetimeMs: setting({
    flag: "proposal-lifetime",
    placeholder: "duration",
    defaultText: "30d",
    parse: durationParser(3650 * dayMs, secondMs),
    help:
      "How long a proposed edit waits for a decision before it expires, such as 12h or 30d. A new " +
      "value applies only to edits that are proposed after the restart.",
  }),
  ...retentionSettings,
  ...credentialSettings,
  jwtKeySet: optionalSetting({
    flag: "jwt-jwks",
    placeholder: "file",
    parse: parsePath,
    help:
      "A file with the public keys (JWKS) of an issuer of JSON Web Tokens, which callers send " +
      "as `authorization: Bearer TOKEN`. The server reads the file again when it changes, and " +
      "never fetches keys from the network. Requires --jwt-issuer and --jwt-audience.",
  }),
  jwtIssuer: optionalSetting({
    flag: "jwt-issuer",
    placeholder: "name",
    parse: parseName,
    help: "The claim `iss` that tokens must have.",
  }),
  jwtAudience: optionalSetting({
    flag: "jwt-audience",
    placeholder: "name",
    parse: parseName,
    help: "The claim `aud` that tokens must have or contain.",
  }),
  insecure: switchSetting({
    flag: "insecure",
    help:
      "Start a server without credentials or without TLS at addresses that other machines can " +
      "reach. By default, such a server does not start. Without credentials, everyone who can " +
      "connect can read and delete every memory. Without TLS, keys and memories cross the network " +
      "in plaintext.",
  }),
  tlsCert: optionalSetting({
    flag: "tls-cert",
    placeholder: "file",
    parse: parsePath,
    help:
      "The certificate chain in PEM form. With a certificate, both addresses accept TLS only. " +
      "Requires --tls-key.",
  }),
  tlsKey: optionalSetting({
    flag: "tls-key",
    placeholder: "file",
    parse: parsePath,
    help: "The private key of the certificate in PEM form, without a passphrase. Requires --tls-cert.",
  }),
  tlsClientCa: optionalSetting({
    flag: "tls-client-ca",
    placeholder: "file",
    parse: parsePath,
    help:
      "The certificates of the authorities that sign client certificates, in PEM form. The " +
      "credentials file says which caller has which names in its certificate. Requires --tls-cert " +
      "and --credentials.",
  }),
  tlsClientAuth: setting({
    flag: "tls-client-auth",
    placeholder: "rule",
    defaultText: "optional",
    parse: choiceParser(tlsClientAuths),
    help:
      "For --tls-client-ca: whether callers need a certificate. optional: callers may send a key " +
      "or a token in place of a certificate. require: connections without a certificate of these " +
      "authorities are refused.",
  }),
  maxConnections: setting({
    flag: "max-connections",
    placeholder: "count",
    defaultText: "10000",
    parse: integerParser(1, 1_000_000),
    help:
      "The maximum number of open connections to both addresses together. The server closes " +
      "further connections immediately. Each connection needs a file descriptor.",
  }),
  maxConnectionsPerAddress: setting({
    flag: "max-connections-per-address",
    placeholder: "count",
    defaultText: "1000",
    parse: integerParser(0, 1_000_000),
    help:
      "The maximum number of open connections of one client address. An IPv6 address counts by " +
      "its /64 network. 0: no limit, for a server behind a proxy, where all clients share the " +
      "proxy's address. 0 also turns off the limits on the calls of one client address.",
  }),
  messageBufferBytes: setting({
    flag: "message-buffer",
    placeholder: "size",
    defaultText: "256MiB",
    parse: byteSizeParser(32 * mebibyte),
    help:
      "The maximum size of the messages of all calls in progress, at least 32MiB: of requests, and " +
      "of replies that clients have not read yet. Further calls wait. The calls of one caller may " +
      "take a quarter of this size, and those of one connection without credentials an eighth.",
  }),
  onMoved: setting({
    flag: "on-moved",
    placeholder: "rule",
    defaultText: "forward",
    parse: choiceParser(onMovedRules),
    help:
      "What to do with calls about users and runs that `vademecum move` has moved to another server. " +
      "forward: make the call there, with the credentials of the caller. refuse: fail with MOVED, " +
      "which names the address. Calls with a client certificate always fail with MOVED, because a " +
      "certificate cannot be passed on.",
  }),
  moveTargets: listSetting({
    flag: "move-targets",
    placeholder: "host:port",
    parse: parseMoveTargets,
    help:
      "A server to which calls may be forwarded (see --on-moved). Only to these servers can users " +
      "move. Without a port, every port of the host is allowed. Repeat the flag for several " +
      "servers, or separate them by commas. To another machine, calls go over TLS only, and the " +
      "server must show a certificate of a known authority; NODE_EXTRA_CA_CERTS names a file with " +
      "further authorities. During a move, the new server needs the address of the old one too.",
  }),
  forwarders: listSetting({
    flag: "forwarders",
    placeholder: "ip",
    parse: parseIpAddresses,
    help:
      "The IP address of a server that forwards calls to this one (see --on-moved). The limits on " +
      "connections and calls of one client address do not apply to it, because it calls for many " +
      "clients. The limits of each caller still apply. Repeat the flag for several addresses, or " +
      "separate them by commas.",
  }),
  skills: setting({
    flag: "skills",
    placeholder: "on/off",
    defaultText: "on",
    parse: parseSwitch,
    help:
      "Whether the server keeps skills: on or off. When off, calls of SkillService succeed, but " +
      "return and store no skills. Earlier skills stay on disk.",
  }),
  pruning: setting({
    flag: "pruning",
    placeholder: "on/off",
    defaultText: "on",
    parse: parseSwitch,
    help:
      "Whether the server prunes old records by itself, at its start and every day: on or off. " +
      "When off, only the RPC Prune removes old records, and PruneStale removes old skills.",
  }),
  acceptClock: switchSetting({
    flag: "accept-clock",
    help:
      "Believe the machine's clock. Without this switch, a server does not start on data that is " +
      "more than a day ahead of the clock, and prunes nothing for a day if the clock is more than " +
      "30 days ahead of the newest write. With it, times of the data that are more than a day " +
      "ahead are set back to the clock. Use it for one start, after you have checked the clock.",
  }),
  syncMarks: switchSetting({
    flag: "sync-marks",
    help:
      "Sync the file high-water-mark, which names the last writes, to disk before each reply. By " +
      "default, this file is synced within 100 ms. With this switch, the server " +
      "can also notice that a power cut has removed the last synced writes from the disk. But every " +
      "write waits for one more disk sync.",
  }),
  drainDelayMs: setting({
    flag: "drain-delay",
    placeholder: "duration",
    defaultText: "0s",
    parse: durationParser(hourMs),
    help:
      "How long the server goes on to serve after SIGTERM or SIGINT, while health checks already " +
      "answer NOT_SERVING. Load balancers can then send new calls elsewhere before the ports close. " +
      "5s suits Kubernetes.",
  }),
  drainTimeoutMs: setting({
    flag: "drain-timeout",
    placeholder: "duration",
    defaultText: "10s",
    parse: durationParser(hourMs),
    help: "How long calls in flight can run after SIGTERM or SIGINT before they are cancelled.",
  }),
  ...observationSettings,
} as const satisfies Settings;

/** The settings of the command `calibrate`. */
export const calibrateSettings = {
  dataFolder: serverSettings.dataFolder,
  ...embedderSettings,
} as const satisfies Settings;
