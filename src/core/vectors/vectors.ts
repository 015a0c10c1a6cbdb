import { invalidField, VademecumError } from "../model/errors.js";
import type { Namespace } from "../model/namespace.js";
import { type Embedder, type Embedders, measuredWeakLevel, type Scale } from "../ports/embedder.js";
import type { NamespaceIndex } from "../ports/search-index.js";
import type { Transaction, VectorProfile } from "../ports/store.js";
import { longTextShare } from "../text/text-length.js";
import { callerCalibration, keywordScaleOf, modelScaleOf, partialScale } from "./calibration.js";
import { type Collection, memoryCollection, vectorTableOf } from "./collection.js";
import type { TextVectors } from "./text-vectors.js";

/** `VectorProfile.modelId` of vectors that callers give. */
export const callerModelId = "caller";

/** Key of the vector profile of memories, in the table `profiles`. */
export const { profileKey } = memoryCollection;

/**
 * Returns the model that embeds queries. `undefined`: searches of this profile use keywords alone,
 * or vectors of callers.
 */
export function queryEmbedder(
  profile: VectorProfile | undefined,
  embedders: Embedders,
): Embedder | undefined {
  return profile === undefined ? undefined : embedders.byModelId(profile.modelId);
}

/**
 * Returns the model that embeds new records. `undefined`: the server makes no vectors for a
 * namespace of this profile.
 */
export function storingEmbedder(
  profile: VectorProfile | undefined,
  embedders: Embedders,
): Embedder | undefined {
  return profile === undefined ? embedders.configured : embedders.byModelId(profile.modelId);
}

/** The caller's vector of a text, or the vectors that the server's models make of it. */
export interface GivenOrMade {
  readonly given: Float32Array | undefined;
  readonly made: TextVectors;
}

/**
 * The vector to compare memories with, and its calibration. Without a vector, keywords alone count.
 */
export interface QueryVector extends Required<Scale> {
  readonly vector: Float32Array | undefined;
  /** Matches of a lower relevance are weak, 0 to 1. */
  readonly weakLevel: number;
  /** The share of its weight that the vector keeps, 0 to 1; 0 without a vector. */
  readonly vectorShare: number;
  /**
   * Minimum relevance of a memory with exactly this vector, 0 to 1. If the server made the vector,
   * this is the share of the query that the model knows, because the vector says nothing about the
   * rest.
   */
  readonly sameVectorRelevance: number;
  /** Why the namespace's vectors do not count. Absent: they count, or there are none. */
  readonly keywordsOnlyReason?: string | undefined;
}

/** Returns the query vector of a query that keywords alone answer. */
export function noQueryVector(text: string): QueryVector {
  return {
    vector: undefined,
    ...keywordScaleOf(text),
    weakLevel: measuredWeakLevel,
    vectorShare: 0,
    sameVectorRelevance: 0,
  };
}

/**
 * Chooses the vector of a query: the caller's vector in a namespace of caller vectors, the server's
 * vector in any other. Returns no vector if the server does not have the namespace's model.
 *
 * @param given the caller's vector
 * @param made the vectors of `text` by the server's models
 * @param givenField the field of the request with the caller's vector, for errors
 * @throws FAILED_PRECONDITION (EMBEDDING_MODEL_MISMATCH) when the server makes the vectors of this
 *   namespace
 * @throws INVALID_ARGUMENT (EMBEDDING_DIMENSION_MISMATCH) when the caller's vector has another
 *   length than the vectors of the namespace
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
    // The scores of an unknown model may be too low, so any floor above 0 might drop good matches.
    return {
      vector: given,
      calibration: callerCalibration,
      vectorShare: 1,
      defaultFloor: 0,
      weakLevel: 0,
      sameVectorRelevance: 1,
    };
  }
  const embedder = queryEmbedder(profile, embedders);
  if (embedder !== undefined && made.unavailableReason !== undefined) {
    const keywordsOnlyReason = `the search used keywords only, because ${made.unavailableReason}`;
    return { ...noQueryVector(text), keywordsOnlyReason };
  }
  if (embedder !== undefined) {
    const knownShare = embedder.knownShare?.(text) ?? 1;
    const vectorShare = knownShare * longTextFactor(embedder, meanTerms);
    return {
      vector: made.vectorBy(embedder),
      ...partialScale(keywordScaleOf(text), modelScaleOf(embedder, text), vectorShare),
      weakLevel: embedder.weakLevel ?? 0,
      vectorShare,
      sameVectorRelevance: knownShare,
    };
  }
  if (profile === undefined || profile.modelId === callerModelId) return noQueryVector(text);
  const remedy =
    embedders.configured === undefined
      ? "or with another embedder and run `vademecum reindex`"
      : "or run `vademecum reindex` to change the namespace to the server's";
  const keywordsOnlyReason =
    `the vectors of this namespace were made by ${profile.modelId}, which this server does not ` +
    `have: the search used keywords only; start the server with that model, ${remedy}`;
  return { ...noQueryVector(text), keywordsOnlyReason };
}

/**
 * Returns the share of the vector weight that counts in a namespace, 0 to 1. Long texts lower the
 * share. `meanTerms`: the mean number of terms of the namespace's memories.
 */
function longTextFactor({ longTextWeight = 1 }: Embedder, meanTerms: number): number {
  return 1 - (1 - longTextWeight) * longTextShare(meanTerms);
}

/** A vector to store, and the profile that the namespace then has. */
export interface StoredVector {
  readonly vector: Float32Array;
  readonly profile: VectorProfile;
}

/**
 * Chooses the vector to store with a memory. `undefined`: the memory is found by keywords alone.
 *
 * @param givenField the field of the request with the caller's vector, for errors
 * @throws FAILED_PRECONDITION (EMBEDDING_MODEL_MISMATCH) when the server makes the vectors of this
 *   namespace
 * @throws INVALID_ARGUMENT (EMBEDDING_DIMENSION_MISMATCH) when the caller's vector has another
 *   length than the vectors of the namespace
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
  const vector = made.vectorBy(embedder);
  return isKnown(vector)
    ? { vector, profile: profile ?? { modelId: embedder.modelId, dimension: embedder.dimension } }
    : undefined;
}

/**
 * Stores the vector of a record, or deletes it. `profile`: the namespace's profile before the
 * write.
 */
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

/** Whether the model knew any part of the text that this vector represents. */
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
    const description =
      `the server makes the vectors of user '${namespace.userId}', agent '${namespace.agentId}' ` +
      `(${profile.modelId}), and they cannot be mixed with the caller's; ` +
      "leave the field out, or use another namespace";
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
