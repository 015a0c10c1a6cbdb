// Package vademecum is a client for the memory service Vademecum, which stores what agents learn
// and searches it.
package vademecum

import (
	"crypto/tls"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

const (
	defaultTimeout = 30 * time.Second
	// The server sends messages of at most 16 MiB. The limit of the client is slightly higher.
	receiveMaxBytes = 17 * 1024 * 1024
	// With gRPC's default of two minutes, calls would fail for up to two minutes after the server
	// is back.
	reconnectDelayMax = 2 * time.Second
	// The default of gRPC. A program that sets the maximum delay must also set this value, because
	// gRPC then uses none of its defaults.
	connectTimeoutMin = 20 * time.Second
)

// Client is a connection to a server. Several goroutines may use it at the same time.
type Client struct {
	calls      *calls
	connection *connection
}

// Option configures Connect.
type Option func(*options)

type options struct {
	key         string
	hasKey      bool
	tls         *tls.Config
	isPlaintext bool
	timeout     time.Duration
}

// WithKey sends an API key or token with every call. The client sends a key only over TLS or to
// the same machine. An empty key means no key.
//
// Without this option, the key comes from the variable VADEMECUM_API_KEY, or from the file that
// VADEMECUM_API_KEY_FILE names.
func WithKey(key string) Option {
	return func(o *options) { o.key, o.hasKey = key, true }
}

// WithTLS connects with TLS. These settings come from the environment if config leaves them out, or
// if config is nil:
//
//   - RootCAs: the PEM file that VADEMECUM_TLS_CA names, or else the certificates of the system.
//   - Certificates: the PEM files that VADEMECUM_TLS_CERT and VADEMECUM_TLS_KEY name, if any.
//
// TLS is the default if VADEMECUM_TLS_CA or VADEMECUM_TLS_CERT is set. Otherwise plaintext is the
// default.
func WithTLS(config *tls.Config) Option {
	if config == nil {
		config = &tls.Config{}
	}
	return func(o *options) { o.tls, o.isPlaintext = config, false }
}

// WithoutTLS connects in plaintext and ignores the variables of TLS.
func WithoutTLS() Option {
	return func(o *options) { o.tls, o.isPlaintext = nil, true }
}

// WithTimeout sets the timeout of calls whose context has no deadline. The default is 30 seconds.
func WithTimeout(timeout time.Duration) Option {
	return func(o *options) { o.timeout = timeout }
}

// Connect returns a client for a server. The address is the host and port of the server's gRPC
// listener, such as 127.0.0.1:50051. The first call opens the connection.
//
// Connect fails in these cases:
//
//   - The address or an option is invalid.
//   - The client would send a key in plaintext to another machine.
//   - An environment variable names a file that cannot be read or is not in PEM form.
//   - Only one of VADEMECUM_TLS_CERT and VADEMECUM_TLS_KEY is set. Connect ignores both if the
//     options are WithoutTLS, or WithTLS with a certificate of the client.
func Connect(address string, opts ...Option) (*Client, error) {
	settings := options{timeout: defaultTimeout}
	for _, option := range opts {
		option(&settings)
	}
	if err := settings.completeFromEnvironment(address); err != nil {
		return nil, err
	}
	opened, err := settings.open(address)
	if err != nil {
		return nil, err
	}
	connection := newConnection(opened)
	return &Client{&calls{settings.key, settings.timeout, connection, address, settings.tls != nil}, connection}, nil
}

// open returns a connection to an address. Requires: completeFromEnvironment has completed the
// options.
func (o *options) open(address string) (*grpc.ClientConn, error) {
	transport := insecure.NewCredentials()
	if o.tls != nil {
		transport = credentials.NewTLS(o.tls)
	}
	reconnect := grpc.ConnectParams{Backoff: backoff.DefaultConfig, MinConnectTimeout: connectTimeoutMin}
	reconnect.Backoff.MaxDelay = reconnectDelayMax
	return grpc.NewClient(
		address,
		grpc.WithTransportCredentials(transport),
		grpc.WithConnectParams(reconnect),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(receiveMaxBytes)),
	)
}

// String returns the address of the server, without the key.
func (client *Client) String() string {
	return fmt.Sprintf("vademecum.Client(%s)", client.calls.address)
}

// Close closes the connection. Running calls and later calls fail with Canceled. Close may be called
// twice.
func (client *Client) Close() error {
	return client.connection.Close()
}
