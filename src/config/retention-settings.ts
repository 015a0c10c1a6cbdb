import { optionalSetting, type Settings, setting } from "./setting.js";
import { durationParser, integerParser } from "./setting-values.js";

const dayMs = 24 * 60 * 60 * 1000;

/** How long pruning keeps records that nobody deletes. */
export const retentionSettings = {
  keepDecidedMs: optionalSetting({
    flag: "keep-decided",
    placeholder: "duration",
    parse: durationParser(36_500 * dayMs, 1000),
    help:
      "How long proposals are kept after their decision or their expiry, such as 90d. Pruning then " +
      "deletes them. Default: for ever.",
  }),
  blockVersions: optionalSetting({
    flag: "block-versions",
    placeholder: "count",
    parse: integerParser(1, Number.MAX_SAFE_INTEGER),
    help:
      "The most versions to keep of each block, with the present one, at least 1. Pruning deletes " +
      "older ones. Default: all.",
  }),
  keepTracesMs: setting({
    flag: "keep-traces",
    placeholder: "duration",
    defaultText: "30d",
    parse: durationParser(30 * dayMs, 1000),
    help: "How long entries of the trace of tools are kept, at most 30d. Pruning deletes older ones.",
  }),
} as const satisfies Settings;
