package dev.vademecum.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Looks after a server. Its calls work on all users' data: only those who run the server should reach it.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class AdminServiceGrpc {

  private AdminServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "vademecum.v1.AdminService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.ReindexRequest,
      dev.vademecum.v1.ReindexResponse> getReindexMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Reindex",
      requestType = dev.vademecum.v1.ReindexRequest.class,
      responseType = dev.vademecum.v1.ReindexResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.ReindexRequest,
      dev.vademecum.v1.ReindexResponse> getReindexMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.ReindexRequest, dev.vademecum.v1.ReindexResponse> getReindexMethod;
    if ((getReindexMethod = AdminServiceGrpc.getReindexMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getReindexMethod = AdminServiceGrpc.getReindexMethod) == null) {
          AdminServiceGrpc.getReindexMethod = getReindexMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.ReindexRequest, dev.vademecum.v1.ReindexResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Reindex"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ReindexRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ReindexResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("Reindex"))
              .build();
        }
      }
    }
    return getReindexMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.PruneRequest,
      dev.vademecum.v1.PruneResponse> getPruneMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Prune",
      requestType = dev.vademecum.v1.PruneRequest.class,
      responseType = dev.vademecum.v1.PruneResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.PruneRequest,
      dev.vademecum.v1.PruneResponse> getPruneMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.PruneRequest, dev.vademecum.v1.PruneResponse> getPruneMethod;
    if ((getPruneMethod = AdminServiceGrpc.getPruneMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getPruneMethod = AdminServiceGrpc.getPruneMethod) == null) {
          AdminServiceGrpc.getPruneMethod = getPruneMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.PruneRequest, dev.vademecum.v1.PruneResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Prune"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.PruneRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.PruneResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("Prune"))
              .build();
        }
      }
    }
    return getPruneMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static AdminServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AdminServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AdminServiceStub>() {
        @java.lang.Override
        public AdminServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AdminServiceStub(channel, callOptions);
        }
      };
    return AdminServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static AdminServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AdminServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AdminServiceBlockingStub>() {
        @java.lang.Override
        public AdminServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AdminServiceBlockingStub(channel, callOptions);
        }
      };
    return AdminServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static AdminServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AdminServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AdminServiceFutureStub>() {
        @java.lang.Override
        public AdminServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AdminServiceFutureStub(channel, callOptions);
        }
      };
    return AdminServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Looks after a server. Its calls work on all users' data: only those who run the server should reach it.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Gives memories and skills new vectors by the model that the server was started with, while everything goes on: the old vectors answer until the last new one is there, then all are exchanged in one atomic step, first those of a namespace's memories, then those of its skills. How to change the model: docs/embedders.md.
     * Streams progress after each step of a namespace, and a summary at the end. Has no deadline but the client's. Whatever ends a call, a namespace's memories, and its skills, are wholly of its old model or wholly of the new one, and a repeated call does what is left: so there is no idempotency_key.
     * FAILED_PRECONDITION (NO_EMBEDDER) if the server makes no vectors; ABORTED (REINDEX_RUNNING) if another call is reindexing the namespace.
     * </pre>
     */
    default void reindex(dev.vademecum.v1.ReindexRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ReindexResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReindexMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes what has outlived its use, of all users: the server does so by itself at its start and every day (--pruning), and this does it now. What is removed, and when: docs/operations.md.
     * Has no deadline but the client's. What was removed before a call ended stays removed, and a repeated call goes on: so there is no idempotency_key.
     * </pre>
     */
    default void prune(dev.vademecum.v1.PruneRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.PruneResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPruneMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service AdminService.
   * <pre>
   * Looks after a server. Its calls work on all users' data: only those who run the server should reach it.
   * </pre>
   */
  public static abstract class AdminServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return AdminServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service AdminService.
   * <pre>
   * Looks after a server. Its calls work on all users' data: only those who run the server should reach it.
   * </pre>
   */
  public static final class AdminServiceStub
      extends io.grpc.stub.AbstractAsyncStub<AdminServiceStub> {
    private AdminServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AdminServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AdminServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Gives memories and skills new vectors by the model that the server was started with, while everything goes on: the old vectors answer until the last new one is there, then all are exchanged in one atomic step, first those of a namespace's memories, then those of its skills. How to change the model: docs/embedders.md.
     * Streams progress after each step of a namespace, and a summary at the end. Has no deadline but the client's. Whatever ends a call, a namespace's memories, and its skills, are wholly of its old model or wholly of the new one, and a repeated call does what is left: so there is no idempotency_key.
     * FAILED_PRECONDITION (NO_EMBEDDER) if the server makes no vectors; ABORTED (REINDEX_RUNNING) if another call is reindexing the namespace.
     * </pre>
     */
    public void reindex(dev.vademecum.v1.ReindexRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ReindexResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getReindexMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes what has outlived its use, of all users: the server does so by itself at its start and every day (--pruning), and this does it now. What is removed, and when: docs/operations.md.
     * Has no deadline but the client's. What was removed before a call ended stays removed, and a repeated call goes on: so there is no idempotency_key.
     * </pre>
     */
    public void prune(dev.vademecum.v1.PruneRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.PruneResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPruneMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service AdminService.
   * <pre>
   * Looks after a server. Its calls work on all users' data: only those who run the server should reach it.
   * </pre>
   */
  public static final class AdminServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<AdminServiceBlockingStub> {
    private AdminServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AdminServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AdminServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Gives memories and skills new vectors by the model that the server was started with, while everything goes on: the old vectors answer until the last new one is there, then all are exchanged in one atomic step, first those of a namespace's memories, then those of its skills. How to change the model: docs/embedders.md.
     * Streams progress after each step of a namespace, and a summary at the end. Has no deadline but the client's. Whatever ends a call, a namespace's memories, and its skills, are wholly of its old model or wholly of the new one, and a repeated call does what is left: so there is no idempotency_key.
     * FAILED_PRECONDITION (NO_EMBEDDER) if the server makes no vectors; ABORTED (REINDEX_RUNNING) if another call is reindexing the namespace.
     * </pre>
     */
    public java.util.Iterator<dev.vademecum.v1.ReindexResponse> reindex(
        dev.vademecum.v1.ReindexRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getReindexMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes what has outlived its use, of all users: the server does so by itself at its start and every day (--pruning), and this does it now. What is removed, and when: docs/operations.md.
     * Has no deadline but the client's. What was removed before a call ended stays removed, and a repeated call goes on: so there is no idempotency_key.
     * </pre>
     */
    public dev.vademecum.v1.PruneResponse prune(dev.vademecum.v1.PruneRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPruneMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service AdminService.
   * <pre>
   * Looks after a server. Its calls work on all users' data: only those who run the server should reach it.
   * </pre>
   */
  public static final class AdminServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<AdminServiceFutureStub> {
    private AdminServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AdminServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AdminServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Removes what has outlived its use, of all users: the server does so by itself at its start and every day (--pruning), and this does it now. What is removed, and when: docs/operations.md.
     * Has no deadline but the client's. What was removed before a call ended stays removed, and a repeated call goes on: so there is no idempotency_key.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.PruneResponse> prune(
        dev.vademecum.v1.PruneRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPruneMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_REINDEX = 0;
  private static final int METHODID_PRUNE = 1;

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
        case METHODID_REINDEX:
          serviceImpl.reindex((dev.vademecum.v1.ReindexRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.ReindexResponse>) responseObserver);
          break;
        case METHODID_PRUNE:
          serviceImpl.prune((dev.vademecum.v1.PruneRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.PruneResponse>) responseObserver);
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
          getReindexMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.vademecum.v1.ReindexRequest,
              dev.vademecum.v1.ReindexResponse>(
                service, METHODID_REINDEX)))
        .addMethod(
          getPruneMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.PruneRequest,
              dev.vademecum.v1.PruneResponse>(
                service, METHODID_PRUNE)))
        .build();
  }

  private static abstract class AdminServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    AdminServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.vademecum.v1.AdminProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("AdminService");
    }
  }

  private static final class AdminServiceFileDescriptorSupplier
      extends AdminServiceBaseDescriptorSupplier {
    AdminServiceFileDescriptorSupplier() {}
  }

  private static final class AdminServiceMethodDescriptorSupplier
      extends AdminServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    AdminServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (AdminServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new AdminServiceFileDescriptorSupplier())
              .addMethod(getReindexMethod())
              .addMethod(getPruneMethod())
              .build();
        }
      }
    }
    return result;
  }
}
