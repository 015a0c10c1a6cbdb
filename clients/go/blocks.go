// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	vademecumv1 "vademecum.dev/gen/go/vademecum/v1"
)

// Blocks: Keeps a user's blocks: texts of up to 256 KiB that are always at hand, with all of their versions. How they are edited by agents and approved by people: ProposalService and docs/blocks.md.
//
// Blocks belong to a user, not to an agent. A label of another user and one that does not exist answer exactly the same: NOT_FOUND (BLOCK_NOT_FOUND). A write is acknowledged when it is durable and atomic. Mutations take an `idempotency_key`, as in MemoryProvider.
type Blocks struct {
	calls  *calls
	stub   vademecumv1.BlockServiceClient
	userID string
}

// Blocks gives the calls of BlockService: userID is the user, 1 to 256 bytes.
func (client *Client) Blocks(userID string) *Blocks {
	return &Blocks{client.calls, vademecumv1.NewBlockServiceClient(client.connection), userID}
}

// ListBlocks: Lists a user's blocks, by label, page by page.
func (it *Blocks) ListBlocks(ctx context.Context, request *vademecumv1.ListBlocksRequest) (*vademecumv1.ListBlocksResponse, error) {
	request = copyOf(request)
	request.UserId = it.userID
	return unary(ctx, it.calls, it.stub.ListBlocks, request)
}

// GetBlock: Returns one block as it is now. NOT_FOUND if there is none.
func (it *Blocks) GetBlock(ctx context.Context, request *vademecumv1.GetBlockRequest) (*vademecumv1.GetBlockResponse, error) {
	request = copyOf(request)
	request.UserId = it.userID
	return unary(ctx, it.calls, it.stub.GetBlock, request)
}

// PutBlock: Writes a block: a new one, or the next version of the one that there is. ABORTED (VERSION_MISMATCH) if expected_version is given and is not the block's.
func (it *Blocks) PutBlock(ctx context.Context, request *vademecumv1.PutBlockRequest) (*vademecumv1.PutBlockResponse, error) {
	request = copyOf(request)
	request.UserId = it.userID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.PutBlock, request)
}

// DeleteBlock: Deletes a block with all of its versions, for good. A label that does not exist is no error: `deleted` is false. Proposals about the block are kept; one that still waits becomes PROPOSAL_STATUS_CONFLICTED when somebody approves it.
func (it *Blocks) DeleteBlock(ctx context.Context, request *vademecumv1.DeleteBlockRequest) (*vademecumv1.DeleteBlockResponse, error) {
	request = copyOf(request)
	request.UserId = it.userID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.DeleteBlock, request)
}

// ListBlockVersions: Lists the versions of a block, newest first, page by page. NOT_FOUND if there is no such block.
func (it *Blocks) ListBlockVersions(ctx context.Context, request *vademecumv1.ListBlockVersionsRequest) (*vademecumv1.ListBlockVersionsResponse, error) {
	request = copyOf(request)
	request.UserId = it.userID
	return unary(ctx, it.calls, it.stub.ListBlockVersions, request)
}

// RestoreBlock: Writes what an earlier version said as the next version. NOT_FOUND if there is no such block (BLOCK_NOT_FOUND) or it has no such version (BLOCK_VERSION_NOT_FOUND). A repeated call with the same idempotency_key answers as the first one did, or NOT_FOUND if the block was deleted since.
func (it *Blocks) RestoreBlock(ctx context.Context, request *vademecumv1.RestoreBlockRequest) (*vademecumv1.RestoreBlockResponse, error) {
	request = copyOf(request)
	request.UserId = it.userID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.RestoreBlock, request)
}
