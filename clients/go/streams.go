package vademecum

import (
	"context"
	"io"
	"iter"

	"google.golang.org/grpc"
	vademecumv1 "vademecum.dev/gen/go/vademecum/v1"
)

// ResponseStream is the stream of a call's messages. Read it once, or Close it.
type ResponseStream[Response any] struct {
	messages grpc.ServerStreamingClient[Response]
	cancel   context.CancelFunc
	err      error
}

// All iterates over the messages as they arrive. An error is the last item. Leaving the loop early
// ends the call.
func (it *ResponseStream[Response]) All() iter.Seq2[*Response, error] {
	return func(yield func(*Response, error) bool) {
		defer it.cancel()
		if it.err != nil {
			yield(nil, it.err)
			return
		}
		for {
			message, err := it.messages.Recv()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(nil, errorOf(err))
				return
			}
			if !yield(message, nil) {
				return
			}
		}
	}
}

// Close ends the call, also on the server.
func (it *ResponseStream[Response]) Close() {
	it.cancel()
}

// SearchStream is the stream of a search's hits, best first. Read it once, or Close it.
type SearchStream struct {
	responses *ResponseStream[vademecumv1.SearchResponse]
	summary   *vademecumv1.SearchSummary
}

// SearchResult is a complete search result.
type SearchResult struct {
	// The hits, best first.
	Hits []*vademecumv1.SearchHit
	// The receipt: which memories matched, were returned and were left out.
	Summary *vademecumv1.SearchSummary
}

func newSearchStream(responses *ResponseStream[vademecumv1.SearchResponse]) *SearchStream {
	return &SearchStream{responses: responses}
}

// All iterates over the hits as they arrive. An error is the last item. Leaving the loop early ends
// the search.
func (it *SearchStream) All() iter.Seq2[*vademecumv1.SearchHit, error] {
	return func(yield func(*vademecumv1.SearchHit, error) bool) {
		for response, err := range it.responses.All() {
			if err != nil {
				yield(nil, err)
				return
			}
			if response.Summary != nil {
				it.summary = response.Summary
			}
			for _, hit := range response.Hits {
				if !yield(hit, nil) {
					return
				}
			}
		}
	}
}

// Summary returns the receipt. It is nil until the last hit has arrived.
func (it *SearchStream) Summary() *vademecumv1.SearchSummary {
	return it.summary
}

// Collect waits for all hits and the summary.
func (it *SearchStream) Collect() (*SearchResult, error) {
	result := &SearchResult{}
	for hit, err := range it.All() {
		if err != nil {
			return nil, err
		}
		result.Hits = append(result.Hits, hit)
	}
	result.Summary = it.summary
	return result, nil
}

// Close ends the search, also on the server.
func (it *SearchStream) Close() {
	it.responses.Close()
}
