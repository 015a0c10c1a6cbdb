import { callerCalibration, keywordCalibration, partialCalibration } from "./calibration.js";
import type { Calibration, Embedder } from "./embedder.js";
import { invalidField, VademecumError } from "./errors.js";
import type { Namespace } from "./namespace.js";
import { longTextShare } from "./search/text-length.js";
import type { NamespaceIndex } from "./search-index.js";
import type { VectorProfile } from "./store.js";

/** `VectorProfile.modelId` of vectors that callers give. */
export const callerModelId = "caller";

/** Key of the one record in the `profiles` table. */
export const profileKey = "vectors";

/** The vector to compare memories with, and how the score translates; no vector: by keywords alone. */
export interface QueryVector {
  readonly vector: Float32Array | undefined;
  readonly calibration: Calibration;
}

/**
 * Chooses the query's vector: the caller's in a namespace of callers' vectors, the server's elsewhere. `made` is that of `text`. `givenField` is where the request has the caller's, for errors.
 * @throws INVALID_ARGUMENT for a caller's vector that does not fit, FAILED_PRECONDITION where the namespace's vectors are of another model than the server's.
 */
export function queryVectorFor(
  namespace: Namespace,
  { profile, meanTerms }: Pick<NamespaceIndex, "profile" | "meanTerms">,
  embedder: Embedder | undefined,
  vectors: { readonly text: string; readonly given: Float32Array | undefined; readonly made: Float32Array | undefined },
  givenField: "embedding" | "query_embedding",
): QueryVector {
  const { text, given, made } = vectors;
  if (given !== undefined) {
    if (profile !== undefined) requireCallerProfile(namespace, profile, given, givenField);
    return { vector: given, calibration: callerCalibration };
  }
  if (profile === undefined || profile.modelId === callerModelId || embedder === undefined || made === undefined) {
    return { vector: undefined, calibration: keywordCalibration };
  }
  requireSameModel(namespace, profile, embedder);
  return { vector: made, calibration: partialCalibration(embedder.calibration, vectorShare(embedder, text, meanTerms)) };
}

/** Share of its weight that the vector of a text has among texts of so many terms. */
function vectorShare({ knownShare, longTextWeight = 1 }: Embedder, text: string, meanTerms: number): number {
  return (knownShare?.(text) ?? 1) * (1 - (1 - longTextWeight) * longTextShare(meanTerms));
}

/** A vector to store, and the profile that the namespace has with it. */
export interface StoredVector {
  readonly vector: Float32Array;
  readonly profile: VectorProfile;
}

/**
 * Chooses the vector to store with a memory; `undefined`: none, it will be found by keywords.
 * @throws as `queryVectorFor`.
 */
export function storedVectorFor(
  namespace: Namespace,
  profile: VectorProfile | undefined,
  embedder: Embedder | undefined,
  vectors: { readonly given: Float32Array | undefined; readonly made: Float32Array | undefined },
): StoredVector | undefined {
  const { given, made } = vectors;
  if (given !== undefined) {
    if (profile !== undefined) requireCallerProfile(namespace, profile, given, "embedding");
    return { vector: given, profile: { modelId: callerModelId, dimension: given.length } };
  }
  if (embedder === undefined || made === undefined || profile?.modelId === callerModelId) return undefined;
  if (profile !== undefined) requireSameModel(namespace, profile, embedder);
  const known = made.some((value) => value !== 0);
  return known ? { vector: made, profile: { modelId: embedder.modelId, dimension: embedder.dimension } } : undefined;
}

function requireCallerProfile(namespace: Namespace, profile: VectorProfile, given: Float32Array, field: string): void {
  if (profile.modelId !== callerModelId) {
    const description = `the vectors of user '${namespace.userId}', agent '${namespace.agentId}' are made by the server (${profile.modelId}) and cannot be mixed with the caller's; leave the field out, or use another namespace`;
    throw new VademecumError("FAILED_PRECONDITION", "EMBEDDING_MODEL_MISMATCH", `${field}: ${description}`, {
      fields: [{ field, description }],
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

function requireSameModel(namespace: Namespace, profile: VectorProfile, embedder: Embedder): void {
  if (profile.modelId === embedder.modelId) return;
  throw new VademecumError(
    "FAILED_PRECONDITION",
    "EMBEDDING_MODEL_MISMATCH",
    `the vectors of user '${namespace.userId}', agent '${namespace.agentId}' were made by ${profile.modelId}; this server makes those of ${embedder.modelId}, and the two cannot be compared. Start the server with the embedder of the data`,
  );
}
