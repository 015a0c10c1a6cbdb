// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	vademecumv1 "vademecum.example/gen/go/vademecum/v1"
)

// KeyValues keeps notes as values under keys, for an agent that works in cycles: the agent writes a
// note in one cycle and reads it in the next. Keys belong to a run, such as one task of an agent.
// Examples: docs/guides/notes.md.
//
// The caller chooses the id of a run. A run needs no setup: the first WriteKey with its id creates
// it. A call never returns keys of another run. On a server without credentials, any caller that
// knows a run's id may use the run. Keys and values may be any Unicode text. Keys are compared byte
// for byte: `Plan`, `plan` and `plan/` are three keys. There is no search by meaning, and keys do
// not expire.
//
// A write is durable (synced to disk) when it is acknowledged. Mutations take an `idempotency_key`,
// as in MemoryProvider. Here an idempotency key belongs to a run, not to a namespace. Without a
// client deadline, a call ends after 30 seconds.
type KeyValues struct {
	calls *calls
	stub  vademecumv1.KeyValueServiceClient
	runID string
}

// KeyValues returns a handle for the calls of KeyValueService about one run. The id has 1 to 256
// bytes.
func (client *Client) KeyValues(runID string) *KeyValues {
	return &KeyValues{client.calls, vademecumv1.NewKeyValueServiceClient(client.connection), runID}
}

// ListRuns lists the runs that have keys and that the caller may name, ordered by the bytes of
// their ids in UTF-8, page by page. A page costs what is on it, however many runs there are.
func (k *KeyValues) ListRuns(ctx context.Context, request *vademecumv1.ListRunsRequest) (*vademecumv1.ListRunsResponse, error) {
	return unary(ctx, k.calls, "KeyValueService.ListRuns", k.stub.ListRuns, request)
}

// Write stores a value under a key. If the key has a value, the new value replaces it.
//
// Fails with ABORTED (VERSION_MISMATCH) when expected_version is given and is not the version of
// the key.
func (k *KeyValues) Write(ctx context.Context, request *vademecumv1.WriteKeyRequest) (*vademecumv1.WriteKeyResponse, error) {
	request = copyOf(request)
	request.RunId = k.runID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, k.calls, "KeyValueService.WriteKey", k.stub.WriteKey, request)
}

// Read returns the value of a key. An unknown key is not an error: `found` is false.
func (k *KeyValues) Read(ctx context.Context, request *vademecumv1.ReadKeyRequest) (*vademecumv1.ReadKeyResponse, error) {
	request = copyOf(request)
	request.RunId = k.runID
	return unary(ctx, k.calls, "KeyValueService.ReadKey", k.stub.ReadKey, request)
}

// ReadMany returns the values of up to 1,000 keys, all from one state of the run. An unknown key is
// not an error: the reply leaves it out.
func (k *KeyValues) ReadMany(ctx context.Context, request *vademecumv1.ReadKeysRequest) (*vademecumv1.ReadKeysResponse, error) {
	request = copyOf(request)
	request.RunId = k.runID
	return unary(ctx, k.calls, "KeyValueService.ReadKeys", k.stub.ReadKeys, request)
}

// List lists the keys of a run in the order of their first writes, page by page. A key that was
// deleted and written again comes last.
func (k *KeyValues) List(ctx context.Context, request *vademecumv1.ListKeysRequest) (*vademecumv1.ListKeysResponse, error) {
	request = copyOf(request)
	request.RunId = k.runID
	return unary(ctx, k.calls, "KeyValueService.ListKeys", k.stub.ListKeys, request)
}

// Delete deletes a key and its value. An unknown key is not an error: `deleted` is false.
func (k *KeyValues) Delete(ctx context.Context, request *vademecumv1.DeleteKeyRequest) (*vademecumv1.DeleteKeyResponse, error) {
	request = copyOf(request)
	request.RunId = k.runID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, k.calls, "KeyValueService.DeleteKey", k.stub.DeleteKey, request)
}

// Search lists the keys that contain a text, in the order of ListKeys, page by page.
//
// To fill a page, the call reads the run's keys one after the other, including those that do not
// match. So a search for a rare text takes longer in a run with more keys.
func (k *KeyValues) Search(ctx context.Context, request *vademecumv1.SearchKeysRequest) (*vademecumv1.SearchKeysResponse, error) {
	request = copyOf(request)
	request.RunId = k.runID
	return unary(ctx, k.calls, "KeyValueService.SearchKeys", k.stub.SearchKeys, request)
}
