import { embedderSettings } from "./embedder-settings.js";
import { serverSettings } from "./server-settings.js";
import { type Settings, setting } from "./setting.js";
import { byteSizeParser, integerParser } from "./setting-values.js";

const mebibyte = 1024 ** 2;

/** The settings of the command `dev`. */
export const devSettings = {
  grpcAddress: serverSettings.grpcAddress,
  httpAddress: serverSettings.httpAddress,
  httpAllowedOrigins: serverSettings.httpAllowedOrigins,
  insecure: serverSettings.insecure,
  ...embedderSettings,
  logLevel: serverSettings.logLevel,
} as const satisfies Settings;

/** The settings of the command `serve-testing`. */
export const testingSettings = {
  ...devSettings,
  stores: setting({
    flag: "stores",
    placeholder: "count",
    defaultText: "100",
    parse: integerParser(1, 10_000),
    help:
      "The maximum number of stores. A call with one more token drops the store that was unused for " +
      "longest.",
  }),
  storeBytes: setting({
    flag: "store-bytes",
    placeholder: "size",
    defaultText: "8MiB",
    parse: byteSizeParser(mebibyte),
    help:
      "The maximum size of the records of one store, at least 1MiB. A write beyond it fails with " +
      "QUOTA_EXCEEDED.",
  }),
} as const satisfies Settings;
