package dev.vademecum.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing changes until somebody approves; an approval changes the target and the proposal in one atomic step. A worked example: docs/blocks.md.
 * Proposals belong to a user. An id of another user's proposal and one that does not exist answer exactly the same: NOT_FOUND (PROPOSAL_NOT_FOUND).
 * A proposal that nobody decided on for its lifetime (30 days, unless the server was started with another --proposal-lifetime) is PROPOSAL_STATUS_EXPIRED from that instant on. Decided and expired proposals are kept.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class ProposalServiceGrpc {

  private ProposalServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "vademecum.v1.ProposalService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.ListProposalsRequest,
      dev.vademecum.v1.ListProposalsResponse> getListProposalsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListProposals",
      requestType = dev.vademecum.v1.ListProposalsRequest.class,
      responseType = dev.vademecum.v1.ListProposalsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.ListProposalsRequest,
      dev.vademecum.v1.ListProposalsResponse> getListProposalsMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.ListProposalsRequest, dev.vademecum.v1.ListProposalsResponse> getListProposalsMethod;
    if ((getListProposalsMethod = ProposalServiceGrpc.getListProposalsMethod) == null) {
      synchronized (ProposalServiceGrpc.class) {
        if ((getListProposalsMethod = ProposalServiceGrpc.getListProposalsMethod) == null) {
          ProposalServiceGrpc.getListProposalsMethod = getListProposalsMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.ListProposalsRequest, dev.vademecum.v1.ListProposalsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListProposals"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ListProposalsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ListProposalsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ProposalServiceMethodDescriptorSupplier("ListProposals"))
              .build();
        }
      }
    }
    return getListProposalsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.GetProposalRequest,
      dev.vademecum.v1.GetProposalResponse> getGetProposalMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetProposal",
      requestType = dev.vademecum.v1.GetProposalRequest.class,
      responseType = dev.vademecum.v1.GetProposalResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.GetProposalRequest,
      dev.vademecum.v1.GetProposalResponse> getGetProposalMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.GetProposalRequest, dev.vademecum.v1.GetProposalResponse> getGetProposalMethod;
    if ((getGetProposalMethod = ProposalServiceGrpc.getGetProposalMethod) == null) {
      synchronized (ProposalServiceGrpc.class) {
        if ((getGetProposalMethod = ProposalServiceGrpc.getGetProposalMethod) == null) {
          ProposalServiceGrpc.getGetProposalMethod = getGetProposalMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.GetProposalRequest, dev.vademecum.v1.GetProposalResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetProposal"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.GetProposalRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.GetProposalResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ProposalServiceMethodDescriptorSupplier("GetProposal"))
              .build();
        }
      }
    }
    return getGetProposalMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.ApproveProposalRequest,
      dev.vademecum.v1.ApproveProposalResponse> getApproveProposalMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ApproveProposal",
      requestType = dev.vademecum.v1.ApproveProposalRequest.class,
      responseType = dev.vademecum.v1.ApproveProposalResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.ApproveProposalRequest,
      dev.vademecum.v1.ApproveProposalResponse> getApproveProposalMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.ApproveProposalRequest, dev.vademecum.v1.ApproveProposalResponse> getApproveProposalMethod;
    if ((getApproveProposalMethod = ProposalServiceGrpc.getApproveProposalMethod) == null) {
      synchronized (ProposalServiceGrpc.class) {
        if ((getApproveProposalMethod = ProposalServiceGrpc.getApproveProposalMethod) == null) {
          ProposalServiceGrpc.getApproveProposalMethod = getApproveProposalMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.ApproveProposalRequest, dev.vademecum.v1.ApproveProposalResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ApproveProposal"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ApproveProposalRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ApproveProposalResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ProposalServiceMethodDescriptorSupplier("ApproveProposal"))
              .build();
        }
      }
    }
    return getApproveProposalMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.RejectProposalRequest,
      dev.vademecum.v1.RejectProposalResponse> getRejectProposalMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RejectProposal",
      requestType = dev.vademecum.v1.RejectProposalRequest.class,
      responseType = dev.vademecum.v1.RejectProposalResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.RejectProposalRequest,
      dev.vademecum.v1.RejectProposalResponse> getRejectProposalMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.RejectProposalRequest, dev.vademecum.v1.RejectProposalResponse> getRejectProposalMethod;
    if ((getRejectProposalMethod = ProposalServiceGrpc.getRejectProposalMethod) == null) {
      synchronized (ProposalServiceGrpc.class) {
        if ((getRejectProposalMethod = ProposalServiceGrpc.getRejectProposalMethod) == null) {
          ProposalServiceGrpc.getRejectProposalMethod = getRejectProposalMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.RejectProposalRequest, dev.vademecum.v1.RejectProposalResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RejectProposal"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.RejectProposalRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.RejectProposalResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ProposalServiceMethodDescriptorSupplier("RejectProposal"))
              .build();
        }
      }
    }
    return getRejectProposalMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.WatchProposalsRequest,
      dev.vademecum.v1.WatchProposalsResponse> getWatchProposalsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "WatchProposals",
      requestType = dev.vademecum.v1.WatchProposalsRequest.class,
      responseType = dev.vademecum.v1.WatchProposalsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.WatchProposalsRequest,
      dev.vademecum.v1.WatchProposalsResponse> getWatchProposalsMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.WatchProposalsRequest, dev.vademecum.v1.WatchProposalsResponse> getWatchProposalsMethod;
    if ((getWatchProposalsMethod = ProposalServiceGrpc.getWatchProposalsMethod) == null) {
      synchronized (ProposalServiceGrpc.class) {
        if ((getWatchProposalsMethod = ProposalServiceGrpc.getWatchProposalsMethod) == null) {
          ProposalServiceGrpc.getWatchProposalsMethod = getWatchProposalsMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.WatchProposalsRequest, dev.vademecum.v1.WatchProposalsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "WatchProposals"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.WatchProposalsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.WatchProposalsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ProposalServiceMethodDescriptorSupplier("WatchProposals"))
              .build();
        }
      }
    }
    return getWatchProposalsMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static ProposalServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ProposalServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ProposalServiceStub>() {
        @java.lang.Override
        public ProposalServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ProposalServiceStub(channel, callOptions);
        }
      };
    return ProposalServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static ProposalServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ProposalServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ProposalServiceBlockingStub>() {
        @java.lang.Override
        public ProposalServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ProposalServiceBlockingStub(channel, callOptions);
        }
      };
    return ProposalServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static ProposalServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ProposalServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ProposalServiceFutureStub>() {
        @java.lang.Override
        public ProposalServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ProposalServiceFutureStub(channel, callOptions);
        }
      };
    return ProposalServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing changes until somebody approves; an approval changes the target and the proposal in one atomic step. A worked example: docs/blocks.md.
   * Proposals belong to a user. An id of another user's proposal and one that does not exist answer exactly the same: NOT_FOUND (PROPOSAL_NOT_FOUND).
   * A proposal that nobody decided on for its lifetime (30 days, unless the server was started with another --proposal-lifetime) is PROPOSAL_STATUS_EXPIRED from that instant on. Decided and expired proposals are kept.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Lists a user's proposals, newest first, page by page. Without their diffs.
     * </pre>
     */
    default void listProposals(dev.vademecum.v1.ListProposalsRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ListProposalsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListProposalsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns one proposal with its diff, and with what stood against each other if it is PROPOSAL_STATUS_CONFLICTED.
     * </pre>
     */
    default void getProposal(dev.vademecum.v1.GetProposalRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.GetProposalResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetProposalMethod(), responseObserver);
    }

    /**
     * <pre>
     * Applies an edit to its target as it is now. Approving again answers the same and changes nothing, whoever asks.
     * FAILED_PRECONDITION if that is not possible: PROPOSAL_CONFLICTED if the target is gone, or no longer holds old_string, or holds it several times without replace_all (the proposal is PROPOSAL_STATUS_CONFLICTED from then on); PROPOSAL_EXPIRED; PROPOSAL_REJECTED; EDIT_RESULT_REFUSED if the target would become too large, or would have as it was when the edit was proposed, or a memory empty (the proposal goes on waiting).
     * </pre>
     */
    default void approveProposal(dev.vademecum.v1.ApproveProposalRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ApproveProposalResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getApproveProposalMethod(), responseObserver);
    }

    /**
     * <pre>
     * Turns an edit down. Rejecting again answers the same and changes nothing; the first reason stays.
     * FAILED_PRECONDITION if it was decided otherwise: PROPOSAL_APPROVED, PROPOSAL_CONFLICTED, PROPOSAL_EXPIRED.
     * </pre>
     */
    default void rejectProposal(dev.vademecum.v1.RejectProposalRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.RejectProposalResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRejectProposalMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams first the proposals that wait, oldest first, then each new one as it is made, and each that was sent as waiting once more when it has been decided or has expired. Without their diffs.
     * Has no deadline but the client's. Ends with UNAVAILABLE (SERVER_STOPPING) when the server stops. A client that reads slower than things happen is told how they are when it reads: a proposal that was made and decided meanwhile is left out.
     * </pre>
     */
    default void watchProposals(dev.vademecum.v1.WatchProposalsRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.WatchProposalsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWatchProposalsMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service ProposalService.
   * <pre>
   * Decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing changes until somebody approves; an approval changes the target and the proposal in one atomic step. A worked example: docs/blocks.md.
   * Proposals belong to a user. An id of another user's proposal and one that does not exist answer exactly the same: NOT_FOUND (PROPOSAL_NOT_FOUND).
   * A proposal that nobody decided on for its lifetime (30 days, unless the server was started with another --proposal-lifetime) is PROPOSAL_STATUS_EXPIRED from that instant on. Decided and expired proposals are kept.
   * </pre>
   */
  public static abstract class ProposalServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return ProposalServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service ProposalService.
   * <pre>
   * Decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing changes until somebody approves; an approval changes the target and the proposal in one atomic step. A worked example: docs/blocks.md.
   * Proposals belong to a user. An id of another user's proposal and one that does not exist answer exactly the same: NOT_FOUND (PROPOSAL_NOT_FOUND).
   * A proposal that nobody decided on for its lifetime (30 days, unless the server was started with another --proposal-lifetime) is PROPOSAL_STATUS_EXPIRED from that instant on. Decided and expired proposals are kept.
   * </pre>
   */
  public static final class ProposalServiceStub
      extends io.grpc.stub.AbstractAsyncStub<ProposalServiceStub> {
    private ProposalServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ProposalServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ProposalServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists a user's proposals, newest first, page by page. Without their diffs.
     * </pre>
     */
    public void listProposals(dev.vademecum.v1.ListProposalsRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ListProposalsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListProposalsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns one proposal with its diff, and with what stood against each other if it is PROPOSAL_STATUS_CONFLICTED.
     * </pre>
     */
    public void getProposal(dev.vademecum.v1.GetProposalRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.GetProposalResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetProposalMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Applies an edit to its target as it is now. Approving again answers the same and changes nothing, whoever asks.
     * FAILED_PRECONDITION if that is not possible: PROPOSAL_CONFLICTED if the target is gone, or no longer holds old_string, or holds it several times without replace_all (the proposal is PROPOSAL_STATUS_CONFLICTED from then on); PROPOSAL_EXPIRED; PROPOSAL_REJECTED; EDIT_RESULT_REFUSED if the target would become too large, or would have as it was when the edit was proposed, or a memory empty (the proposal goes on waiting).
     * </pre>
     */
    public void approveProposal(dev.vademecum.v1.ApproveProposalRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ApproveProposalResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getApproveProposalMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Turns an edit down. Rejecting again answers the same and changes nothing; the first reason stays.
     * FAILED_PRECONDITION if it was decided otherwise: PROPOSAL_APPROVED, PROPOSAL_CONFLICTED, PROPOSAL_EXPIRED.
     * </pre>
     */
    public void rejectProposal(dev.vademecum.v1.RejectProposalRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.RejectProposalResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRejectProposalMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Streams first the proposals that wait, oldest first, then each new one as it is made, and each that was sent as waiting once more when it has been decided or has expired. Without their diffs.
     * Has no deadline but the client's. Ends with UNAVAILABLE (SERVER_STOPPING) when the server stops. A client that reads slower than things happen is told how they are when it reads: a proposal that was made and decided meanwhile is left out.
     * </pre>
     */
    public void watchProposals(dev.vademecum.v1.WatchProposalsRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.WatchProposalsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getWatchProposalsMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service ProposalService.
   * <pre>
   * Decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing changes until somebody approves; an approval changes the target and the proposal in one atomic step. A worked example: docs/blocks.md.
   * Proposals belong to a user. An id of another user's proposal and one that does not exist answer exactly the same: NOT_FOUND (PROPOSAL_NOT_FOUND).
   * A proposal that nobody decided on for its lifetime (30 days, unless the server was started with another --proposal-lifetime) is PROPOSAL_STATUS_EXPIRED from that instant on. Decided and expired proposals are kept.
   * </pre>
   */
  public static final class ProposalServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<ProposalServiceBlockingStub> {
    private ProposalServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ProposalServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ProposalServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists a user's proposals, newest first, page by page. Without their diffs.
     * </pre>
     */
    public dev.vademecum.v1.ListProposalsResponse listProposals(dev.vademecum.v1.ListProposalsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListProposalsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns one proposal with its diff, and with what stood against each other if it is PROPOSAL_STATUS_CONFLICTED.
     * </pre>
     */
    public dev.vademecum.v1.GetProposalResponse getProposal(dev.vademecum.v1.GetProposalRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetProposalMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Applies an edit to its target as it is now. Approving again answers the same and changes nothing, whoever asks.
     * FAILED_PRECONDITION if that is not possible: PROPOSAL_CONFLICTED if the target is gone, or no longer holds old_string, or holds it several times without replace_all (the proposal is PROPOSAL_STATUS_CONFLICTED from then on); PROPOSAL_EXPIRED; PROPOSAL_REJECTED; EDIT_RESULT_REFUSED if the target would become too large, or would have as it was when the edit was proposed, or a memory empty (the proposal goes on waiting).
     * </pre>
     */
    public dev.vademecum.v1.ApproveProposalResponse approveProposal(dev.vademecum.v1.ApproveProposalRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getApproveProposalMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Turns an edit down. Rejecting again answers the same and changes nothing; the first reason stays.
     * FAILED_PRECONDITION if it was decided otherwise: PROPOSAL_APPROVED, PROPOSAL_CONFLICTED, PROPOSAL_EXPIRED.
     * </pre>
     */
    public dev.vademecum.v1.RejectProposalResponse rejectProposal(dev.vademecum.v1.RejectProposalRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRejectProposalMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams first the proposals that wait, oldest first, then each new one as it is made, and each that was sent as waiting once more when it has been decided or has expired. Without their diffs.
     * Has no deadline but the client's. Ends with UNAVAILABLE (SERVER_STOPPING) when the server stops. A client that reads slower than things happen is told how they are when it reads: a proposal that was made and decided meanwhile is left out.
     * </pre>
     */
    public java.util.Iterator<dev.vademecum.v1.WatchProposalsResponse> watchProposals(
        dev.vademecum.v1.WatchProposalsRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getWatchProposalsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service ProposalService.
   * <pre>
   * Decides on the edits that agents propose with MemoryProvider.ProposeEdit. Nothing changes until somebody approves; an approval changes the target and the proposal in one atomic step. A worked example: docs/blocks.md.
   * Proposals belong to a user. An id of another user's proposal and one that does not exist answer exactly the same: NOT_FOUND (PROPOSAL_NOT_FOUND).
   * A proposal that nobody decided on for its lifetime (30 days, unless the server was started with another --proposal-lifetime) is PROPOSAL_STATUS_EXPIRED from that instant on. Decided and expired proposals are kept.
   * </pre>
   */
  public static final class ProposalServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<ProposalServiceFutureStub> {
    private ProposalServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ProposalServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ProposalServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists a user's proposals, newest first, page by page. Without their diffs.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.ListProposalsResponse> listProposals(
        dev.vademecum.v1.ListProposalsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListProposalsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns one proposal with its diff, and with what stood against each other if it is PROPOSAL_STATUS_CONFLICTED.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.GetProposalResponse> getProposal(
        dev.vademecum.v1.GetProposalRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetProposalMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Applies an edit to its target as it is now. Approving again answers the same and changes nothing, whoever asks.
     * FAILED_PRECONDITION if that is not possible: PROPOSAL_CONFLICTED if the target is gone, or no longer holds old_string, or holds it several times without replace_all (the proposal is PROPOSAL_STATUS_CONFLICTED from then on); PROPOSAL_EXPIRED; PROPOSAL_REJECTED; EDIT_RESULT_REFUSED if the target would become too large, or would have as it was when the edit was proposed, or a memory empty (the proposal goes on waiting).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.ApproveProposalResponse> approveProposal(
        dev.vademecum.v1.ApproveProposalRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getApproveProposalMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Turns an edit down. Rejecting again answers the same and changes nothing; the first reason stays.
     * FAILED_PRECONDITION if it was decided otherwise: PROPOSAL_APPROVED, PROPOSAL_CONFLICTED, PROPOSAL_EXPIRED.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.RejectProposalResponse> rejectProposal(
        dev.vademecum.v1.RejectProposalRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRejectProposalMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_LIST_PROPOSALS = 0;
  private static final int METHODID_GET_PROPOSAL = 1;
  private static final int METHODID_APPROVE_PROPOSAL = 2;
  private static final int METHODID_REJECT_PROPOSAL = 3;
  private static final int METHODID_WATCH_PROPOSALS = 4;

  private static final class MethodHandlers<Req, Resp> implements
      io.grpc.stub.ServerCalls.UnaryMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ServerStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ClientStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.BidiStreamingMethod<Req, Resp> {
    private final AsyncService serviceImpl;
    private final int methodId;

    MethodHandlers(AsyncService serviceImpl, int methodId) {
      this.serviceImpl = serviceImpl;
      this.methodId = methodId;
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public void invoke(Req request, io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        case METHODID_LIST_PROPOSALS:
          serviceImpl.listProposals((dev.vademecum.v1.ListProposalsRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.ListProposalsResponse>) responseObserver);
          break;
        case METHODID_GET_PROPOSAL:
          serviceImpl.getProposal((dev.vademecum.v1.GetProposalRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.GetProposalResponse>) responseObserver);
          break;
        case METHODID_APPROVE_PROPOSAL:
          serviceImpl.approveProposal((dev.vademecum.v1.ApproveProposalRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.ApproveProposalResponse>) responseObserver);
          break;
        case METHODID_REJECT_PROPOSAL:
          serviceImpl.rejectProposal((dev.vademecum.v1.RejectProposalRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.RejectProposalResponse>) responseObserver);
          break;
        case METHODID_WATCH_PROPOSALS:
          serviceImpl.watchProposals((dev.vademecum.v1.WatchProposalsRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.WatchProposalsResponse>) responseObserver);
          break;
        default:
          throw new AssertionError();
      }
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public io.grpc.stub.StreamObserver<Req> invoke(
        io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getListProposalsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.ListProposalsRequest,
              dev.vademecum.v1.ListProposalsResponse>(
                service, METHODID_LIST_PROPOSALS)))
        .addMethod(
          getGetProposalMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.GetProposalRequest,
              dev.vademecum.v1.GetProposalResponse>(
                service, METHODID_GET_PROPOSAL)))
        .addMethod(
          getApproveProposalMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.ApproveProposalRequest,
              dev.vademecum.v1.ApproveProposalResponse>(
                service, METHODID_APPROVE_PROPOSAL)))
        .addMethod(
          getRejectProposalMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.RejectProposalRequest,
              dev.vademecum.v1.RejectProposalResponse>(
                service, METHODID_REJECT_PROPOSAL)))
        .addMethod(
          getWatchProposalsMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.vademecum.v1.WatchProposalsRequest,
              dev.vademecum.v1.WatchProposalsResponse>(
                service, METHODID_WATCH_PROPOSALS)))
        .build();
  }

  private static abstract class ProposalServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    ProposalServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.vademecum.v1.ProposalServiceProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("ProposalService");
    }
  }

  private static final class ProposalServiceFileDescriptorSupplier
      extends ProposalServiceBaseDescriptorSupplier {
    ProposalServiceFileDescriptorSupplier() {}
  }

  private static final class ProposalServiceMethodDescriptorSupplier
      extends ProposalServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    ProposalServiceMethodDescriptorSupplier(java.lang.String methodName) {
      this.methodName = methodName;
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.MethodDescriptor getMethodDescriptor() {
      return getServiceDescriptor().findMethodByName(methodName);
    }
  }

  private static volatile io.grpc.ServiceDescriptor serviceDescriptor;

  public static io.grpc.ServiceDescriptor getServiceDescriptor() {
    io.grpc.ServiceDescriptor result = serviceDescriptor;
    if (result == null) {
      synchronized (ProposalServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new ProposalServiceFileDescriptorSupplier())
              .addMethod(getListProposalsMethod())
              .addMethod(getGetProposalMethod())
              .addMethod(getApproveProposalMethod())
              .addMethod(getRejectProposalMethod())
              .addMethod(getWatchProposalsMethod())
              .build();
        }
      }
    }
    return result;
  }
}
