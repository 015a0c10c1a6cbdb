module vademecum.dev/clients/go

go 1.24

require vademecum.dev/gen/go v0.1.0

replace vademecum.dev/gen/go => ../../gen/go
