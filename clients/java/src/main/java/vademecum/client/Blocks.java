// Generated from the definitions by `npm run generate`. Do not edit.
package vademecum.client;

import vademecum.v1.BlockServiceGrpc;
import vademecum.v1.DeleteBlockRequest;
import vademecum.v1.DeleteBlockResponse;
import vademecum.v1.DeleteBlocksRequest;
import vademecum.v1.DeleteBlocksResponse;
import vademecum.v1.GetBlockRequest;
import vademecum.v1.GetBlockResponse;
import vademecum.v1.ListBlockVersionsRequest;
import vademecum.v1.ListBlockVersionsResponse;
import vademecum.v1.ListBlocksRequest;
import vademecum.v1.ListBlocksResponse;
import vademecum.v1.PutBlockRequest;
import vademecum.v1.PutBlockResponse;
import vademecum.v1.RenameBlockRequest;
import vademecum.v1.RenameBlockResponse;
import vademecum.v1.RenderBlocksRequest;
import vademecum.v1.RenderBlocksResponse;
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
   *
   * <p>Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's
   * version.
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
   * Deletes all blocks whose labels begin with a prefix, in one atomic step, as DeleteBlock does
   * for each. Deletes at most 1,000 blocks.
   *
   * <p>Fails with FAILED_PRECONDITION (TOO_MANY_MATCHES) when more blocks have the prefix. Nothing
   * is deleted then.
   */
  public DeleteBlocksResponse deleteMany(DeleteBlocksRequest.Builder request) {
    DeleteBlocksRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(BlockServiceGrpc.getDeleteBlocksMethod(), copy.build());
  }

  /**
   * Gives a block another label. The block keeps its versions, its version number and its
   * proposals, which can still be approved. A title that was made from the label changes with it. A
   * retry of an earlier write under the old label finds the block.
   *
   * <p>The call rewrites all versions and proposals of the block in one atomic step, so it costs as
   * much as writing them anew.
   *
   * <p>The call fails with these errors:
   *
   * <ul>
   * <li>NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
   * <li>ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's version.
   * <li>FAILED_PRECONDITION (BLOCK_EXISTS) when the user has a block with the new label.
   * <li>FAILED_PRECONDITION (BLOCK_TOO_LARGE) when the versions and proposals of the block have
   * more than 64 MiB together.
   * </ul>
   */
  public RenameBlockResponse rename(RenameBlockRequest.Builder request) {
    RenameBlockRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    if (!copy.hasIdempotencyKey()) {
      copy.setIdempotencyKey(Calls.newIdempotencyKey());
    }
    return calls.unary(BlockServiceGrpc.getRenameBlockMethod(), copy.build());
  }

  /**
   * Returns blocks as one text for a prompt, with instructions for the agent: how to read a block
   * that was cut, and how to propose edits. The same blocks give the same text.
   *
   * <p>Each block has a heading with its title and label, and its text in a Markdown code block,
   * whose fence is longer than any in the text. So no text can look like another block. A block
   * that does not fit into the budget is cut at a line, and a sentence behind it says so.
   */
  public RenderBlocksResponse render(RenderBlocksRequest.Builder request) {
    RenderBlocksRequest.Builder copy = request.clone();
    copy.setUserId(userId);
    return calls.unary(BlockServiceGrpc.getRenderBlocksMethod(), copy.build());
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
