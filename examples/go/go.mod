module vademecum.example/examples/go

go 1.26.0

require (
	google.golang.org/protobuf v1.36.12
	vademecum.example/clients/go v0.1.0
	vademecum.example/gen/go v0.1.0
)

require (
	github.com/google/uuid v1.6.0 // indirect
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.42.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20261019180522-ce908d29299b // indirect
	google.golang.org/grpc v1.85.0 // indirect
)

replace (
	vademecum.example/clients/go => ../../clients/go
	vademecum.example/gen/go => ../../gen/go
)
