package vademecum

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	vademecumv1 "vademecum.example/gen/go/vademecum/v1"
)

func TestConnectRequiresAHostAndAPort(t *testing.T) {
	for _, address := range []string{"localhost", "127.0.0.1:50051\n"} {
		_, err := Connect(address)
		expectCode(t, err, codes.InvalidArgument)
		expected := fmt.Sprintf("address: is %q and must be a host and port, such as 127.0.0.1:50051", address)
		if err != nil && !strings.Contains(err.Error(), expected) {
			t.Error(err)
		}
	}
	for _, address := range []string{"my_server:1", "memory.example.com:1", "[2001:db8::1]:1", "[fe80::1%25eth0]:1"} {
		expectSuccess(t, address)
	}
}

func TestAClientShowsItsAddressAndNoKey(t *testing.T) {
	client, err := Connect("127.0.0.1:1", WithKey("secret"))
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(client); text != "vademecum.Client(127.0.0.1:1)" {
		t.Error(text)
	}
}

func TestConnectRefusesAKeyThatNoHeaderCanHold(t *testing.T) {
	for _, key := range []string{"from a file\n", "ключ"} {
		_, err := Connect("127.0.0.1:50051", WithKey(key))
		expectCode(t, err, codes.InvalidArgument)
	}
}

func TestConnectRefusesToSendAKeyInPlaintextToAnotherMachine(t *testing.T) {
	for _, address := range []string{"192.0.2.1:1", "memory.example.com:1", "[2001:db8::1]:1", "localhost.example.com:1"} {
		_, err := Connect(address, WithKey("secret"))
		expectCode(t, err, codes.InvalidArgument)
		if err != nil && (!strings.Contains(err.Error(), "plaintext") || strings.Contains(err.Error(), "secret")) {
			t.Error(err)
		}
		expectSuccess(t, address, WithKey(""))
		expectSuccess(t, address, WithKey("secret"), WithTLS(&tls.Config{}))
		expectSuccess(t, address, WithKey("secret"), WithTLS(nil))
	}
	for _, address := range []string{"127.0.0.1:1", "127.1.2.3:1", "[::1]:1", "localhost:1", "LOCALHOST:1"} {
		expectSuccess(t, address, WithKey("secret"))
	}
}

func TestConnectNamesTheVariableOfAnUnreadableFile(t *testing.T) {
	t.Setenv("VADEMECUM_TLS_CA", "/does/not/exist")
	_, err := Connect("127.0.0.1:1")
	expectCode(t, err, codes.InvalidArgument)
	if err != nil && !strings.Contains(err.Error(), "VADEMECUM_TLS_CA: ") {
		t.Error(err)
	}
	expectSuccess(t, "127.0.0.1:1", WithoutTLS())
}

func TestConnectReadsNoCertificatesFromTheEnvironmentIfTheyAreGiven(t *testing.T) {
	t.Setenv("VADEMECUM_TLS_CA", "/does/not/exist")
	expectSuccess(t, "127.0.0.1:1", WithTLS(&tls.Config{RootCAs: x509.NewCertPool()}))
}

func TestTextThatIsNotUTF8FailsWithInvalidArgument(t *testing.T) {
	memories := newClientOfEmptyServer(t).Memories("ada", "guide")
	_, err := memories.Add(t.Context(), &vademecumv1.AddRequest{Content: "cut in two: \xc3"})
	expectCode(t, err, codes.InvalidArgument)
	_, err = memories.Search(t.Context(), &vademecumv1.SearchRequest{Query: "\xc3"}).Collect()
	expectCode(t, err, codes.InvalidArgument)
}

func TestACallErrorWrapsTheErrorOfItsContext(t *testing.T) {
	memories := newClientOfEmptyServer(t).Memories("ada", "guide")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := memories.GetAll(cancelled, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("not context.Canceled: %v", err)
	}
	late, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	if _, err := memories.GetAll(late, nil); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		t.Errorf("not context.DeadlineExceeded, or also context.Canceled: %v", err)
	}
}

func TestCloseCanBeCalledTwiceAndLaterCallsAreCanceled(t *testing.T) {
	client := newClientOfEmptyServer(t)
	for range 2 {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	}
	_, err := client.Memories("ada", "guide").GetAll(t.Context(), nil)
	expectCode(t, err, codes.Canceled)
}

// newClientOfEmptyServer returns a client for a gRPC server that has no services.
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

func expectSuccess(t *testing.T, address string, options ...Option) {
	t.Helper()
	client, err := Connect(address, options...)
	if err != nil {
		t.Error(err)
		return
	}
	_ = client.Close()
}

func expectCode(t *testing.T, err error, code codes.Code) {
	t.Helper()
	if callError := new(Error); !errors.As(err, &callError) || callError.Code != code {
		t.Errorf("not %v: %v", code, err)
	}
}
