package vademecum

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	vademecumv1 "vademecum.dev/gen/go/vademecum/v1"
)

func TestConnectRefusesAKeyThatNoHeaderCanHold(t *testing.T) {
	for _, key := range []string{"from a file\n", "ключ"} {
		_, err := Connect("127.0.0.1:50051", WithKey(key))
		expectCode(t, err, codes.InvalidArgument)
	}
}

func TestTextThatIsNotUTF8FailsWithInvalidArgument(t *testing.T) {
	memories := newClientOfEmptyServer(t).Memories("ada", "guide")
	_, err := memories.Add(t.Context(), &vademecumv1.AddRequest{Content: "cut in two: \xc3"})
	expectCode(t, err, codes.InvalidArgument)
	_, err = memories.Search(t.Context(), &vademecumv1.SearchRequest{Query: "\xc3"}).Collect()
	expectCode(t, err, codes.InvalidArgument)
}

func TestErrorsIsMatchesTheEndOfTheContext(t *testing.T) {
	memories := newClientOfEmptyServer(t).Memories("ada", "guide")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := memories.GetAll(cancelled, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("not context.Canceled: %v", err)
	}
	late, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	if _, err := memories.GetAll(late, nil); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		t.Errorf("not context.DeadlineExceeded alone: %v", err)
	}
}

// newClientOfEmptyServer returns a client that is connected to a server without services.
func newClientOfEmptyServer(t *testing.T) *Client {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	client, err := Connect(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func expectCode(t *testing.T, err error, code codes.Code) {
	t.Helper()
	if callError := new(Error); !errors.As(err, &callError) || callError.Code != code {
		t.Errorf("not %v: %v", code, err)
	}
}
