// Made from the definitions by `npm run generate`: do not edit.
package dev.vademecum.client;

import dev.vademecum.v1.BlockServiceGrpc;
import dev.vademecum.v1.DeleteBlockRequest;
import dev.vademecum.v1.DeleteBlockResponse;
import dev.vademecum.v1.GetBlockRequest;
import dev.vademecum.v1.GetBlockResponse;
import dev.vademecum.v1.ListBlockVersionsRequest;
import dev.vademecum.v1.ListBlockVersionsResponse;
import dev.vademecum.v1.ListBlocksRequest;
import dev.vademecum.v1.ListBlocksResponse;
import dev.vademecum.v1.PutBlockRequest;
import dev.vademecum.v1.PutBlockResponse;
import dev.vademecum.v1.RestoreBlockRequest;
import dev.vademecum.v1.RestoreBlockResponse;

/**
 * Keeps a user's blocks: texts of up to 256 KiB that are always at hand, with all of their versions. How they are edited by agents and approved by people: ProposalService and docs/blocks.md.
 *
 * <p>Blocks belong to a user, not to an agent. A label of another user and one that does not exist answer exactly the same: NOT_FOUND (BLOCK_NOT_FOUND). A write is acknowledged when it is durable and atomic. Mutations take an `idempotency_key`, as in MemoryProvider.
 */
public final class Blocks {
  private final Calls calls;
  private final String userId;

  Blocks(Calls calls, String userId) {
    this.calls = calls;
    this.userId = userId;
  }

  /**
   * Lists a user's blocks, by label, page by page.
   */
  public ListBlocksResponse listBlocks(ListBlocksRequest.Builder request) {
    ListBlocksRequest.Builder filled = request.clone();
    filled.setUserId(userId);
    return calls.unary(BlockServiceGrpc.getListBlocksMethod(), filled.build());
  }

  /**
   * Returns one block as it is now. NOT_FOUND if there is none.
   */
  public GetBlockResponse getBlock(GetBlockRequest.Builder request) {
    GetBlockRequest.Builder filled = request.clone();
    filled.setUserId(userId);
    return calls.unary(BlockServiceGrpc.getGetBlockMethod(), filled.build());
  }

  /**
   * Writes a block: a new one, or the next version of the one that there is. ABORTED (VERSION_MISMATCH) if expected_version is given and is not the block's.
   */
  public PutBlockResponse putBlock(PutBlockRequest.Builder request) {
    PutBlockRequest.Builder filled = request.clone();
    filled.setUserId(userId);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(BlockServiceGrpc.getPutBlockMethod(), filled.build());
  }

  /**
   * Deletes a block with all of its versions, for good. A label that does not exist is no error: `deleted` is false. Proposals about the block are kept; one that still waits becomes PROPOSAL_STATUS_CONFLICTED when somebody approves it.
   */
  public DeleteBlockResponse deleteBlock(DeleteBlockRequest.Builder request) {
    DeleteBlockRequest.Builder filled = request.clone();
    filled.setUserId(userId);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(BlockServiceGrpc.getDeleteBlockMethod(), filled.build());
  }

  /**
   * Lists the versions of a block, newest first, page by page. NOT_FOUND if there is no such block.
   */
  public ListBlockVersionsResponse listBlockVersions(ListBlockVersionsRequest.Builder request) {
    ListBlockVersionsRequest.Builder filled = request.clone();
    filled.setUserId(userId);
    return calls.unary(BlockServiceGrpc.getListBlockVersionsMethod(), filled.build());
  }

  /**
   * Writes what an earlier version said as the next version. NOT_FOUND if there is no such block (BLOCK_NOT_FOUND) or it has no such version (BLOCK_VERSION_NOT_FOUND). A repeated call with the same idempotency_key answers as the first one did, or NOT_FOUND if the block was deleted since.
   */
  public RestoreBlockResponse restoreBlock(RestoreBlockRequest.Builder request) {
    RestoreBlockRequest.Builder filled = request.clone();
    filled.setUserId(userId);
    if (!filled.hasIdempotencyKey()) {
      filled.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(BlockServiceGrpc.getRestoreBlockMethod(), filled.build());
  }
}
