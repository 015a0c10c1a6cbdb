// Package vademecum is a client for the memory service Vademecum, which stores what agents learn
// and searches it.
package vademecum

import (
	"crypto/tls"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

const (
	defaultTimeout = 30 * time.Second
	// The service sends messages of at most 16 MiB; the rest of the 17 MiB is a margin.
	receiveMaxBytes = 17 * 1024 * 1024
	// gRPC's default is two minutes. With it, calls fail for up to two minutes after the server is
	// back.
	reconnectDelayMax = 2 * time.Second
	// gRPC's default, which must be set together with the delay above.
	connectTimeoutMin = 20 * time.Second
)

// Client is a connection to a server. Several goroutines may use it at the same time.
type Client struct {
	calls      *calls
	connection *routes
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

// WithKey sends an API key or token with every call. A key is sent only over TLS, or to this
// machine. An empty key is not sent.
//
// Without this option, the key comes from VADEMECUM_API_KEY, or from the file that
// VADEMECUM_API_KEY_FILE names.
func WithKey(key string) Option {
	return func(o *options) { o.key, o.hasKey = key, true }
}

// WithTLS connects with TLS. RootCAs and Certificates that are not set come from the PEM files that
// VADEMECUM_TLS_CA, VADEMECUM_TLS_CERT and VADEMECUM_TLS_KEY name. With neither RootCAs nor
// VADEMECUM_TLS_CA, the client trusts the certificates of the system.
//
// Without this option, the client connects with TLS if these variables are set.
func WithTLS(config *tls.Config) Option {
	return func(o *options) { o.tls, o.isPlaintext = config, false }
}

// WithoutTLS connects in plaintext, whatever the environment says.
func WithoutTLS() Option {
	return func(o *options) { o.tls, o.isPlaintext = nil, true }
}

// WithTimeout limits calls whose context has no deadline. The default is 30 seconds.
func WithTimeout(timeout time.Duration) Option {
	return func(o *options) { o.timeout = timeout }
}

// Connect returns a client for the server at an address: the host and port of its gRPC listener,
// such as 127.0.0.1:50051. The first call opens the connection. Connect itself fails only for an
// invalid address or option. Invalid options include a key that would cross a network in plaintext,
// and an environment variable that names an unreadable file.
func Connect(address string, opts ...Option) (*Client, error) {
	settings := options{timeout: defaultTimeout}
	for _, option := range opts {
		option(&settings)
	}
	given := settings
	if err := settings.completeFromEnvironment(address); err != nil {
		return nil, err
	}
	home, err := settings.open(address)
	if err != nil {
		return nil, err
	}
	connection := newRoutes(home, func(other string) (*grpc.ClientConn, error) {
		completed := given
		if err := completed.completeFromEnvironment(other); err != nil {
			return nil, err
		}
		return completed.open(other)
	})
	return &Client{&calls{settings.key, settings.timeout, connection}, connection}, nil
}

// open connects to an address. Requires: the options are complete.
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

// Close closes the connection and ends running calls.
func (client *Client) Close() error {
	return client.connection.Close()
}
