import { ConfigError } from "../config/config.js";
import type { Config } from "../config/server-settings.js";
import { InvalidSettingValue } from "../config/setting-values.js";
import { parseWebhookSecrets } from "../config/webhook-settings.js";
import type { Clock } from "../core/ports/clock.js";
import type { Log } from "../core/ports/log.js";
import type { Meter } from "../core/ports/meter.js";
import type { Store } from "../core/ports/store.js";
import { productVersion } from "../edge/version.js";
import { memoryEventsJson } from "../rpc/convert/memory-events.js";
import type { WebhookDeliveries } from "../webhooks/webhook-deliveries.js";
import { readSettingFile } from "./read-setting-file.js";

/**
 * Prepares the webhooks that the configuration asks for. Loads their modules only then.
 *
 * @param closers receives a function that ends the deliveries
 * @throws ConfigError when the file with the secret cannot be used
 */
export async function openWebhooks(
  config: Config,
  parts: {
    readonly store: Store;
    readonly clock: Clock;
    readonly meter: Meter;
    readonly log: Log;
  },
  closers: (() => Promise<void>)[],
): Promise<WebhookDeliveries | undefined> {
  const { webhookUrl: url, webhookMemories: includesMemories } = config;
  parts.meter("webhookFailing", 0);
  if (url === undefined) return undefined;
  const { createWebhookSender } = await import("../webhooks/webhook-sender.js");
  const { WebhookDeliveries } = await import("../webhooks/webhook-deliveries.js");
  const secrets = await readSecrets(config);
  const userAgent = `vademecum/${productVersion()}`;
  const sender = createWebhookSender({
    url,
    secrets,
    userAgent,
    clock: parts.clock,
    eventsOf: memoryEventsJson,
  });
  const deliveries = new WebhookDeliveries({ ...parts, sender, includesMemories });
  closers.push(async () => {
    await deliveries.stop();
    sender.close();
  });
  return deliveries;
}

async function readSecrets({ webhookSecret, webhookSecretFile: path }: Config) {
  if (path === undefined) return webhookSecret ?? [];
  const flag = "--webhook-secret-file";
  try {
    return parseWebhookSecrets(await readSettingFile(flag, path));
  } catch (error) {
    if (!(error instanceof InvalidSettingValue)) throw error;
    throw new ConfigError([`${flag}: '${path}' must hold ${error.allowed}`]);
  }
}
