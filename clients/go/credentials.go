package vademecum

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/netip"
	"os"
	"regexp"
	"strconv"
	"strings"

	"google.golang.org/grpc/codes"
)

// completeFromEnvironment completes the options: missing ones come from environment variables.
//
// It fails in these cases:
//
//   - The address is not a host and a port.
//   - The key has characters that no header can hold.
//   - The client would send the key in plaintext to another machine.
//   - An environment variable names a file that cannot be read or is not in PEM form.
//   - The environment has a certificate without its key, or a key without its certificate.
func (o *options) completeFromEnvironment(address string) error {
	if !isHostAndPort(address) {
		return invalidOption(fmt.Sprintf("address: is %q and must be a host and port, such as 127.0.0.1:50051", address))
	}
	if err := o.completeKey(); err != nil {
		return err
	}
	if err := o.completeTLS(); err != nil {
		return err
	}
	if strings.ContainsFunc(o.key, isNotPrintableASCII) {
		return invalidOption("the key contains characters that no header can hold; use only printable ASCII, without a line break")
	}
	if o.key != "" && o.tls == nil && !isLoopback(address) {
		return invalidOption(fmt.Sprintf("the API key would go to %q in plaintext, so others could read it; connect with TLS, or without a key", address))
	}
	return nil
}

func (o *options) completeKey() error {
	if o.hasKey {
		return nil
	}
	o.key = os.Getenv("VADEMECUM_API_KEY")
	if o.key != "" {
		return nil
	}
	content, err := environmentFile("VADEMECUM_API_KEY_FILE")
	o.key = strings.TrimSpace(string(content))
	return err
}

func (o *options) completeTLS() error {
	if o.isPlaintext {
		return nil
	}
	config := &tls.Config{}
	if o.tls != nil {
		config = o.tls.Clone()
	}
	if err := completeRootCAs(config); err != nil {
		return err
	}
	if err := completeCertificate(config); err != nil {
		return err
	}
	if o.tls != nil || config.RootCAs != nil || len(config.Certificates) > 0 {
		o.tls = config
	}
	return nil
}

func completeRootCAs(config *tls.Config) error {
	if config.RootCAs != nil {
		return nil
	}
	content, err := environmentFile("VADEMECUM_TLS_CA")
	if err != nil || content == nil {
		return err
	}
	config.RootCAs = x509.NewCertPool()
	if !config.RootCAs.AppendCertsFromPEM(content) {
		return invalidOption("VADEMECUM_TLS_CA: the file has no certificate in PEM form")
	}
	return nil
}

func completeCertificate(config *tls.Config) error {
	if len(config.Certificates) > 0 || config.GetClientCertificate != nil {
		return nil
	}
	names := []string{"VADEMECUM_TLS_CERT", "VADEMECUM_TLS_KEY"}
	contents := make([][]byte, len(names))
	for i, name := range names {
		content, err := environmentFile(name)
		if err != nil {
			return err
		}
		contents[i] = content
	}
	for i, name := range names {
		if contents[i] == nil && contents[1-i] != nil {
			return invalidOption(fmt.Sprintf("%s: missing, but %s is given; give both, or neither", name, names[1-i]))
		}
	}
	if contents[0] == nil {
		return nil
	}
	if !x509.NewCertPool().AppendCertsFromPEM(contents[0]) {
		return invalidOption("VADEMECUM_TLS_CERT: the file has no certificate in PEM form")
	}
	certificate, err := tls.X509KeyPair(contents[0], contents[1])
	if err != nil {
		return invalidOption(fmt.Sprintf("VADEMECUM_TLS_CERT and VADEMECUM_TLS_KEY: %v", err))
	}
	config.Certificates = []tls.Certificate{certificate}
	return nil
}

// environmentFile returns the content of the file that a variable names. It returns nil if the
// variable is not set or empty.
func environmentFile(name string) ([]byte, error) {
	path := os.Getenv(name)
	if path == "" {
		return nil, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, invalidOption(fmt.Sprintf("%s: cannot read the file: %v", name, err))
	}
	return content, nil
}

// The Python client has the same regular expression. An IPv6 address may have a zone. In Go, the
// zone starts with %25, as in URLs: [fe80::1%25eth0]:50051.
var hostAndPort = regexp.MustCompile(`^(?:[\w.-]+|\[[\da-fA-F:.]+(?:%[\w.-]+)?\]):(\d{1,5})$`)

// isHostAndPort reports whether an address has the form host:port, without a scheme, user or path.
func isHostAndPort(address string) bool {
	match := hostAndPort.FindStringSubmatch(address)
	if match == nil {
		return false
	}
	_, err := strconv.ParseUint(match[1], 10, 16)
	return err == nil
}

// isLoopback reports whether an address leads to this machine: localhost or a loopback IP address.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

func isNotPrintableASCII(character rune) bool {
	return character < ' ' || character > '~'
}

func invalidOption(message string) *Error {
	return &Error{Code: codes.InvalidArgument, Message: message}
}
