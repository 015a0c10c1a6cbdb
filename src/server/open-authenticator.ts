import { ConfigError } from "../config/config.js";
import type { Config } from "../config/server-settings.js";
import { errorText } from "../core/model/errors.js";
import type { Authenticator } from "../core/ports/authenticator.js";
import type { Clock } from "../core/ports/clock.js";
import type { Log } from "../core/ports/log.js";
import { createAuthenticator } from "../credentials/authenticator.js";
import type { Credentials } from "../credentials/credentials.js";
import type { FileWatcher } from "../system/watched-files.js";

/**
 * Opens the credentials file and the issuer's keys that the configuration names. Returns the
 * authenticator of callers. Returns `undefined` if the server has no credentials; then everybody
 * may call.
 *
 * @throws ConfigError when one of the files cannot be used
 */
export async function openAuthenticator(
  { credentials, jwtKeySet, jwtIssuer, jwtAudience }: Config,
  clock: Clock,
  watcher: FileWatcher,
  log: Log,
): Promise<Authenticator | undefined> {
  const reviewers: (() => void)[] = [];
  const afterCheck = (): void => {
    for (const review of reviewers) review();
  };
  // The functions passed to `watch` use dynamic imports, because many servers need neither
  // credentials nor the library for tokens.
  const watch = <T>(flag: string, path: string, read: () => Promise<T>) =>
    watcher.watch({ paths: [path], read, afterCheck }).catch((error: unknown) => {
      throw new ConfigError([`${flag}: cannot use '${path}': ${errorText(error)}`]);
    });
  let known: Credentials | undefined;
  const keys =
    credentials === undefined
      ? undefined
      : await watch("--credentials", credentials, async () => {
          const { readCredentialsFile } = await import("../credentials/credentials-file.js");
          const { createKeyAuthenticator } = await import("../credentials/key-authenticator.js");
          const { changesOf } = await import("../credentials/credentials-changes.js");
          const content = await readCredentialsFile(credentials);
          if (known !== undefined)
            log("info", "the credentials changed", { ...changesOf(known, content) });
          known = content;
          return createKeyAuthenticator(content, clock);
        });
  const isForTokens =
    jwtKeySet !== undefined && jwtIssuer !== undefined && jwtAudience !== undefined;
  const tokens = isForTokens
    ? await watch("--jwt-jwks", jwtKeySet, async () => {
        const { createTokenAuthenticator, readKeySet } = await import(
          "../credentials/token-authenticator.js"
        );
        const rules = { issuer: jwtIssuer, audience: jwtAudience };
        return createTokenAuthenticator(await readKeySet(jwtKeySet), rules, clock);
      })
    : undefined;
  if (keys === undefined && tokens === undefined) return undefined;
  return createAuthenticator({
    ...(keys && { keys: () => keys.value }),
    ...(tokens && { tokens: () => tokens.value }),
    onReview: (listener) => {
      reviewers.push(listener);
    },
  });
}
