"""Adds the stubs and the license to the wheel and to the source distribution.

The stubs are generated from `proto/` of the repository. They leave out the validation rules and the
options of the `.proto` files, which only the server reads. So the client does not depend on
protovalidate.

A source distribution already contains the stubs, so a build from it generates nothing.
"""

import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

OPTIONS = ("buf/validate/", "vademecum/v1/options.proto")

# Code that protobuf 6 generates also runs with the protobuf 7 package. So the client works in
# environments with either version.
GENERATORS = ["grpcio-tools==1.76.0", "protobuf==6.33.6", "mypy-protobuf==5.1.0"]


class SharedFilesHook(BuildHookInterface):  # type: ignore[type-arg]
    def dependencies(self) -> list[str]:
        return GENERATORS if self.is_in_repository() else []

    def is_in_repository(self) -> bool:
        return (Path(self.root).parents[1] / "proto" / "vademecum").is_dir()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not self.is_in_repository():
            return
        repository = Path(self.root).parents[1]
        stubs = Path(self.root) / "build" / "stubs"
        shutil.rmtree(stubs, ignore_errors=True)
        stubs.mkdir(parents=True)
        generate_stubs(repository / "proto", repository / "third_party", stubs)

        is_sdist = self.target_name == "sdist"
        package = "src/vademecum" if is_sdist else "vademecum"
        licenses = "." if is_sdist else f"vademecum-{self.metadata.version}.dist-info/licenses"
        build_data["force_include"] |= {
            str(stubs / "vademecum" / "v1"): f"{package}/v1",
            str(repository / "LICENSE"): f"{licenses}/LICENSE",
        }


def generate_stubs(definitions: Path, third_party: Path, stubs: Path) -> None:
    """Generates a Python module with types for each `.proto` file into the folder `stubs`."""
    files_found = (path.relative_to(definitions).as_posix() for path in definitions.rglob("*.proto"))
    names = sorted(name for name in files_found if not name.startswith(OPTIONS))
    descriptors = stubs.parent / "descriptors.binpb"
    run_protoc(
        f"--proto_path={definitions}",
        f"--proto_path={third_party / 'protovalidate'}",
        f"--proto_path={third_party / 'googleapis'}",
        f"--proto_path={files('grpc_tools') / '_proto'}",
        "--include_imports",
        "--include_source_info",
        f"--descriptor_set_out={descriptors}",
        *names,
    )
    descriptors.write_bytes(without_options(descriptors.read_bytes()))
    run_protoc(
        f"--descriptor_set_in={descriptors}",
        f"--python_out={stubs}",
        f"--pyi_out={stubs}",
        f"--grpc_python_out={stubs}",
        f"--mypy_grpc_out=quiet:{stubs}",
        *names,
    )


def run_protoc(*arguments: str) -> None:
    from grpc_tools import protoc

    if protoc.main(["protoc", *arguments]) != 0:
        raise RuntimeError(f"protoc {' '.join(arguments)} failed")


def without_options(descriptors: bytes) -> bytes:
    """Removes the validation rules and options from a serialized `FileDescriptorSet`."""
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

    kept = FileDescriptorSet()
    for file in FileDescriptorSet.FromString(descriptors).file:
        if file.name.startswith(OPTIONS):
            continue
        # This program has no classes for the options, so protobuf reads them as unknown fields.
        file.DiscardUnknownFields()
        dependencies = [name for name in file.dependency if not name.startswith(OPTIONS)]
        del file.dependency[:]
        file.dependency.extend(dependencies)
        kept.file.append(file)
    return kept.SerializeToString()
