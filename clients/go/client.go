// Package vademecum is a client for the memory service Vademecum, which stores what agents learn
// and searches it.
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
	// The service sends replies of up to 16 MiB; the rest is for the message around them.
	receiveMaxBytes = 17 * 1024 * 1024
	// gRPC's default is two minutes. With it, calls fail for up to two minutes after the server is
	// back.
	reconnectDelayMax = 2 * time.Second
	// gRPC's default, which must be set together with the delay above.
	connectTimeoutMin = 20 * time.Second
)

// Retries are safe because each mutation carries an idempotency key.
//
//go:embed service_config.json
var serviceConfig string

// Client is a connection to a server. Several goroutines may use it at the same time.
type Client struct {
	calls      *calls
	connection *grpc.ClientConn
}

// Option configures Connect.
type Option func(*options)

type options struct {
	key     string
	tls     *tls.Config
	timeout time.Duration
}

// WithKey sends an API key with every call. Without TLS, the key can be read on the network.
func WithKey(key string) Option {
	return func(o *options) { o.key = key }
}

// WithTLS connects with TLS. An empty configuration trusts the certificates of the system.
func WithTLS(config *tls.Config) Option {
	return func(o *options) { o.tls = config }
}

// WithTimeout limits calls whose context has no deadline. The default is 30 seconds.
func WithTimeout(timeout time.Duration) Option {
	return func(o *options) { o.timeout = timeout }
}

// Connect returns a client for the server at an address: the host and port of its gRPC listener,
// such as 127.0.0.1:50051. The first call opens the connection. Connect itself fails only for an
// invalid address or option.
func Connect(address string, opts ...Option) (*Client, error) {
	settings := options{timeout: defaultTimeout}
	for _, option := range opts {
		option(&settings)
	}
	if strings.ContainsFunc(settings.key, isNotPrintableASCII) {
		return nil, &Error{Code: codes.InvalidArgument, Message: "the key contains characters that no header can hold; use only printable ASCII, without a line break"}
	}
	transport := insecure.NewCredentials()
	if settings.tls != nil {
		transport = credentials.NewTLS(settings.tls)
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
	return &Client{&calls{settings.key, settings.timeout}, connection}, nil
}

func isNotPrintableASCII(character rune) bool {
	return character < ' ' || character > '~'
}

// Close closes the connection and ends running calls.
func (client *Client) Close() error {
	return client.connection.Close()
}
