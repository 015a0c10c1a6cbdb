import { optionalSetting, type Settings, setting } from "./setting.js";
import { choiceParser, durationParser, parseAddress } from "./setting-values.js";

const logLevels = ["trace", "debug", "info", "warn", "error", "silent"] as const;

const auditLevels = ["off", "denied", "changes", "all"] as const;

const dayMs = 24 * 3_600_000;

/** Maximum of `--slow-call`. */
const slowCallMaxMs = 3_600_000;

/** The settings that decide what an operator sees of a running server. */
export const observationSettings = {
  metricsAddress: optionalSetting({
    flag: "metrics",
    placeholder: "host:port",
    parse: parseAddress,
    help:
      "The address for metrics, such as 127.0.0.1:9464: GET /metrics answers in Prometheus' text " +
      "format. Everybody who reaches the address can read them, so keep it away from other networks. " +
      "Metrics hold no texts and no names of users. Default: no metrics.",
  }),
  audit: optionalSetting({
    flag: "audit",
    placeholder: "level",
    parse: choiceParser(auditLevels),
    help:
      "Which calls go into the audit trail, the files of the folder audit in the data folder. " +
      "denied: calls that are refused for lack of credentials or rights. changes: also calls that " +
      "change data, and copies of all data. all: all calls. Lines hold no texts, and users, agents " +
      "and ids only as pseudonyms. Default: changes on a server with credentials, else off. With " +
      "--provider memory, the default is off.",
  }),
  auditKeepMs: setting({
    flag: "audit-keep",
    placeholder: "duration",
    defaultText: "365d",
    parse: durationParser(36_500 * dayMs, dayMs),
    help:
      "How long the file of a day of the audit trail is kept, at least 1d. Older files are removed " +
      "at the start and with the first line of a day.",
  }),
  slowCallMs: setting({
    flag: "slow-call",
    placeholder: "duration",
    defaultText: "1s",
    parse: durationParser(slowCallMaxMs),
    help:
      "A call that takes at least this long is logged as slow, with its method, caller, duration " +
      "and sizes, never its texts. At most ten lines a second are logged for one method.",
  }),
  logLevel: setting({
    flag: "log-level",
    placeholder: "level",
    defaultText: "info",
    parse: choiceParser(logLevels),
    help:
      "The lowest level of log lines to write, as JSON to standard error. debug has a line for " +
      "each call: method, caller, address, code, duration and sizes. Texts, queries and keys are " +
      "never logged.",
  }),
} as const satisfies Settings;
