from google.protobuf import struct_pb2 as _struct_pb2
from vademecum.v1 import memory_pb2 as _memory_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ToolFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TOOL_FORMAT_UNSPECIFIED: _ClassVar[ToolFormat]
    TOOL_FORMAT_OPENAI: _ClassVar[ToolFormat]
    TOOL_FORMAT_ANTHROPIC: _ClassVar[ToolFormat]
    TOOL_FORMAT_MCP: _ClassVar[ToolFormat]
TOOL_FORMAT_UNSPECIFIED: ToolFormat
TOOL_FORMAT_OPENAI: ToolFormat
TOOL_FORMAT_ANTHROPIC: ToolFormat
TOOL_FORMAT_MCP: ToolFormat

class GetToolDefinitionsRequest(_message.Message):
    __slots__ = ("toolset", "format")
    TOOLSET_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    toolset: str
    format: ToolFormat
    def __init__(self, toolset: _Optional[str] = ..., format: _Optional[_Union[ToolFormat, str]] = ...) -> None: ...

class GetToolDefinitionsResponse(_message.Message):
    __slots__ = ("definitions",)
    DEFINITIONS_FIELD_NUMBER: _ClassVar[int]
    definitions: _containers.RepeatedCompositeFieldContainer[_struct_pb2.Struct]
    def __init__(self, definitions: _Optional[_Iterable[_Union[_struct_pb2.Struct, _Mapping]]] = ...) -> None: ...

class DispatchRequest(_message.Message):
    __slots__ = ("run_id", "namespace", "tool_name", "arguments", "idempotency_key")
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    NAMESPACE_FIELD_NUMBER: _ClassVar[int]
    TOOL_NAME_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    namespace: _memory_pb2.Namespace
    tool_name: str
    arguments: _struct_pb2.Struct
    idempotency_key: str
    def __init__(self, run_id: _Optional[str] = ..., namespace: _Optional[_Union[_memory_pb2.Namespace, _Mapping]] = ..., tool_name: _Optional[str] = ..., arguments: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class DispatchResponse(_message.Message):
    __slots__ = ("result", "is_error")
    RESULT_FIELD_NUMBER: _ClassVar[int]
    IS_ERROR_FIELD_NUMBER: _ClassVar[int]
    result: str
    is_error: bool
    def __init__(self, result: _Optional[str] = ..., is_error: bool = ...) -> None: ...
