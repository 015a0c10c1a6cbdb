from vademecum.v1 import block_pb2 as _block_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListBlocksRequest(_message.Message):
    __slots__ = ("user_id", "limit", "page_token")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    limit: int
    page_token: str
    def __init__(self, user_id: _Optional[str] = ..., limit: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBlocksResponse(_message.Message):
    __slots__ = ("blocks", "next_page_token")
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    blocks: _containers.RepeatedCompositeFieldContainer[_block_pb2.Block]
    next_page_token: str
    def __init__(self, blocks: _Optional[_Iterable[_Union[_block_pb2.Block, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetBlockRequest(_message.Message):
    __slots__ = ("user_id", "label")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    label: str
    def __init__(self, user_id: _Optional[str] = ..., label: _Optional[str] = ...) -> None: ...

class GetBlockResponse(_message.Message):
    __slots__ = ("block",)
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    block: _block_pb2.Block
    def __init__(self, block: _Optional[_Union[_block_pb2.Block, _Mapping]] = ...) -> None: ...

class PutBlockRequest(_message.Message):
    __slots__ = ("user_id", "label", "title", "body", "schema_ref", "expected_version", "idempotency_key")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_REF_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_VERSION_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    label: str
    title: str
    body: str
    schema_ref: str
    expected_version: int
    idempotency_key: str
    def __init__(self, user_id: _Optional[str] = ..., label: _Optional[str] = ..., title: _Optional[str] = ..., body: _Optional[str] = ..., schema_ref: _Optional[str] = ..., expected_version: _Optional[int] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class PutBlockResponse(_message.Message):
    __slots__ = ("block",)
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    block: _block_pb2.Block
    def __init__(self, block: _Optional[_Union[_block_pb2.Block, _Mapping]] = ...) -> None: ...

class DeleteBlockRequest(_message.Message):
    __slots__ = ("user_id", "label", "idempotency_key")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    label: str
    idempotency_key: str
    def __init__(self, user_id: _Optional[str] = ..., label: _Optional[str] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class DeleteBlockResponse(_message.Message):
    __slots__ = ("deleted",)
    DELETED_FIELD_NUMBER: _ClassVar[int]
    deleted: bool
    def __init__(self, deleted: bool = ...) -> None: ...

class ListBlockVersionsRequest(_message.Message):
    __slots__ = ("user_id", "label", "limit", "page_token")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    label: str
    limit: int
    page_token: str
    def __init__(self, user_id: _Optional[str] = ..., label: _Optional[str] = ..., limit: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBlockVersionsResponse(_message.Message):
    __slots__ = ("versions", "next_page_token")
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedCompositeFieldContainer[_block_pb2.BlockVersion]
    next_page_token: str
    def __init__(self, versions: _Optional[_Iterable[_Union[_block_pb2.BlockVersion, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RestoreBlockRequest(_message.Message):
    __slots__ = ("user_id", "label", "version", "idempotency_key")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    label: str
    version: int
    idempotency_key: str
    def __init__(self, user_id: _Optional[str] = ..., label: _Optional[str] = ..., version: _Optional[int] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class RestoreBlockResponse(_message.Message):
    __slots__ = ("block",)
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    block: _block_pb2.Block
    def __init__(self, block: _Optional[_Union[_block_pb2.Block, _Mapping]] = ...) -> None: ...
