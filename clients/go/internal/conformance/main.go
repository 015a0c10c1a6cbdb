// Command conformance is the Go driver of clients/conformance/run.mjs. It reads JSON commands from
// standard input, one a line, and makes the calls through the Go client. It answers each command
// with a line of JSON on standard output.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"os"
	"time"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	vademecum "vademecum.example/clients/go"
	vademecumv1 "vademecum.example/gen/go/vademecum/v1"
)

const commandMaxBytes = 16 * 1024 * 1024

type scope struct {
	UserID  string `json:"user_id"`
	AgentID string `json:"agent_id"`
	RunID   string `json:"run_id"`
}

type command struct {
	ID            int             `json:"id"`
	Open          *openOptions    `json:"open"`
	Call          string          `json:"call"`
	Scope         scope           `json:"scope"`
	Request       json.RawMessage `json:"request"`
	TimeoutMs     int             `json:"timeout_ms"`
	CancelAfterMs int             `json:"cancel_after_ms"`
	CloseAfterMs  int             `json:"close_after_ms"`
}

type openOptions struct {
	Address   string  `json:"address"`
	Key       *string `json:"key"`
	CAFile    string  `json:"ca_file"`
	CertFile  string  `json:"cert_file"`
	KeyFile   string  `json:"key_file"`
	TimeoutMs int     `json:"timeout_ms"`
}

type answer struct {
	ID       int             `json:"id"`
	Response json.RawMessage `json:"response,omitempty"`
	Error    *failure        `json:"error,omitempty"`
}

type failure struct {
	Code    string   `json:"code"`
	Reason  string   `json:"reason"`
	Fields  []string `json:"fields"`
	Message string   `json:"message"`
}

// method makes a call with a JSON request and returns the JSON response.
type method func(ctx context.Context, client *vademecum.Client, scope scope, request []byte) (json.RawMessage, error)

func main() {
	var client *vademecum.Client
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, commandMaxBytes)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var given command
		must(json.Unmarshal(lines.Bytes(), &given))
		result := answer{ID: given.ID, Response: json.RawMessage("{}")}
		if given.Open != nil {
			opened, err := open(client, given.Open)
			client = opened
			if err != nil {
				result = answer{ID: given.ID, Error: failureOf(err)}
			}
		} else {
			response, err := call(client, given)
			result.Response = response
			if err != nil {
				result.Error = failureOf(err)
			}
		}
		must(answers.Encode(result))
	}
	must(lines.Err())
}

func open(last *vademecum.Client, given *openOptions) (*vademecum.Client, error) {
	if last != nil {
		must(last.Close())
	}
	var options []vademecum.Option
	if given.Key != nil {
		options = append(options, vademecum.WithKey(*given.Key))
	}
	if given.TimeoutMs > 0 {
		options = append(options, vademecum.WithTimeout(time.Duration(given.TimeoutMs)*time.Millisecond))
	}
	if given.CAFile != "" {
		options = append(options, vademecum.WithTLS(tlsOf(given)))
	}
	return vademecum.Connect(given.Address, options...)
}

func tlsOf(given *openOptions) *tls.Config {
	certificates, err := os.ReadFile(given.CAFile)
	must(err)
	config := &tls.Config{RootCAs: x509.NewCertPool()}
	config.RootCAs.AppendCertsFromPEM(certificates)
	if given.CertFile != "" {
		certificate, err := tls.LoadX509KeyPair(given.CertFile, given.KeyFile)
		must(err)
		config.Certificates = []tls.Certificate{certificate}
	}
	return config
}

func call(client *vademecum.Client, given command) (json.RawMessage, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if given.TimeoutMs > 0 {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(given.TimeoutMs)*time.Millisecond)
		defer cancel()
	}
	if given.CancelAfterMs > 0 {
		time.AfterFunc(time.Duration(given.CancelAfterMs)*time.Millisecond, cancel)
	}
	if given.CloseAfterMs > 0 {
		time.AfterFunc(time.Duration(given.CloseAfterMs)*time.Millisecond, func() { must(client.Close()) })
	}
	return methods[given.Call](ctx, client, given.Scope, given.Request)
}

func unary[Request, Response any](
	choose func(*vademecum.Client, scope) func(context.Context, *Request) (*Response, error),
) method {
	return func(ctx context.Context, client *vademecum.Client, scope scope, given []byte) (json.RawMessage, error) {
		response, err := choose(client, scope)(ctx, parse[Request](given))
		if err != nil {
			return nil, err
		}
		return written(response), nil
	}
}

func stream[Request, Response any](
	choose func(*vademecum.Client, scope) func(context.Context, *Request) *vademecum.ResponseStream[Response],
) method {
	return func(ctx context.Context, client *vademecum.Client, scope scope, given []byte) (json.RawMessage, error) {
		messages := []json.RawMessage{}
		for message, err := range choose(client, scope)(ctx, parse[Request](given)).All() {
			if err != nil {
				return nil, err
			}
			messages = append(messages, written(message))
		}
		return json.Marshal(messages)
	}
}

func search(
	choose func(*vademecum.Client, scope) func(context.Context, *vademecumv1.SearchRequest) *vademecum.SearchStream,
) method {
	return func(ctx context.Context, client *vademecum.Client, scope scope, given []byte) (json.RawMessage, error) {
		result, err := choose(client, scope)(ctx, parse[vademecumv1.SearchRequest](given)).Collect()
		if err != nil {
			return nil, err
		}
		return written(&vademecumv1.SearchResponse{Hits: result.Hits, Summary: result.Summary}), nil
	}
}

func parse[Request any](given []byte) *Request {
	request := new(Request)
	must(protojson.Unmarshal(given, any(request).(proto.Message)))
	return request
}

func written[Response any](response *Response) json.RawMessage {
	text, err := protojson.Marshal(any(response).(proto.Message))
	must(err)
	return text
}

func failureOf(err error) *failure {
	var failed *vademecum.Error
	if !errors.As(err, &failed) {
		panic(err)
	}
	result := &failure{Code: code.Code(failed.Code).String(), Reason: failed.Reason, Fields: []string{}, Message: failed.Message}
	for _, violation := range failed.Violations {
		result.Fields = append(result.Fields, violation.Field)
	}
	return result
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
