import { optionalSetting, type Settings, setting } from "./setting.js";
import { choiceParser, durationParser, parseAddress } from "./setting-values.js";

const logLevels = ["trace", "debug", "info", "warn", "error", "silent"] as const;

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
      "format. Whoever reaches the address can read them, so keep it away from other networks. " +
      "Metrics hold no texts and no names of users. Default: no metrics.",
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
