// Package vademecum is a client of the memory service Vademecum, which keeps what agents learn and finds it again.
package vademecum

import (
	"crypto/tls"
	_ "embed"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

const (
	defaultTimeout = 30 * time.Second
	// The largest reply of the service, with room for what surrounds it.
	receiveMaxBytes = 17 * 1024 * 1024
	// gRPC's own is two minutes: for so long calls would fail after the server is back.
	reconnectDelayMax = 2 * time.Second
	// gRPC's own, which has to be given with the above.
	connectTimeoutMin = 20 * time.Second
)

// Retries are safe because each mutation carries an idempotency key.
//
//go:embed service_config.json
var serviceConfig string

// Client is a connection to a server. Its calls may be made from several goroutines.
type Client struct {
	calls      *calls
	connection *grpc.ClientConn
}

// Option changes how Connect reaches a server.
type Option func(*options)

type options struct {
	key     string
	tls     *tls.Config
	timeout time.Duration
}

// WithKey shows a key to the server. Without TLS it can be read on the way.
func WithKey(key string) Option {
	return func(it *options) { it.key = key }
}

// WithTLS speaks TLS. An empty configuration trusts the certificates of the system.
func WithTLS(config *tls.Config) Option {
	return func(it *options) { it.tls = config }
}

// WithTimeout limits calls whose context has no deadline. The default is 30 seconds.
func WithTimeout(timeout time.Duration) Option {
	return func(it *options) { it.timeout = timeout }
}

// Connect gives a client of the server at an address: host and port of its gRPC listener, such as 127.0.0.1:50051.
// It connects with its first call; the error concerns the address and the options alone.
func Connect(address string, given ...Option) (*Client, error) {
	chosen := options{timeout: defaultTimeout}
	for _, option := range given {
		option(&chosen)
	}
	if strings.ContainsFunc(chosen.key, isNotPrintableASCII) {
		return nil, &Error{Code: codes.InvalidArgument, Message: "the key has characters that cannot be sent: it may have printable ASCII only, and no line break at its end"}
	}
	transport := insecure.NewCredentials()
	if chosen.tls != nil {
		transport = credentials.NewTLS(chosen.tls)
	}
	reconnect := grpc.ConnectParams{Backoff: backoff.DefaultConfig, MinConnectTimeout: connectTimeoutMin}
	reconnect.Backoff.MaxDelay = reconnectDelayMax
	connection, err := grpc.NewClient(
		address,
		grpc.WithTransportCredentials(transport),
		grpc.WithConnectParams(reconnect),
		grpc.WithDefaultServiceConfig(serviceConfig),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(receiveMaxBytes)),
	)
	if err != nil {
		return nil, err
	}
	return &Client{&calls{chosen.key, chosen.timeout}, connection}, nil
}

func isNotPrintableASCII(character rune) bool {
	return character < ' ' || character > '~'
}

// Close ends the connection, and calls that are running.
func (client *Client) Close() error {
	return client.connection.Close()
}
