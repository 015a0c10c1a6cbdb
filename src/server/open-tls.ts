import { createSecureContext } from "node:tls";
import { ConfigError } from "../config/config.js";
import type { Config } from "../config/server-settings.js";
import { errorText } from "../core/model/errors.js";
import type { Log } from "../core/ports/log.js";
import type { Timer } from "../core/ports/timer.js";
import type { TlsIdentity, TlsSource } from "../rpc/listen/tls-identity.js";
import { type WatchedFiles, watchFiles } from "../system/watched-files.js";
import { readSettingFile } from "./read-setting-file.js";

/** The TLS identity of a server, with the files that it follows. */
export interface TlsHandle {
  /** Source of the TLS identity. Absent: the server serves plaintext. */
  readonly tls?: TlsSource;
  readonly files: readonly WatchedFiles<unknown>[];
}

/**
 * Opens the certificate of the server, and the authorities of client certificates.
 *
 * @throws ConfigError when one of the files cannot be used
 */
export async function openTls(
  { tlsCert, tlsKey, tlsClientCa, tlsClientAuth }: Config,
  { timer, log }: { readonly timer: Timer; readonly log: Log },
): Promise<TlsHandle> {
  if (tlsCert === undefined || tlsKey === undefined) return { files: [] };
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
  const files = await watchFiles({ paths, read, onChange, timer, log });
  const tls = {
    get current() {
      return files.value;
    },
    onChange: (listener: (identity: TlsIdentity) => void) => {
      listeners.push(listener);
    },
  };
  return { tls, files: [files] };
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
  // Node accepts any text that holds no certificate.
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
