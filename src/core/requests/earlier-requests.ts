/** Fields of an input, without the idempotency key. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * For some RPCs, older servers compared a repeated call by a part of its input. This map returns
 * that part. All other RPCs were always compared by the whole input.
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
