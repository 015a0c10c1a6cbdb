"""A protoc plugin for Python's service stubs: grpcio-tools has the generator built in and offers it only through its own protoc."""

import sys
import tempfile
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

request = CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
response = CodeGeneratorResponse(supported_features=CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL)

with tempfile.TemporaryDirectory() as folder:
    descriptors = Path(folder, "descriptors.binpb")
    descriptors.write_bytes(FileDescriptorSet(file=request.proto_file).SerializeToString())
    output = Path(folder, "output")
    output.mkdir()
    if protoc.main(["protoc", f"--descriptor_set_in={descriptors}", f"--grpc_python_out={output}", *request.file_to_generate]) != 0:
        sys.exit("protoc-gen-grpc-python: protoc failed")
    for path in sorted(output.rglob("*.py")):
        response.file.add(name=path.relative_to(output).as_posix(), content=path.read_text(encoding="utf-8"))

sys.stdout.buffer.write(response.SerializeToString())
