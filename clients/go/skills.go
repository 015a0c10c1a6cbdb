// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	vademecumv1 "vademecum.dev/gen/go/vademecum/v1"
)

// Skills: Keeps what agents have learned to do, and finds it again by the situation at hand. A worked example: docs/skills.md.
//
// A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`, as those of MemoryProvider do. An id that is not in the namespace is the same as one that never was.
//
// On a server that was started with VADEMECUM_SKILLS=off every call that is well formed is answered as if there were no skills: empty, false or zero, and nothing is stored.
type Skills struct {
	calls   *calls
	stub    vademecumv1.SkillServiceClient
	userID  string
	agentID string
}

// Skills gives the calls of SkillService: userID is the user, 1 to 256 bytes; agentID is the agent, 1 to 256 bytes.
func (client *Client) Skills(userID, agentID string) *Skills {
	return &Skills{client.calls, vademecumv1.NewSkillServiceClient(client.connection), userID, agentID}
}

// StoreSkill: Stores a skill, or replaces the one of the given id.
func (it *Skills) StoreSkill(ctx context.Context, request *vademecumv1.StoreSkillRequest) (*vademecumv1.StoreSkillResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.StoreSkill, request)
}

// RetrieveSkills: Finds skills for a situation, best first. That counts as use of those that are returned: it sets their last_used_time, not their success_count.
func (it *Skills) RetrieveSkills(ctx context.Context, request *vademecumv1.RetrieveSkillsRequest) (*vademecumv1.RetrieveSkillsResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	return unary(ctx, it.calls, it.stub.RetrieveSkills, request)
}

// ListSkills: Lists skills, newest first, page by page. That does not count as use.
func (it *Skills) ListSkills(ctx context.Context, request *vademecumv1.ListSkillsRequest) (*vademecumv1.ListSkillsResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	return unary(ctx, it.calls, it.stub.ListSkills, request)
}

// DeleteSkill: Deletes one skill. An id that is not in the namespace is no error: `deleted` is false.
func (it *Skills) DeleteSkill(ctx context.Context, request *vademecumv1.DeleteSkillRequest) (*vademecumv1.DeleteSkillResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.DeleteSkill, request)
}

// UpdateSuccessCount: Tells that a skill has helped, or has not. Counts as use. An id that is not in the namespace is no error: `updated` is false.
func (it *Skills) UpdateSuccessCount(ctx context.Context, request *vademecumv1.UpdateSuccessCountRequest) (*vademecumv1.UpdateSuccessCountResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.UpdateSuccessCount, request)
}

// PruneStale: Removes the skills of a namespace that have outlived their use: not used for 90 days or more, or without a success although 30 days old or more. The server does so for all namespaces at its start and every day (--pruning); for all at once there is AdminService.Prune.
func (it *Skills) PruneStale(ctx context.Context, request *vademecumv1.PruneStaleRequest) (*vademecumv1.PruneStaleResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: it.userID, AgentId: it.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.PruneStale, request)
}
