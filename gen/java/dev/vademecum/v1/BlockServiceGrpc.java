package dev.vademecum.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Keeps a user's blocks: texts of up to 256 KiB that are always at hand, with all of their versions. How they are edited by agents and approved by people: ProposalService and docs/blocks.md.
 * Blocks belong to a user, not to an agent. A label of another user and one that does not exist answer exactly the same: NOT_FOUND (BLOCK_NOT_FOUND).
 * A write is acknowledged when it is durable and atomic. Mutations take an `idempotency_key`, as in MemoryProvider.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class BlockServiceGrpc {

  private BlockServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "vademecum.v1.BlockService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.ListBlocksRequest,
      dev.vademecum.v1.ListBlocksResponse> getListBlocksMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListBlocks",
      requestType = dev.vademecum.v1.ListBlocksRequest.class,
      responseType = dev.vademecum.v1.ListBlocksResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.ListBlocksRequest,
      dev.vademecum.v1.ListBlocksResponse> getListBlocksMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.ListBlocksRequest, dev.vademecum.v1.ListBlocksResponse> getListBlocksMethod;
    if ((getListBlocksMethod = BlockServiceGrpc.getListBlocksMethod) == null) {
      synchronized (BlockServiceGrpc.class) {
        if ((getListBlocksMethod = BlockServiceGrpc.getListBlocksMethod) == null) {
          BlockServiceGrpc.getListBlocksMethod = getListBlocksMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.ListBlocksRequest, dev.vademecum.v1.ListBlocksResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListBlocks"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ListBlocksRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ListBlocksResponse.getDefaultInstance()))
              .setSchemaDescriptor(new BlockServiceMethodDescriptorSupplier("ListBlocks"))
              .build();
        }
      }
    }
    return getListBlocksMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.GetBlockRequest,
      dev.vademecum.v1.GetBlockResponse> getGetBlockMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetBlock",
      requestType = dev.vademecum.v1.GetBlockRequest.class,
      responseType = dev.vademecum.v1.GetBlockResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.GetBlockRequest,
      dev.vademecum.v1.GetBlockResponse> getGetBlockMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.GetBlockRequest, dev.vademecum.v1.GetBlockResponse> getGetBlockMethod;
    if ((getGetBlockMethod = BlockServiceGrpc.getGetBlockMethod) == null) {
      synchronized (BlockServiceGrpc.class) {
        if ((getGetBlockMethod = BlockServiceGrpc.getGetBlockMethod) == null) {
          BlockServiceGrpc.getGetBlockMethod = getGetBlockMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.GetBlockRequest, dev.vademecum.v1.GetBlockResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetBlock"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.GetBlockRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.GetBlockResponse.getDefaultInstance()))
              .setSchemaDescriptor(new BlockServiceMethodDescriptorSupplier("GetBlock"))
              .build();
        }
      }
    }
    return getGetBlockMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.PutBlockRequest,
      dev.vademecum.v1.PutBlockResponse> getPutBlockMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PutBlock",
      requestType = dev.vademecum.v1.PutBlockRequest.class,
      responseType = dev.vademecum.v1.PutBlockResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.PutBlockRequest,
      dev.vademecum.v1.PutBlockResponse> getPutBlockMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.PutBlockRequest, dev.vademecum.v1.PutBlockResponse> getPutBlockMethod;
    if ((getPutBlockMethod = BlockServiceGrpc.getPutBlockMethod) == null) {
      synchronized (BlockServiceGrpc.class) {
        if ((getPutBlockMethod = BlockServiceGrpc.getPutBlockMethod) == null) {
          BlockServiceGrpc.getPutBlockMethod = getPutBlockMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.PutBlockRequest, dev.vademecum.v1.PutBlockResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PutBlock"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.PutBlockRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.PutBlockResponse.getDefaultInstance()))
              .setSchemaDescriptor(new BlockServiceMethodDescriptorSupplier("PutBlock"))
              .build();
        }
      }
    }
    return getPutBlockMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteBlockRequest,
      dev.vademecum.v1.DeleteBlockResponse> getDeleteBlockMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteBlock",
      requestType = dev.vademecum.v1.DeleteBlockRequest.class,
      responseType = dev.vademecum.v1.DeleteBlockResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteBlockRequest,
      dev.vademecum.v1.DeleteBlockResponse> getDeleteBlockMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteBlockRequest, dev.vademecum.v1.DeleteBlockResponse> getDeleteBlockMethod;
    if ((getDeleteBlockMethod = BlockServiceGrpc.getDeleteBlockMethod) == null) {
      synchronized (BlockServiceGrpc.class) {
        if ((getDeleteBlockMethod = BlockServiceGrpc.getDeleteBlockMethod) == null) {
          BlockServiceGrpc.getDeleteBlockMethod = getDeleteBlockMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.DeleteBlockRequest, dev.vademecum.v1.DeleteBlockResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteBlock"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.DeleteBlockRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.DeleteBlockResponse.getDefaultInstance()))
              .setSchemaDescriptor(new BlockServiceMethodDescriptorSupplier("DeleteBlock"))
              .build();
        }
      }
    }
    return getDeleteBlockMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.ListBlockVersionsRequest,
      dev.vademecum.v1.ListBlockVersionsResponse> getListBlockVersionsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListBlockVersions",
      requestType = dev.vademecum.v1.ListBlockVersionsRequest.class,
      responseType = dev.vademecum.v1.ListBlockVersionsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.ListBlockVersionsRequest,
      dev.vademecum.v1.ListBlockVersionsResponse> getListBlockVersionsMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.ListBlockVersionsRequest, dev.vademecum.v1.ListBlockVersionsResponse> getListBlockVersionsMethod;
    if ((getListBlockVersionsMethod = BlockServiceGrpc.getListBlockVersionsMethod) == null) {
      synchronized (BlockServiceGrpc.class) {
        if ((getListBlockVersionsMethod = BlockServiceGrpc.getListBlockVersionsMethod) == null) {
          BlockServiceGrpc.getListBlockVersionsMethod = getListBlockVersionsMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.ListBlockVersionsRequest, dev.vademecum.v1.ListBlockVersionsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListBlockVersions"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ListBlockVersionsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ListBlockVersionsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new BlockServiceMethodDescriptorSupplier("ListBlockVersions"))
              .build();
        }
      }
    }
    return getListBlockVersionsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.RestoreBlockRequest,
      dev.vademecum.v1.RestoreBlockResponse> getRestoreBlockMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RestoreBlock",
      requestType = dev.vademecum.v1.RestoreBlockRequest.class,
      responseType = dev.vademecum.v1.RestoreBlockResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.RestoreBlockRequest,
      dev.vademecum.v1.RestoreBlockResponse> getRestoreBlockMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.RestoreBlockRequest, dev.vademecum.v1.RestoreBlockResponse> getRestoreBlockMethod;
    if ((getRestoreBlockMethod = BlockServiceGrpc.getRestoreBlockMethod) == null) {
      synchronized (BlockServiceGrpc.class) {
        if ((getRestoreBlockMethod = BlockServiceGrpc.getRestoreBlockMethod) == null) {
          BlockServiceGrpc.getRestoreBlockMethod = getRestoreBlockMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.RestoreBlockRequest, dev.vademecum.v1.RestoreBlockResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RestoreBlock"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.RestoreBlockRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.RestoreBlockResponse.getDefaultInstance()))
              .setSchemaDescriptor(new BlockServiceMethodDescriptorSupplier("RestoreBlock"))
              .build();
        }
      }
    }
    return getRestoreBlockMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static BlockServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<BlockServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<BlockServiceStub>() {
        @java.lang.Override
        public BlockServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new BlockServiceStub(channel, callOptions);
        }
      };
    return BlockServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static BlockServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<BlockServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<BlockServiceBlockingStub>() {
        @java.lang.Override
        public BlockServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new BlockServiceBlockingStub(channel, callOptions);
        }
      };
    return BlockServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static BlockServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<BlockServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<BlockServiceFutureStub>() {
        @java.lang.Override
        public BlockServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new BlockServiceFutureStub(channel, callOptions);
        }
      };
    return BlockServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Keeps a user's blocks: texts of up to 256 KiB that are always at hand, with all of their versions. How they are edited by agents and approved by people: ProposalService and docs/blocks.md.
   * Blocks belong to a user, not to an agent. A label of another user and one that does not exist answer exactly the same: NOT_FOUND (BLOCK_NOT_FOUND).
   * A write is acknowledged when it is durable and atomic. Mutations take an `idempotency_key`, as in MemoryProvider.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Lists a user's blocks, by label, page by page.
     * </pre>
     */
    default void listBlocks(dev.vademecum.v1.ListBlocksRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ListBlocksResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListBlocksMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns one block as it is now. NOT_FOUND if there is none.
     * </pre>
     */
    default void getBlock(dev.vademecum.v1.GetBlockRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.GetBlockResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetBlockMethod(), responseObserver);
    }

    /**
     * <pre>
     * Writes a block: a new one, or the next version of the one that there is. ABORTED (VERSION_MISMATCH) if expected_version is given and is not the block's.
     * </pre>
     */
    default void putBlock(dev.vademecum.v1.PutBlockRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.PutBlockResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPutBlockMethod(), responseObserver);
    }

    /**
     * <pre>
     * Deletes a block with all of its versions, for good. A label that does not exist is no error: `deleted` is false. Proposals about the block are kept; one that still waits becomes PROPOSAL_STATUS_CONFLICTED when somebody approves it.
     * </pre>
     */
    default void deleteBlock(dev.vademecum.v1.DeleteBlockRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteBlockResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteBlockMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the versions of a block, newest first, page by page. NOT_FOUND if there is no such block.
     * </pre>
     */
    default void listBlockVersions(dev.vademecum.v1.ListBlockVersionsRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ListBlockVersionsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListBlockVersionsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Writes what an earlier version said as the next version. NOT_FOUND if there is no such block (BLOCK_NOT_FOUND) or it has no such version (BLOCK_VERSION_NOT_FOUND). A repeated call with the same idempotency_key answers as the first one did, or NOT_FOUND if the block was deleted since.
     * </pre>
     */
    default void restoreBlock(dev.vademecum.v1.RestoreBlockRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.RestoreBlockResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRestoreBlockMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service BlockService.
   * <pre>
   * Keeps a user's blocks: texts of up to 256 KiB that are always at hand, with all of their versions. How they are edited by agents and approved by people: ProposalService and docs/blocks.md.
   * Blocks belong to a user, not to an agent. A label of another user and one that does not exist answer exactly the same: NOT_FOUND (BLOCK_NOT_FOUND).
   * A write is acknowledged when it is durable and atomic. Mutations take an `idempotency_key`, as in MemoryProvider.
   * </pre>
   */
  public static abstract class BlockServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return BlockServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service BlockService.
   * <pre>
   * Keeps a user's blocks: texts of up to 256 KiB that are always at hand, with all of their versions. How they are edited by agents and approved by people: ProposalService and docs/blocks.md.
   * Blocks belong to a user, not to an agent. A label of another user and one that does not exist answer exactly the same: NOT_FOUND (BLOCK_NOT_FOUND).
   * A write is acknowledged when it is durable and atomic. Mutations take an `idempotency_key`, as in MemoryProvider.
   * </pre>
   */
  public static final class BlockServiceStub
      extends io.grpc.stub.AbstractAsyncStub<BlockServiceStub> {
    private BlockServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected BlockServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new BlockServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists a user's blocks, by label, page by page.
     * </pre>
     */
    public void listBlocks(dev.vademecum.v1.ListBlocksRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ListBlocksResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListBlocksMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns one block as it is now. NOT_FOUND if there is none.
     * </pre>
     */
    public void getBlock(dev.vademecum.v1.GetBlockRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.GetBlockResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetBlockMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Writes a block: a new one, or the next version of the one that there is. ABORTED (VERSION_MISMATCH) if expected_version is given and is not the block's.
     * </pre>
     */
    public void putBlock(dev.vademecum.v1.PutBlockRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.PutBlockResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPutBlockMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Deletes a block with all of its versions, for good. A label that does not exist is no error: `deleted` is false. Proposals about the block are kept; one that still waits becomes PROPOSAL_STATUS_CONFLICTED when somebody approves it.
     * </pre>
     */
    public void deleteBlock(dev.vademecum.v1.DeleteBlockRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteBlockResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteBlockMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the versions of a block, newest first, page by page. NOT_FOUND if there is no such block.
     * </pre>
     */
    public void listBlockVersions(dev.vademecum.v1.ListBlockVersionsRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ListBlockVersionsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListBlockVersionsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Writes what an earlier version said as the next version. NOT_FOUND if there is no such block (BLOCK_NOT_FOUND) or it has no such version (BLOCK_VERSION_NOT_FOUND). A repeated call with the same idempotency_key answers as the first one did, or NOT_FOUND if the block was deleted since.
     * </pre>
     */
    public void restoreBlock(dev.vademecum.v1.RestoreBlockRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.RestoreBlockResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRestoreBlockMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service BlockService.
   * <pre>
   * Keeps a user's blocks: texts of up to 256 KiB that are always at hand, with all of their versions. How they are edited by agents and approved by people: ProposalService and docs/blocks.md.
   * Blocks belong to a user, not to an agent. A label of another user and one that does not exist answer exactly the same: NOT_FOUND (BLOCK_NOT_FOUND).
   * A write is acknowledged when it is durable and atomic. Mutations take an `idempotency_key`, as in MemoryProvider.
   * </pre>
   */
  public static final class BlockServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<BlockServiceBlockingStub> {
    private BlockServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected BlockServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new BlockServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists a user's blocks, by label, page by page.
     * </pre>
     */
    public dev.vademecum.v1.ListBlocksResponse listBlocks(dev.vademecum.v1.ListBlocksRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListBlocksMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns one block as it is now. NOT_FOUND if there is none.
     * </pre>
     */
    public dev.vademecum.v1.GetBlockResponse getBlock(dev.vademecum.v1.GetBlockRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetBlockMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Writes a block: a new one, or the next version of the one that there is. ABORTED (VERSION_MISMATCH) if expected_version is given and is not the block's.
     * </pre>
     */
    public dev.vademecum.v1.PutBlockResponse putBlock(dev.vademecum.v1.PutBlockRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPutBlockMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Deletes a block with all of its versions, for good. A label that does not exist is no error: `deleted` is false. Proposals about the block are kept; one that still waits becomes PROPOSAL_STATUS_CONFLICTED when somebody approves it.
     * </pre>
     */
    public dev.vademecum.v1.DeleteBlockResponse deleteBlock(dev.vademecum.v1.DeleteBlockRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteBlockMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the versions of a block, newest first, page by page. NOT_FOUND if there is no such block.
     * </pre>
     */
    public dev.vademecum.v1.ListBlockVersionsResponse listBlockVersions(dev.vademecum.v1.ListBlockVersionsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListBlockVersionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Writes what an earlier version said as the next version. NOT_FOUND if there is no such block (BLOCK_NOT_FOUND) or it has no such version (BLOCK_VERSION_NOT_FOUND). A repeated call with the same idempotency_key answers as the first one did, or NOT_FOUND if the block was deleted since.
     * </pre>
     */
    public dev.vademecum.v1.RestoreBlockResponse restoreBlock(dev.vademecum.v1.RestoreBlockRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRestoreBlockMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service BlockService.
   * <pre>
   * Keeps a user's blocks: texts of up to 256 KiB that are always at hand, with all of their versions. How they are edited by agents and approved by people: ProposalService and docs/blocks.md.
   * Blocks belong to a user, not to an agent. A label of another user and one that does not exist answer exactly the same: NOT_FOUND (BLOCK_NOT_FOUND).
   * A write is acknowledged when it is durable and atomic. Mutations take an `idempotency_key`, as in MemoryProvider.
   * </pre>
   */
  public static final class BlockServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<BlockServiceFutureStub> {
    private BlockServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected BlockServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new BlockServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists a user's blocks, by label, page by page.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.ListBlocksResponse> listBlocks(
        dev.vademecum.v1.ListBlocksRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListBlocksMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns one block as it is now. NOT_FOUND if there is none.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.GetBlockResponse> getBlock(
        dev.vademecum.v1.GetBlockRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetBlockMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Writes a block: a new one, or the next version of the one that there is. ABORTED (VERSION_MISMATCH) if expected_version is given and is not the block's.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.PutBlockResponse> putBlock(
        dev.vademecum.v1.PutBlockRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPutBlockMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Deletes a block with all of its versions, for good. A label that does not exist is no error: `deleted` is false. Proposals about the block are kept; one that still waits becomes PROPOSAL_STATUS_CONFLICTED when somebody approves it.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.DeleteBlockResponse> deleteBlock(
        dev.vademecum.v1.DeleteBlockRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteBlockMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the versions of a block, newest first, page by page. NOT_FOUND if there is no such block.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.ListBlockVersionsResponse> listBlockVersions(
        dev.vademecum.v1.ListBlockVersionsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListBlockVersionsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Writes what an earlier version said as the next version. NOT_FOUND if there is no such block (BLOCK_NOT_FOUND) or it has no such version (BLOCK_VERSION_NOT_FOUND). A repeated call with the same idempotency_key answers as the first one did, or NOT_FOUND if the block was deleted since.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.RestoreBlockResponse> restoreBlock(
        dev.vademecum.v1.RestoreBlockRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRestoreBlockMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_LIST_BLOCKS = 0;
  private static final int METHODID_GET_BLOCK = 1;
  private static final int METHODID_PUT_BLOCK = 2;
  private static final int METHODID_DELETE_BLOCK = 3;
  private static final int METHODID_LIST_BLOCK_VERSIONS = 4;
  private static final int METHODID_RESTORE_BLOCK = 5;

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
        case METHODID_LIST_BLOCKS:
          serviceImpl.listBlocks((dev.vademecum.v1.ListBlocksRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.ListBlocksResponse>) responseObserver);
          break;
        case METHODID_GET_BLOCK:
          serviceImpl.getBlock((dev.vademecum.v1.GetBlockRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.GetBlockResponse>) responseObserver);
          break;
        case METHODID_PUT_BLOCK:
          serviceImpl.putBlock((dev.vademecum.v1.PutBlockRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.PutBlockResponse>) responseObserver);
          break;
        case METHODID_DELETE_BLOCK:
          serviceImpl.deleteBlock((dev.vademecum.v1.DeleteBlockRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteBlockResponse>) responseObserver);
          break;
        case METHODID_LIST_BLOCK_VERSIONS:
          serviceImpl.listBlockVersions((dev.vademecum.v1.ListBlockVersionsRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.ListBlockVersionsResponse>) responseObserver);
          break;
        case METHODID_RESTORE_BLOCK:
          serviceImpl.restoreBlock((dev.vademecum.v1.RestoreBlockRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.RestoreBlockResponse>) responseObserver);
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
          getListBlocksMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.ListBlocksRequest,
              dev.vademecum.v1.ListBlocksResponse>(
                service, METHODID_LIST_BLOCKS)))
        .addMethod(
          getGetBlockMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.GetBlockRequest,
              dev.vademecum.v1.GetBlockResponse>(
                service, METHODID_GET_BLOCK)))
        .addMethod(
          getPutBlockMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.PutBlockRequest,
              dev.vademecum.v1.PutBlockResponse>(
                service, METHODID_PUT_BLOCK)))
        .addMethod(
          getDeleteBlockMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.DeleteBlockRequest,
              dev.vademecum.v1.DeleteBlockResponse>(
                service, METHODID_DELETE_BLOCK)))
        .addMethod(
          getListBlockVersionsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.ListBlockVersionsRequest,
              dev.vademecum.v1.ListBlockVersionsResponse>(
                service, METHODID_LIST_BLOCK_VERSIONS)))
        .addMethod(
          getRestoreBlockMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.RestoreBlockRequest,
              dev.vademecum.v1.RestoreBlockResponse>(
                service, METHODID_RESTORE_BLOCK)))
        .build();
  }

  private static abstract class BlockServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    BlockServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.vademecum.v1.BlockServiceProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("BlockService");
    }
  }

  private static final class BlockServiceFileDescriptorSupplier
      extends BlockServiceBaseDescriptorSupplier {
    BlockServiceFileDescriptorSupplier() {}
  }

  private static final class BlockServiceMethodDescriptorSupplier
      extends BlockServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    BlockServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (BlockServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new BlockServiceFileDescriptorSupplier())
              .addMethod(getListBlocksMethod())
              .addMethod(getGetBlockMethod())
              .addMethod(getPutBlockMethod())
              .addMethod(getDeleteBlockMethod())
              .addMethod(getListBlockVersionsMethod())
              .addMethod(getRestoreBlockMethod())
              .build();
        }
      }
    }
    return result;
  }
}
