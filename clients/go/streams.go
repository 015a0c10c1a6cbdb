package vademecum

import (
	"context"
	"io"
	"iter"

	"google.golang.org/grpc"
	vademecumv1 "vademecum.example/gen/go/vademecum/v1"
)

// ResponseStream is the stream of a call's messages. Read it once with All, or call Close.
type ResponseStream[Response any] struct {
	ctx        context.Context
	cancel     context.CancelFunc
	connection *connection
	target     target
	start      func() (grpc.ServerStreamingClient[Response], *Error)
	messages   grpc.ServerStreamingClient[Response]
	err        *Error
}

// All iterates over the messages as they arrive. An error is the last item. Leaving the loop early
// ends the call.
func (s *ResponseStream[Response]) All() iter.Seq2[*Response, error] {
	return func(yield func(*Response, error) bool) {
		defer s.cancel()
		message, err := s.first()
		for err == nil && message != nil {
			if !yield(message, nil) {
				return
			}
			message, err = s.next()
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// first returns the first message, or nil if there is none. It repeats the call if the call fails
// before its first message with an error that allows a retry.
func (s *ResponseStream[Response]) first() (*Response, *Error) {
	attempts := retries{closed: s.connection.closed}
	for {
		message, err := s.next()
		if err == nil || !attempts.wait(s.ctx, err) {
			return message, err
		}
		s.messages, s.err = s.start()
	}
}

// next returns the next message, or nil after the last one.
func (s *ResponseStream[Response]) next() (*Response, *Error) {
	if s.err != nil {
		return nil, s.err
	}
	message, err := s.messages.Recv()
	if err == io.EOF {
		return nil, nil
	}
	if err != nil {
		return nil, s.connection.errorOf(err, s.target)
	}
	return message, nil
}

// Close cancels the call, also on the server.
func (s *ResponseStream[Response]) Close() {
	s.cancel()
}

// SearchStream is the stream of a search's hits, best first. Read it once with All or Collect, or
// call Close.
type SearchStream struct {
	responses *ResponseStream[vademecumv1.SearchResponse]
	summary   *vademecumv1.SearchSummary
}

// SearchResult is a complete search result.
type SearchResult struct {
	// The hits, best first.
	Hits []*vademecumv1.SearchHit
	// Says how many memories matched, and how many of them were returned. Lists up to 100 of the
	// matches that were left out.
	Summary *vademecumv1.SearchSummary
}

func newSearchStream(responses *ResponseStream[vademecumv1.SearchResponse]) *SearchStream {
	return &SearchStream{responses: responses}
}

// All iterates over the hits as they arrive. An error is the last item. Leaving the loop early ends
// the search.
func (s *SearchStream) All() iter.Seq2[*vademecumv1.SearchHit, error] {
	return func(yield func(*vademecumv1.SearchHit, error) bool) {
		for response, err := range s.responses.All() {
			if err != nil {
				yield(nil, err)
				return
			}
			if response.Summary != nil {
				s.summary = response.Summary
			}
			for _, hit := range response.Hits {
				if !yield(hit, nil) {
					return
				}
			}
		}
	}
}

// Summary says how many memories matched, how many of them were returned, and which were left out.
// It may be nil until the loop over the hits has ended.
func (s *SearchStream) Summary() *vademecumv1.SearchSummary {
	return s.summary
}

// Collect waits for all hits and the summary.
func (s *SearchStream) Collect() (*SearchResult, error) {
	result := &SearchResult{}
	for hit, err := range s.All() {
		if err != nil {
			return nil, err
		}
		result.Hits = append(result.Hits, hit)
	}
	result.Summary = s.summary
	return result, nil
}

// Close cancels the search, also on the server.
func (s *SearchStream) Close() {
	s.responses.Close()
}
