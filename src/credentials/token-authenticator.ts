import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Ajv, type JSONSchemaType } from "ajv";
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from "jose";
import { LRUCache } from "lru-cache";
import type { Principal } from "../core/model/principal.js";
import type { Clock } from "../core/ports/clock.js";
import { hasControlCharacters } from "../core/text/control-characters.js";
import { grantProperties, InvalidCredentials } from "./credentials.js";
import { type Grants, principalWithGrants } from "./stored-principal.js";

/** The issuer and the audience of the tokens. */
export interface TokenRules {
  /** The claim `iss` that a token must have. */
  readonly issuer: string;
  /** The claim `aud` that a token must have or contain. */
  readonly audience: string;
}

/** Finds the principals of JSON Web Tokens. */
export interface TokenAuthenticator {
  /** Returns the principal of a token; `undefined` if the token is not valid. */
  ofToken(token: string): Principal | undefined | Promise<Principal | undefined>;
}

const algorithms = ["RS256", "PS256", "ES256", "EdDSA"];
const tokenMaxBytes = 8 * 1024;
const skewSeconds = 30;
const lifetimeMaxSeconds = 24 * 60 * 60;
/** Maximum number of verified tokens in RAM. Verifying a signature takes up to 0.3 ms. */
const cachedTokensMax = 10_000;

interface VerifiedToken {
  readonly principal: Principal;
  readonly expireMs: number;
}

const grants = { type: "object", properties: grantProperties } as const;
const isGrants = new Ajv({ strictTypes: false }).compile<Grants>(
  grants as unknown as JSONSchemaType<Grants>,
);

/**
 * Reads a file with the public keys of an issuer.
 *
 * @throws InvalidCredentials when the file is not a JWKS
 * @throws Error of the system when the file cannot be read
 */
export async function readKeySet(path: string): Promise<JSONWebKeySet> {
  try {
    const keySet = JSON.parse(await readFile(path, "utf8")) as JSONWebKeySet;
    createLocalJWKSet(keySet);
    return keySet;
  } catch (error) {
    if (error instanceof Error && "code" in error && "syscall" in error) throw error;
    throw new InvalidCredentials(`it is not a JSON Web Key Set: ${String(error)}`);
  }
}

/** Creates the authenticator of an issuer's tokens. Fetches nothing from the issuer. */
export function createTokenAuthenticator(
  keySet: JSONWebKeySet,
  { issuer, audience }: TokenRules,
  clock: Clock,
): TokenAuthenticator {
  const keys = createLocalJWKSet(keySet);
  const verified = new LRUCache<string, VerifiedToken>({ max: cachedTokensMax });
  const verify = async (token: string, digest: string): Promise<Principal | undefined> => {
    const nowMs = clock.nowMs();
    const options = { issuer, audience, algorithms, clockTolerance: skewSeconds };
    const required = { requiredClaims: ["exp", "sub"], currentDate: new Date(nowMs) };
    const payload = await verifiedPayload(token, keys, { ...options, ...required });
    const found = payload && verifiedToken(payload, issuer, nowMs);
    if (found === undefined) return undefined;
    verified.set(digest, found);
    return found.principal;
  };
  return {
    ofToken(token) {
      if (token.length > tokenMaxBytes) return undefined;
      const digest = createHash("sha256").update(token).digest("base64");
      const known = verified.get(digest);
      if (known !== undefined && known.expireMs > clock.nowMs()) return known.principal;
      return verify(token, digest);
    },
  };
}

/** Returns the claims of a token; `undefined` if the token is not valid. */
async function verifiedPayload(
  token: string,
  keys: ReturnType<typeof createLocalJWKSet>,
  options: JWTVerifyOptions,
): Promise<JWTPayload | undefined> {
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return undefined;
    // The token does not name its key, as while the issuer replaces a key. One of them may fit.
    for await (const key of error) {
      const result = await jwtVerify(token, key, options).catch(() => undefined);
      if (result !== undefined) return result.payload;
    }
    return undefined;
  }
}

function verifiedToken(
  { exp = 0, sub, ...claims }: JWTPayload,
  issuer: string,
  nowMs: number,
): VerifiedToken | undefined {
  if (exp * 1000 > nowMs + (lifetimeMaxSeconds + skewSeconds) * 1000) return undefined;
  // The claims may hold anything: the library checks no types.
  if (typeof sub !== "string" || sub === "" || hasControlCharacters(sub)) return undefined;
  const granted = claims["vademecum"];
  if (!isGrants(granted)) return undefined;
  return { principal: principalWithGrants(`jwt:${issuer}#${sub}`, granted), expireMs: exp * 1000 };
}
