import { invalidField, VademecumError } from "../model/errors.js";
import type { Namespace } from "../model/namespace.js";
import type { Calibration, Embedder, Embedders } from "../ports/embedder.js";
import type { NamespaceIndex } from "../ports/search-index.js";
import type { Transaction, VectorProfile } from "../ports/store.js";
import { longTextShare } from "../text/text-length.js";
import { callerCalibration, keywordCalibration, partialCalibration } from "./calibration.js";
import { type Collection, memoryCollection, vectorTableOf } from "./collection.js";
import type { TextVectors } from "./text-vectors.js";

/** `VectorProfile.modelId` of vectors that callers give. */
export const callerModelId = "caller";

/** Key of what the vectors of memories are, in the table `profiles`. */
export const { profileKey } = memoryCollection;

/** The model to embed queries by; `undefined`: a namespace of this profile is searched by keywords, or by callers' vectors. */
export function queryEmbedder(
  profile: VectorProfile | undefined,
  embedders: Embedders,
): Embedder | undefined {
  return profile === undefined ? undefined : embedders.byModelId(profile.modelId);
}

/** The model to embed what is stored by; `undefined`: the server makes no vectors for a namespace of this profile. */
export function storingEmbedder(
  profile: VectorProfile | undefined,
  embedders: Embedders,
): Embedder | undefined {
  return profile === undefined ? embedders.configured : embedders.byModelId(profile.modelId);
}

/** The vectors of a text: one that the caller gave, or those that the server made. */
export interface GivenOrMade {
  readonly given: Float32Array | undefined;
  readonly made: TextVectors;
}

/** The vector to compare memories with, and how the score translates; no vector: by keywords alone. */
export interface QueryVector {
  readonly vector: Float32Array | undefined;
  readonly calibration: Calibration;
  /** Why the namespace's vectors do not count; absent: they do, or it has none. */
  readonly keywordsOnlyReason?: string;
}

/** For queries that are answered by keywords alone. */
export const noQueryVector: QueryVector = { vector: undefined, calibration: keywordCalibration };

/**
 * Chooses the query's vector: the caller's in a namespace of callers' vectors, the server's elsewhere; none where the namespace's model is not at hand. `made` are those of `text`. `givenField` is where the request has the caller's, for errors.
 * @throws INVALID_ARGUMENT or FAILED_PRECONDITION for a caller's vector that does not fit, and what `TextVectors.by` throws.
 */
export function queryVectorFor(
  namespace: Namespace,
  { profile, meanTerms }: Pick<NamespaceIndex, "profile" | "meanTerms">,
  embedders: Embedders,
  { text, given, made }: GivenOrMade & { readonly text: string },
  givenField: "embedding" | "query_embedding",
): QueryVector {
  if (given !== undefined) {
    if (profile !== undefined) requireCallerProfile(namespace, profile, given, givenField);
    return { vector: given, calibration: callerCalibration };
  }
  const embedder = queryEmbedder(profile, embedders);
  if (embedder !== undefined) {
    return {
      vector: made.by(embedder),
      calibration: partialCalibration(embedder.calibration, vectorShare(embedder, text, meanTerms)),
    };
  }
  if (profile === undefined || profile.modelId === callerModelId) return noQueryVector;
  const remedy =
    embedders.configured === undefined
      ? "or with another embedder and run `vademecum reindex`"
      : "or run `vademecum reindex` to change the namespace to the server's";
  const keywordsOnlyReason = `the vectors of this namespace were made by ${profile.modelId}, which this server does not have: by keywords alone; start it with that model, ${remedy}`;
  return { ...noQueryVector, keywordsOnlyReason };
}

/** Share of its weight that the vector of a text has among texts of so many terms. */
function vectorShare(
  { knownShare, longTextWeight = 1 }: Embedder,
  text: string,
  meanTerms: number,
): number {
  return (knownShare?.(text) ?? 1) * (1 - (1 - longTextWeight) * longTextShare(meanTerms));
}

/** A vector to store, and the profile that the namespace has with it. */
export interface StoredVector {
  readonly vector: Float32Array;
  readonly profile: VectorProfile;
}

/**
 * Chooses the vector to store with a memory; `undefined`: none, it will be found by keywords. `givenField` is where the request has the caller's, for errors.
 * @throws as `queryVectorFor`.
 */
export function storedVectorFor(
  namespace: Namespace,
  profile: VectorProfile | undefined,
  embedders: Embedders,
  { given, made }: GivenOrMade,
  givenField = "embedding",
): StoredVector | undefined {
  if (given !== undefined) {
    if (profile !== undefined) requireCallerProfile(namespace, profile, given, givenField);
    return {
      vector: given,
      profile: profile ?? { modelId: callerModelId, dimension: given.length },
    };
  }
  const embedder = storingEmbedder(profile, embedders);
  if (embedder === undefined) return undefined;
  const vector = made.by(embedder);
  return isKnown(vector)
    ? { vector, profile: profile ?? { modelId: embedder.modelId, dimension: embedder.dimension } }
    : undefined;
}

/** Gives a record its vector, or none. `profile`: that of the namespace so far. */
export function putVector(
  tx: Transaction,
  namespace: Namespace,
  id: string,
  stored: StoredVector | undefined,
  profile: VectorProfile | undefined,
  collection: Collection = memoryCollection,
): void {
  const table = vectorTableOf(profile, collection);
  if (stored === undefined) {
    tx.delete(table, namespace, id);
    return;
  }
  tx.put(table, namespace, id, stored.vector);
  if (profile === undefined) tx.put("profiles", namespace, collection.profileKey, stored.profile);
}

/** Whether a model knows anything of the text that it made a vector of. */
export function isKnown(vector: Float32Array): boolean {
  return vector.some((value) => value !== 0);
}

function requireCallerProfile(
  namespace: Namespace,
  profile: VectorProfile,
  given: Float32Array,
  field: string,
): void {
  if (profile.modelId !== callerModelId) {
    const description = `the vectors of user '${namespace.userId}', agent '${namespace.agentId}' are made by the server (${profile.modelId}) and cannot be mixed with the caller's; leave the field out, or use another namespace`;
    throw new VademecumError("FAILED_PRECONDITION", "EMBEDDING_MODEL_MISMATCH", description, {
      field,
    });
  }
  if (profile.dimension !== given.length) {
    throw invalidField(
      field,
      `has ${given.length} numbers; the vectors of this namespace have ${profile.dimension}`,
      "EMBEDDING_DIMENSION_MISMATCH",
    );
  }
}
