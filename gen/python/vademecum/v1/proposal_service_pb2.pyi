from vademecum.v1 import block_pb2 as _block_pb2
from vademecum.v1 import memory_pb2 as _memory_pb2
from vademecum.v1 import proposal_pb2 as _proposal_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListProposalsRequest(_message.Message):
    __slots__ = ("user_id", "status", "limit", "page_token")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    status: _proposal_pb2.ProposalStatus
    limit: int
    page_token: str
    def __init__(self, user_id: _Optional[str] = ..., status: _Optional[_Union[_proposal_pb2.ProposalStatus, str]] = ..., limit: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListProposalsResponse(_message.Message):
    __slots__ = ("proposals", "next_page_token")
    PROPOSALS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    proposals: _containers.RepeatedCompositeFieldContainer[_proposal_pb2.Proposal]
    next_page_token: str
    def __init__(self, proposals: _Optional[_Iterable[_Union[_proposal_pb2.Proposal, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetProposalRequest(_message.Message):
    __slots__ = ("user_id", "id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    id: str
    def __init__(self, user_id: _Optional[str] = ..., id: _Optional[str] = ...) -> None: ...

class GetProposalResponse(_message.Message):
    __slots__ = ("proposal", "conflict")
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    CONFLICT_FIELD_NUMBER: _ClassVar[int]
    proposal: _proposal_pb2.Proposal
    conflict: ProposalConflict
    def __init__(self, proposal: _Optional[_Union[_proposal_pb2.Proposal, _Mapping]] = ..., conflict: _Optional[_Union[ProposalConflict, _Mapping]] = ...) -> None: ...

class ProposalConflict(_message.Message):
    __slots__ = ("base_text", "current_text", "proposed_text")
    BASE_TEXT_FIELD_NUMBER: _ClassVar[int]
    CURRENT_TEXT_FIELD_NUMBER: _ClassVar[int]
    PROPOSED_TEXT_FIELD_NUMBER: _ClassVar[int]
    base_text: str
    current_text: str
    proposed_text: str
    def __init__(self, base_text: _Optional[str] = ..., current_text: _Optional[str] = ..., proposed_text: _Optional[str] = ...) -> None: ...

class ApproveProposalRequest(_message.Message):
    __slots__ = ("user_id", "id", "edited_new_string", "idempotency_key")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    EDITED_NEW_STRING_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    id: str
    edited_new_string: str
    idempotency_key: str
    def __init__(self, user_id: _Optional[str] = ..., id: _Optional[str] = ..., edited_new_string: _Optional[str] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class ApproveProposalResponse(_message.Message):
    __slots__ = ("proposal", "block", "memory")
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    proposal: _proposal_pb2.Proposal
    block: _block_pb2.Block
    memory: _memory_pb2.Memory
    def __init__(self, proposal: _Optional[_Union[_proposal_pb2.Proposal, _Mapping]] = ..., block: _Optional[_Union[_block_pb2.Block, _Mapping]] = ..., memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ...) -> None: ...

class RejectProposalRequest(_message.Message):
    __slots__ = ("user_id", "id", "reason", "idempotency_key")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    IDEMPOTENCY_KEY_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    id: str
    reason: str
    idempotency_key: str
    def __init__(self, user_id: _Optional[str] = ..., id: _Optional[str] = ..., reason: _Optional[str] = ..., idempotency_key: _Optional[str] = ...) -> None: ...

class RejectProposalResponse(_message.Message):
    __slots__ = ("proposal",)
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    proposal: _proposal_pb2.Proposal
    def __init__(self, proposal: _Optional[_Union[_proposal_pb2.Proposal, _Mapping]] = ...) -> None: ...

class WatchProposalsRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class WatchProposalsResponse(_message.Message):
    __slots__ = ("proposal",)
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    proposal: _proposal_pb2.Proposal
    def __init__(self, proposal: _Optional[_Union[_proposal_pb2.Proposal, _Mapping]] = ...) -> None: ...
