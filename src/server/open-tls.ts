import { createSecureContext } from "node:tls";
import { ConfigError } from "../config/config.js";
import type { Config } from "../config/server-settings.js";
import { errorText } from "../core/model/errors.js";
import type { TlsIdentity, TlsSource } from "../rpc/listen/tls-identity.js";
import type { FileWatcher } from "../system/watched-files.js";
import { readSettingFile } from "./read-setting-file.js";

/**
 * Opens the certificate of the server, and the authorities of client certificates. Returns
 * `undefined` if the server serves plaintext.
 *
 * @throws ConfigError when one of the files cannot be used
 */
export async function openTls(
  { tlsCert, tlsKey, tlsClientCa, tlsClientAuth }: Config,
  watcher: FileWatcher,
): Promise<TlsSource | undefined> {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const read = async (): Promise<TlsIdentity> => {
    const [certPem, keyPem, caPem] = await Promise.all([
      readSettingFile("--tls-cert", tlsCert),
      readSettingFile("--tls-key", tlsKey),
      tlsClientCa === undefined ? undefined : readSettingFile("--tls-client-ca", tlsClientCa),
    ]);
    requireIdentity({ tlsCert, tlsKey }, { cert: certPem, key: keyPem });
    if (caPem === undefined) return { certPem, keyPem };
    requireAuthorities(tlsClientCa ?? "", caPem);
    return { certPem, keyPem, clients: { caPem, isRequired: tlsClientAuth === "require" } };
  };
  const listeners: ((identity: TlsIdentity) => void)[] = [];
  const paths = [tlsCert, tlsKey, ...(tlsClientCa === undefined ? [] : [tlsClientCa])];
  const onChange = (identity: TlsIdentity): void => {
    for (const listener of listeners) listener(identity);
  };
  const files = await watcher.watch({ paths, read, onChange });
  return {
    get current() {
      return files.value;
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
  };
}

function requireIdentity(
  { tlsCert, tlsKey }: { readonly tlsCert: string; readonly tlsKey: string },
  identity: { readonly cert: string; readonly key: string },
): void {
  try {
    createSecureContext(identity);
  } catch (error) {
    throw new ConfigError([
      `--tls-cert, --tls-key: '${tlsCert}' and '${tlsKey}' are not a certificate and its private key ` +
        `(${errorText(error)}); allowed: both in PEM form, the key without a passphrase`,
    ]);
  }
}

function requireAuthorities(path: string, ca: string): void {
  // Node does not refuse a text without a certificate, so this check does.
  const isPem = ca.includes("-----BEGIN CERTIFICATE-----");
  try {
    createSecureContext({ ca });
    if (isPem) return;
  } catch {
    // Reported below.
  }
  throw new ConfigError([
    `--tls-client-ca: '${path}' holds no certificates; allowed: a file in PEM form`,
  ]);
}
