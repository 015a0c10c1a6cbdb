import { ConfigError, readConfig } from "../../src/config/config.js";
import type { Config } from "../../src/config/server-settings.js";

/** Reads a configuration from flags (without their dashes) and environment variables. */
export function configOf(
  flags: Record<string, string>,
  environment: Record<string, string> = {},
): Config {
  return readConfig(new Map(Object.entries(flags)), environment);
}

/** Returns the problems of a configuration. The list is empty if the configuration is valid. */
export function problemsOf(
  flags: Record<string, string>,
  environment: Record<string, string> = {},
): readonly string[] {
  try {
    configOf(flags, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
