// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	vademecumv1 "vademecum.dev/gen/go/vademecum/v1"
)

// Skills stores the lessons that agents have learned and retrieves them for a given situation. A
// worked example: docs/skills.md.
//
// A write is atomic. When it is acknowledged, it is durable (synced to disk) and searchable. Every
// mutation takes an `idempotency_key`, as in MemoryProvider. The id of a skill in another namespace
// and an unknown id give the same answer.
//
// When the server runs with VADEMECUM_SKILLS=off, every well-formed call is answered as if there
// were no skills: empty, false or zero. Nothing is stored.
type Skills struct {
	calls   *calls
	stub    vademecumv1.SkillServiceClient
	userID  string
	agentID string
}

// Skills returns a handle for SkillService; userID is the user, 1 to 256 bytes; agentID is the
// agent, 1 to 256 bytes.
func (client *Client) Skills(userID, agentID string) *Skills {
	return &Skills{client.calls, vademecumv1.NewSkillServiceClient(client.connection), userID, agentID}
}

// StoreSkill stores a skill, or replaces the skill with the given id.
func (s *Skills) StoreSkill(ctx context.Context, request *vademecumv1.StoreSkillRequest) (*vademecumv1.StoreSkillResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: s.userID, AgentId: s.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, s.calls, s.stub.StoreSkill, request)
}

// RetrieveSkills retrieves skills for a situation, best first. This counts as use of the returned
// skills: it sets their last_used_time, but not their success_count.
func (s *Skills) RetrieveSkills(ctx context.Context, request *vademecumv1.RetrieveSkillsRequest) (*vademecumv1.RetrieveSkillsResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: s.userID, AgentId: s.agentID}
	return unary(ctx, s.calls, s.stub.RetrieveSkills, request)
}

// ListSkills lists skills, newest first, page by page. Listing does not count as use.
func (s *Skills) ListSkills(ctx context.Context, request *vademecumv1.ListSkillsRequest) (*vademecumv1.ListSkillsResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: s.userID, AgentId: s.agentID}
	return unary(ctx, s.calls, s.stub.ListSkills, request)
}

// DeleteSkill deletes one skill. An unknown id is not an error: `deleted` is false.
func (s *Skills) DeleteSkill(ctx context.Context, request *vademecumv1.DeleteSkillRequest) (*vademecumv1.DeleteSkillResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: s.userID, AgentId: s.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, s.calls, s.stub.DeleteSkill, request)
}

// UpdateSuccessCount records that a skill helped, or that it did not. This counts as use. An
// unknown id is not an error: `updated` is false.
func (s *Skills) UpdateSuccessCount(ctx context.Context, request *vademecumv1.UpdateSuccessCountRequest) (*vademecumv1.UpdateSuccessCountResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: s.userID, AgentId: s.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, s.calls, s.stub.UpdateSuccessCount, request)
}

// PruneStale removes the stale skills of a namespace: skills not used for 90 days or more, and
// skills that are 30 days old or more and have no success. The server prunes all namespaces at
// start and once a day (--pruning). AdminService.Prune prunes all namespaces now.
func (s *Skills) PruneStale(ctx context.Context, request *vademecumv1.PruneStaleRequest) (*vademecumv1.PruneStaleResponse, error) {
	request = copyOf(request)
	request.Namespace = &vademecumv1.Namespace{UserId: s.userID, AgentId: s.agentID}
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, s.calls, s.stub.PruneStale, request)
}
