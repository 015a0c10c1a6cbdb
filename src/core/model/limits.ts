/**
 * The limits of content. Sizes are bytes of UTF-8. The rules in the proto files state the same
 * values for requests. The core needs the limits for content that it makes itself, and for the
 * parameters of the tools that it publishes.
 */

/** Largest reply message. Most clients accept messages of up to this size. */
export const replyMaxBytes = 4 * 1024 * 1024;

/** Largest content of a memory. */
export const contentMaxBytes = 64 * 1024;

/** Largest metadata of a memory, as compact JSON. */
export const metadataMaxBytes = 16 * 1024;

/** Largest `trace_data` of a trace, as compact JSON. */
export const traceDataMaxBytes = 64 * 1024;

/** Maximum number of tags of a memory. */
export const tagsMax = 32;

/** Longest tag. */
export const tagMaxBytes = 128;

/** Longest query of a search. */
export const queryMaxBytes = 8 * 1024;

/** Largest body of a block, and largest old or new string of an edit. */
export const blockBodyMaxBytes = 256 * 1024;

/** Longest label of a block. */
export const blockLabelMaxBytes = 128;

/** Largest arguments of a tool call, as compact JSON. */
export const argumentsMaxBytes = 64 * 1024;

/** Longest reasoning of a proposal. */
export const reasoningMaxBytes = 4 * 1024;

/** Longest key of a note, and longest pattern to search keys by. */
export const keyMaxBytes = 512;

/** Largest value of a note. */
export const valueMaxBytes = 64 * 1024;
