/** Fields of an input, without the idempotency key. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * To detect a repeated call, servers compare its input with the input of the first call. For the
 * RPCs in this map, older servers compared only a part of the input. Each function returns this
 * part.
 */
const earlierRequests: ReadonlyMap<string, (input: Fields) => unknown> = new Map([
  ["PutBlock", ({ writtenBy: _writer, ...rest }: Fields) => rest],
  ["DeleteBlock", ({ label }: Fields) => ({ label })],
  ["RestoreBlock", ({ userId: _user, writtenBy: _writer, ...rest }: Fields) => rest],
  ["ApproveProposal", ({ id, editedNewString = null }: Fields) => ({ id, editedNewString })],
  ["RejectProposal", ({ id, reason }: Fields) => ({ id, reason })],
  ["DeleteWhere", ({ namespace, filter }: Fields) => ({ namespace, filter })],
  [
    "Reset",
    ({ target }: Fields) =>
      target === "everything" ? { everything: true } : { namespace: target },
  ],
  ["PruneStale", ({ namespace }: Fields) => ({ namespace })],
  ["RegisterTool", ({ manifest }: Fields) => manifest],
]);

/**
 * Returns the request that an older server would have compared, or `undefined` if it compared the
 * whole input.
 *
 * Replies live for 24 hours. After an upgrade, a repeated call may find a reply that an older
 * server stored. The whole input always has a field that the earlier form lacks, so their digests
 * are never equal.
 */
export function earlierRequest(rpc: string, request: unknown): unknown {
  return earlierRequests.get(rpc)?.(request as Fields);
}
