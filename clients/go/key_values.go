// Code generated from the definitions by `npm run generate`. DO NOT EDIT.

package vademecum

import (
	"context"

	vademecumv1 "vademecum.dev/gen/go/vademecum/v1"
)

// KeyValues: Keeps notes of a run: values under keys, as a notebook that an agent fills in one cycle and reads in the next.
//
// A run is named by its id and needs no setting up: it begins with its first key. Runs never see each other's keys; whoever knows a run's id may use it. Keys and values are any Unicode text, compared byte for byte: `Plan`, `plan` and `plan/` are three keys. Nothing is searched by meaning and nothing expires.
//
// A write is acknowledged when it is durable (synced to disk). Mutations take an `idempotency_key`, as those of MemoryProvider do; its keys belong to the run. Without a deadline of the client a call ends after 30 seconds.
type KeyValues struct {
	calls *calls
	stub  vademecumv1.KeyValueServiceClient
	runID string
}

// KeyValues gives the calls of KeyValueService: runID is the run, 1 to 256 bytes.
func (client *Client) KeyValues(runID string) *KeyValues {
	return &KeyValues{client.calls, vademecumv1.NewKeyValueServiceClient(client.connection), runID}
}

// WriteKey: Stores a value under a key, in the place of the one that is there.
func (it *KeyValues) WriteKey(ctx context.Context, request *vademecumv1.WriteKeyRequest) (*vademecumv1.WriteKeyResponse, error) {
	request = copyOf(request)
	request.RunId = it.runID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.WriteKey, request)
}

// ReadKey: Returns the value of a key. A key that is not there is no error: `found` is false.
func (it *KeyValues) ReadKey(ctx context.Context, request *vademecumv1.ReadKeyRequest) (*vademecumv1.ReadKeyResponse, error) {
	request = copyOf(request)
	request.RunId = it.runID
	return unary(ctx, it.calls, it.stub.ReadKey, request)
}

// ListKeys: Lists the keys of a run in the order in which they were first written; a key that was deleted and written again counts from then on.
func (it *KeyValues) ListKeys(ctx context.Context, request *vademecumv1.ListKeysRequest) (*vademecumv1.ListKeysResponse, error) {
	request = copyOf(request)
	request.RunId = it.runID
	return unary(ctx, it.calls, it.stub.ListKeys, request)
}

// DeleteKey: Deletes a key and its value. A key that is not there is no error: `deleted` is false.
func (it *KeyValues) DeleteKey(ctx context.Context, request *vademecumv1.DeleteKeyRequest) (*vademecumv1.DeleteKeyResponse, error) {
	request = copyOf(request)
	request.RunId = it.runID
	if request.IdempotencyKey == nil {
		request.IdempotencyKey = newIdempotencyKey()
	}
	return unary(ctx, it.calls, it.stub.DeleteKey, request)
}

// SearchKeys: Lists the keys that contain a text, in the order of ListKeys. Every key of the run is looked at.
func (it *KeyValues) SearchKeys(ctx context.Context, request *vademecumv1.SearchKeysRequest) (*vademecumv1.SearchKeysResponse, error) {
	request = copyOf(request)
	request.RunId = it.runID
	return unary(ctx, it.calls, it.stub.SearchKeys, request)
}
