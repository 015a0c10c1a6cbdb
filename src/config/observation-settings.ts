import { optionalSetting, type Settings, setting } from "./setting.js";
import {
  choiceParser,
  durationParser,
  InvalidSettingValue,
  parseAddress,
} from "./setting-values.js";
import { webhookSettings } from "./webhook-settings.js";

const logLevels = ["trace", "debug", "info", "warn", "error", "silent"] as const;

const auditLevels = ["off", "denied", "changes", "all"] as const;

const dayMs = 24 * 3_600_000;

/** Maximum of `--slow-call`. */
const slowCallMaxMs = 3_600_000;

function parseCollector(text: string): URL {
  const allowed = "a URL with http or https and without a password, such as http://127.0.0.1:4318";
  if (!URL.canParse(text)) throw new InvalidSettingValue(allowed);
  const url = new URL(text);
  const hasPassword = url.username !== "" || url.password !== "";
  if (!/^https?:$/.test(url.protocol) || hasPassword)
    throw new InvalidSettingValue(allowed, hasPassword ? url.host : undefined);
  return url;
}

function parseShare(text: string): number {
  const share = Number(text);
  if (text.trim() === "" || !(share >= 0 && share <= 1))
    throw new InvalidSettingValue("a number from 0 to 1, such as 0.01");
  return share;
}

/** The settings that decide what others learn of a running server. */
export const observationSettings = {
  ...webhookSettings,
  metricsAddress: optionalSetting({
    flag: "metrics",
    placeholder: "host:port",
    parse: parseAddress,
    help:
      "The address for metrics, such as 127.0.0.1:9464: GET /metrics answers in Prometheus' text " +
      "format. Everybody who reaches the address can read them, so keep it away from other networks. " +
      "Metrics hold no texts and no names of users. Default: no metrics.",
  }),
  otlpEndpoint: optionalSetting({
    flag: "otlp-endpoint",
    sharedVariable: "OTEL_EXPORTER_OTLP_ENDPOINT",
    placeholder: "url",
    parse: parseCollector,
    help:
      "The URL of a collector that takes traces by OTLP over HTTP, such as http://127.0.0.1:4318. " +
      "The server adds /v1/traces. Spans hold no texts and no ids of users and agents. The variable " +
      "OTEL_EXPORTER_OTLP_ENDPOINT sets it too. Default: no traces.",
  }),
  traceSample: setting({
    flag: "trace-sample",
    sharedVariable: "OTEL_TRACES_SAMPLER_ARG",
    placeholder: "share",
    defaultText: "1",
    parse: parseShare,
    help:
      "The share of calls that are traced, from 0 to 1. A call with the header traceparent is traced " +
      "if its caller traces it. The variable OTEL_TRACES_SAMPLER_ARG sets it too.",
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
