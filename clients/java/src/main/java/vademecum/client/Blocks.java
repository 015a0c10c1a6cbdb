// Generated from the definitions by `npm run generate`. Do not edit.
package vademecum.client;

import vademecum.v1.BlockServiceGrpc;
import vademecum.v1.DeleteBlockRequest;
import vademecum.v1.DeleteBlockResponse;
import vademecum.v1.GetBlockRequest;
import vademecum.v1.GetBlockResponse;
import vademecum.v1.ListBlockVersionsRequest;
import vademecum.v1.ListBlockVersionsResponse;
import vademecum.v1.ListBlocksRequest;
import vademecum.v1.ListBlocksResponse;
import vademecum.v1.PutBlockRequest;
import vademecum.v1.PutBlockResponse;
import vademecum.v1.RestoreBlockRequest;
import vademecum.v1.RestoreBlockResponse;

/**
 * Keeps a user's blocks with all their versions. A block is a text of up to 256 KiB that is read
 * whole, without a search. Agents can propose edits of blocks (MemoryProvider.ProposeEdit), and
 * people approve them (ProposalService). A worked example: docs/guides/blocks.md.
 *
 * <p>Blocks belong to a user, not to an agent. The error NOT_FOUND (BLOCK_NOT_FOUND) does not
 * reveal whether another user has a block with the label.
 *
 * <p>A write is atomic. When it is acknowledged, it is durable (synced to disk). Mutations take an
 * `idempotency_key`, as in MemoryProvider. Here an idempotency key belongs to a user, not to a
 * namespace.
 */
public final class Blocks {
  private final Calls calls;
  private final String userId;

  Blocks(Calls calls, String userId) {
    this.calls = calls;
    this.userId = userId;
  }

  /**
   * Lists a user's blocks in the order of their labels, page by page.
   */
  public ListBlocksResponse list(ListBlocksRequest.Builder request) {
    ListBlocksRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    return calls.unary(BlockServiceGrpc.getListBlocksMethod(), copy.build());
  }

  /**
   * Returns the current version of one block.
   *
   * <p>Fails with NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
   */
  public GetBlockResponse get(GetBlockRequest.Builder request) {
    GetBlockRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    return calls.unary(BlockServiceGrpc.getGetBlockMethod(), copy.build());
  }

  /**
   * Creates a block, or writes the next version of an existing one.
   *
   * <p>Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's
   * version.
   */
  public PutBlockResponse put(PutBlockRequest.Builder request) {
    PutBlockRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(BlockServiceGrpc.getPutBlockMethod(), copy.build());
  }

  /**
   * Deletes a block and all its versions permanently. An unknown label is not an error: `deleted`
   * is false.
   *
   * <p>Pending proposals about the block become PROPOSAL_STATUS_CONFLICTED, or
   * PROPOSAL_STATUS_EXPIRED if their expire_time has passed. All proposals about the block lose
   * their texts (Proposal.texts_removed).
   */
  public DeleteBlockResponse delete(DeleteBlockRequest.Builder request) {
    DeleteBlockRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(BlockServiceGrpc.getDeleteBlockMethod(), copy.build());
  }

  /**
   * Lists the versions of a block, newest first, page by page.
   *
   * <p>Fails with NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
   */
  public ListBlockVersionsResponse listVersions(ListBlockVersionsRequest.Builder request) {
    ListBlockVersionsRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    return calls.unary(BlockServiceGrpc.getListBlockVersionsMethod(), copy.build());
  }

  /**
   * Writes the title, body and schema_ref of an earlier version as the next version. The call fails
   * with these errors:
   *
   * <ul>
   * <li>NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
   * <li>ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's version.
   * <li>NOT_FOUND (BLOCK_VERSION_NOT_FOUND) when the block has no such version.
   * </ul>
   */
  public RestoreBlockResponse restore(RestoreBlockRequest.Builder request) {
    RestoreBlockRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(BlockServiceGrpc.getRestoreBlockMethod(), copy.build());
  }
}
