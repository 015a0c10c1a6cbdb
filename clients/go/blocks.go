// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	vademecumv1 "vademecum.example/gen/go/vademecum/v1"
)

// Blocks keeps a user's blocks with all their versions. A block is a text of up to 256 KiB that is
// read whole, without a search. Agents can propose edits of blocks (MemoryProvider.ProposeEdit),
// and people approve them (ProposalService). A worked example: docs/guides/blocks.md.
//
// Blocks belong to a user, not to an agent. The error NOT_FOUND (BLOCK_NOT_FOUND) does not reveal
// whether another user has a block with the label.
//
// A write is atomic. When it is acknowledged, it is durable (synced to disk). Mutations take an
// `idempotency_key`, as in MemoryProvider. Here an idempotency key belongs to a user, not to a
// namespace.
type Blocks struct {
	calls  *calls
	stub   vademecumv1.BlockServiceClient
	userID string
}

// Blocks returns a handle for the calls of BlockService about one user. The id has 1 to 256 bytes.
func (client *Client) Blocks(userID string) *Blocks {
	return &Blocks{client.calls, vademecumv1.NewBlockServiceClient(client.connection), userID}
}

// List lists a user's blocks in the order of their labels, page by page.
func (b *Blocks) List(ctx context.Context, request *vademecumv1.ListBlocksRequest) (*vademecumv1.ListBlocksResponse, error) {
	request = copyOf(request)
	request.UserId = b.userID
	return unary(ctx, b.calls, "BlockService.ListBlocks", b.stub.ListBlocks, request)
}

// Get returns the current version of one block.
//
// Fails with NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
func (b *Blocks) Get(ctx context.Context, request *vademecumv1.GetBlockRequest) (*vademecumv1.GetBlockResponse, error) {
	request = copyOf(request)
	request.UserId = b.userID
	return unary(ctx, b.calls, "BlockService.GetBlock", b.stub.GetBlock, request)
}

// Put creates a block, or writes the next version of an existing one.
//
// Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's
// version.
func (b *Blocks) Put(ctx context.Context, request *vademecumv1.PutBlockRequest) (*vademecumv1.PutBlockResponse, error) {
	request = copyOf(request)
	request.UserId = b.userID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, b.calls, "BlockService.PutBlock", b.stub.PutBlock, request)
}

// Delete deletes a block and all its versions permanently. An unknown label is not an error:
// `deleted` is false.
//
// Pending proposals about the block become PROPOSAL_STATUS_CONFLICTED, or PROPOSAL_STATUS_EXPIRED
// if their expire_time has passed. All proposals about the block lose their texts
// (Proposal.texts_removed).
//
// Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's
// version.
func (b *Blocks) Delete(ctx context.Context, request *vademecumv1.DeleteBlockRequest) (*vademecumv1.DeleteBlockResponse, error) {
	request = copyOf(request)
	request.UserId = b.userID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, b.calls, "BlockService.DeleteBlock", b.stub.DeleteBlock, request)
}

// DeleteMany deletes all blocks whose labels begin with a prefix, in one atomic step, as
// DeleteBlock does for each. Deletes at most 1,000 blocks.
//
// Fails with FAILED_PRECONDITION (TOO_MANY_MATCHES) when more blocks have the prefix. Nothing is
// deleted then.
func (b *Blocks) DeleteMany(ctx context.Context, request *vademecumv1.DeleteBlocksRequest) (*vademecumv1.DeleteBlocksResponse, error) {
	request = copyOf(request)
	request.UserId = b.userID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, b.calls, "BlockService.DeleteBlocks", b.stub.DeleteBlocks, request)
}

// Rename gives a block another label. The block keeps its versions, its version number and its
// proposals, which can still be approved. A title that was made from the label changes with it. A
// retry of an earlier write under the old label finds the block.
//
// The call rewrites all versions and proposals of the block in one atomic step, so it costs as much
// as writing them anew.
//
// The call fails with these errors:
//
//   - NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
//   - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's version.
//   - FAILED_PRECONDITION (BLOCK_EXISTS) when the user has a block with the new label.
//   - FAILED_PRECONDITION (BLOCK_TOO_LARGE) when the versions and proposals of the block have more
//     than 64 MiB together.
func (b *Blocks) Rename(ctx context.Context, request *vademecumv1.RenameBlockRequest) (*vademecumv1.RenameBlockResponse, error) {
	request = copyOf(request)
	request.UserId = b.userID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, b.calls, "BlockService.RenameBlock", b.stub.RenameBlock, request)
}

// Render returns blocks as one text for a prompt, with instructions for the agent: how to read a
// block that was cut, and how to propose edits. The same blocks give the same text.
//
// Each block has a heading with its title and label, and its text in a Markdown code block, whose
// fence is longer than any in the text. So no text can look like another block. A block that does
// not fit into the budget is cut at a line, and a sentence behind it says so.
func (b *Blocks) Render(ctx context.Context, request *vademecumv1.RenderBlocksRequest) (*vademecumv1.RenderBlocksResponse, error) {
	request = copyOf(request)
	request.UserId = b.userID
	return unary(ctx, b.calls, "BlockService.RenderBlocks", b.stub.RenderBlocks, request)
}

// ListVersions lists the versions of a block, newest first, page by page.
//
// Fails with NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
func (b *Blocks) ListVersions(ctx context.Context, request *vademecumv1.ListBlockVersionsRequest) (*vademecumv1.ListBlockVersionsResponse, error) {
	request = copyOf(request)
	request.UserId = b.userID
	return unary(ctx, b.calls, "BlockService.ListBlockVersions", b.stub.ListBlockVersions, request)
}

// Restore writes the title, body and schema_ref of an earlier version as the next version. The call
// fails with these errors:
//
//   - NOT_FOUND (BLOCK_NOT_FOUND) when the user has no such block.
//   - ABORTED (VERSION_MISMATCH) when expected_version is given and is not the block's version.
//   - NOT_FOUND (BLOCK_VERSION_NOT_FOUND) when the block has no such version.
func (b *Blocks) Restore(ctx context.Context, request *vademecumv1.RestoreBlockRequest) (*vademecumv1.RestoreBlockResponse, error) {
	request = copyOf(request)
	request.UserId = b.userID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, b.calls, "BlockService.RestoreBlock", b.stub.RestoreBlock, request)
}
