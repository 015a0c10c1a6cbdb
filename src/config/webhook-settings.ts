import { isLoopback } from "../edge/address.js";
import { optionalSetting, type Settings, secretSetting, switchSetting } from "./setting.js";
import { InvalidSettingValue, parsePath } from "./setting-values.js";

/** The form of a secret, as Standard Webhooks has it, for texts about it. */
export const webhookSecretForm =
  "'whsec_' and then 24 to 64 random bytes in base64; several are separated by white space";

function parseWebhookUrl(text: string): URL {
  const allowed =
    "a URL with https, or with http to this machine, and without a password, " +
    "such as https://app.example.com/webhooks";
  if (!URL.canParse(text)) throw new InvalidSettingValue(allowed);
  const url = new URL(text);
  const hasPassword = url.username !== "" || url.password !== "";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const isProtected =
    url.protocol === "https:" || (url.protocol === "http:" && isLoopback({ host }));
  if (!isProtected || hasPassword)
    throw new InvalidSettingValue(allowed, hasPassword ? url.host : undefined);
  return url;
}

/** Parses the secrets of signatures, the newest first. */
export function parseWebhookSecrets(text: string): readonly Buffer[] {
  const secrets = text.trim().split(/\s+/).map(parseWebhookSecret);
  if (secrets.includes(undefined)) throw new InvalidSettingValue(webhookSecretForm);
  return secrets.filter((secret) => secret !== undefined);
}

function parseWebhookSecret(text: string): Buffer | undefined {
  const [, base64 = ""] = /^whsec_([\w+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(base64, "base64");
  return bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined;
}

/** The settings of webhooks. */
export const webhookSettings = {
  webhookUrl: optionalSetting({
    flag: "webhook",
    placeholder: "url",
    parse: parseWebhookUrl,
    help:
      "The URL that receives each change of memories as a signed POST request, by the rules of " +
      "Standard Webhooks. Must have https, or http to this machine. Needs a secret " +
      "(--webhook-secret-file). Default: no webhooks.",
  }),
  webhookSecretFile: optionalSetting({
    flag: "webhook-secret-file",
    placeholder: "file",
    parse: parsePath,
    help:
      "For --webhook: a file with the secret of the signatures, read at the start: whsec_ and 24 to " +
      "64 random bytes in base64. With several secrets, a line each, requests have a signature of " +
      "each, so that the receiver can change its secret at any time. Or set the environment " +
      "variable VADEMECUM_WEBHOOK_SECRET.",
  }),
  webhookSecret: secretSetting({
    flag: "webhook-secret",
    parse: parseWebhookSecrets,
    help:
      "For --webhook: the secret of the signatures, as in --webhook-secret-file. It has no flag, " +
      "because other users of the machine can read command lines.",
  }),
  webhookMemories: switchSetting({
    flag: "webhook-memories",
    help:
      "For --webhook: send the memories too, with their texts. By default, messages have only ids " +
      "of users, agents and memories, and no text leaves the server.",
  }),
} as const satisfies Settings;
