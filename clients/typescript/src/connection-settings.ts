import { requireCertificate, requireKeyPair } from "#certificates";
import { environmentFile, environmentKey } from "#environment";
import type { TlsOptions, TransportOptions } from "./transport-options.js";

/**
 * A host, with or without a port, and no other part of a URL. The class `URL` later checks the host
 * and the port.
 */
const hostAndPort = /^(?:\[[\da-f:.]+\]|[^\s\p{Cc}/?#@:[\]\\]+)(?::\d+)?$/iu;

/** The address, the key and the TLS settings of a connection. */
export interface ConnectionSettings extends TransportOptions {
  readonly key: string | undefined;
}

/** The arguments of `connect` that the environment completes. */
export interface GivenSettings {
  readonly key: string | undefined;
  readonly tls: boolean | TlsOptions | undefined;
}

/**
 * Completes the arguments of `connect` from the environment.
 *
 * @throws TypeError when the address or the key is invalid
 * @throws TypeError when a certificate comes without its key, or a key without its certificate
 * @throws TypeError when a certificate or a private key is not in PEM form
 * @throws TypeError when the client would send the key in plaintext to another machine
 * @throws TypeError when an environment variable names a file that cannot be read
 */
export function resolveConnection(address: string, given: GivenSettings): ConnectionSettings {
  const tls = resolveTls(given.tls);
  const baseUrl = `${tls === undefined ? "http" : "https"}://${address}`;
  if (!hostAndPort.test(address) || !URL.canParse(baseUrl))
    throw new TypeError(
      `address: is ${JSON.stringify(address)} and must be a host and port, such as 127.0.0.1:8080`,
    );
  const key = (given.key ?? environmentKey()) || undefined;
  if (key !== undefined && !/^[\x20-\x7e]*$/.test(key))
    throw new TypeError("key: must contain only printable ASCII characters, without a line break");
  if (key !== undefined && tls === undefined && !isLoopback(new URL(baseUrl).hostname))
    throw new TypeError(
      `address: the API key would go to ${JSON.stringify(address)} in plaintext, so others could ` +
        "read it; connect with TLS, or without a key",
    );
  return { baseUrl, key, tls };
}

/** Returns the TLS settings, or `undefined` for plaintext. */
function resolveTls(tls: boolean | TlsOptions | undefined): TlsOptions | undefined {
  if (tls === false) return undefined;
  const given = typeof tls === "object" ? tls : {};
  const settings = {
    rootCertificates: rootCertificates(given),
    ...clientCertificate(given),
  };
  const isGiven = Object.values(settings).some((value) => value !== undefined);
  return tls === undefined && !isGiven ? undefined : settings;
}

function rootCertificates({ rootCertificates: given }: TlsOptions) {
  const [name, pem] =
    given === undefined
      ? ["VADEMECUM_TLS_CA", environmentFile("VADEMECUM_TLS_CA")]
      : ["tls.rootCertificates", given];
  if (pem !== undefined) requireCertificate({ name, pem });
  return pem;
}

function clientCertificate({ certificateChain, privateKey }: TlsOptions) {
  if (certificateChain !== undefined || privateKey !== undefined) {
    requirePair(
      { name: "tls.certificateChain", pem: certificateChain },
      { name: "tls.privateKey", pem: privateKey },
    );
    return { certificateChain, privateKey };
  }
  const [chainName, keyName] = ["VADEMECUM_TLS_CERT", "VADEMECUM_TLS_KEY"] as const;
  const [chain, key] = [environmentFile(chainName), environmentFile(keyName)];
  requirePair({ name: chainName, pem: chain }, { name: keyName, pem: key });
  return { certificateChain: chain, privateKey: key };
}

interface OptionalPem {
  readonly name: string;
  readonly pem: string | Uint8Array | undefined;
}

/** Throws if only one of `chain` and `key` has a text, or if TLS cannot use them. */
function requirePair(chain: OptionalPem, key: OptionalPem): void {
  if (chain.pem === undefined && key.pem === undefined) return;
  if (chain.pem !== undefined && key.pem !== undefined) {
    requireKeyPair({ name: chain.name, pem: chain.pem }, { name: key.name, pem: key.pem });
    return;
  }
  const [present, absent] = key.pem === undefined ? [chain, key] : [key, chain];
  throw new TypeError(
    `${absent.name}: missing, but ${present.name} is given; give both, or neither`,
  );
}

/** Whether an address leads to this machine: localhost or a loopback IP address. */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(hostname);
}
