package dev.vademecum.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Keeps what agents have learned to do, and finds it again by the situation at hand. A worked example: docs/skills.md.
 * A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`, as those of MemoryProvider do. An id that is not in the namespace is the same as one that never was.
 * On a server that was started with VADEMECUM_SKILLS=off every call that is well formed is answered as if there were no skills: empty, false or zero, and nothing is stored.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class SkillServiceGrpc {

  private SkillServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "vademecum.v1.SkillService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.StoreSkillRequest,
      dev.vademecum.v1.StoreSkillResponse> getStoreSkillMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "StoreSkill",
      requestType = dev.vademecum.v1.StoreSkillRequest.class,
      responseType = dev.vademecum.v1.StoreSkillResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.StoreSkillRequest,
      dev.vademecum.v1.StoreSkillResponse> getStoreSkillMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.StoreSkillRequest, dev.vademecum.v1.StoreSkillResponse> getStoreSkillMethod;
    if ((getStoreSkillMethod = SkillServiceGrpc.getStoreSkillMethod) == null) {
      synchronized (SkillServiceGrpc.class) {
        if ((getStoreSkillMethod = SkillServiceGrpc.getStoreSkillMethod) == null) {
          SkillServiceGrpc.getStoreSkillMethod = getStoreSkillMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.StoreSkillRequest, dev.vademecum.v1.StoreSkillResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "StoreSkill"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.StoreSkillRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.StoreSkillResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SkillServiceMethodDescriptorSupplier("StoreSkill"))
              .build();
        }
      }
    }
    return getStoreSkillMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.RetrieveSkillsRequest,
      dev.vademecum.v1.RetrieveSkillsResponse> getRetrieveSkillsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RetrieveSkills",
      requestType = dev.vademecum.v1.RetrieveSkillsRequest.class,
      responseType = dev.vademecum.v1.RetrieveSkillsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.RetrieveSkillsRequest,
      dev.vademecum.v1.RetrieveSkillsResponse> getRetrieveSkillsMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.RetrieveSkillsRequest, dev.vademecum.v1.RetrieveSkillsResponse> getRetrieveSkillsMethod;
    if ((getRetrieveSkillsMethod = SkillServiceGrpc.getRetrieveSkillsMethod) == null) {
      synchronized (SkillServiceGrpc.class) {
        if ((getRetrieveSkillsMethod = SkillServiceGrpc.getRetrieveSkillsMethod) == null) {
          SkillServiceGrpc.getRetrieveSkillsMethod = getRetrieveSkillsMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.RetrieveSkillsRequest, dev.vademecum.v1.RetrieveSkillsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RetrieveSkills"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.RetrieveSkillsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.RetrieveSkillsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SkillServiceMethodDescriptorSupplier("RetrieveSkills"))
              .build();
        }
      }
    }
    return getRetrieveSkillsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.ListSkillsRequest,
      dev.vademecum.v1.ListSkillsResponse> getListSkillsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListSkills",
      requestType = dev.vademecum.v1.ListSkillsRequest.class,
      responseType = dev.vademecum.v1.ListSkillsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.ListSkillsRequest,
      dev.vademecum.v1.ListSkillsResponse> getListSkillsMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.ListSkillsRequest, dev.vademecum.v1.ListSkillsResponse> getListSkillsMethod;
    if ((getListSkillsMethod = SkillServiceGrpc.getListSkillsMethod) == null) {
      synchronized (SkillServiceGrpc.class) {
        if ((getListSkillsMethod = SkillServiceGrpc.getListSkillsMethod) == null) {
          SkillServiceGrpc.getListSkillsMethod = getListSkillsMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.ListSkillsRequest, dev.vademecum.v1.ListSkillsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListSkills"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ListSkillsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ListSkillsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SkillServiceMethodDescriptorSupplier("ListSkills"))
              .build();
        }
      }
    }
    return getListSkillsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteSkillRequest,
      dev.vademecum.v1.DeleteSkillResponse> getDeleteSkillMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteSkill",
      requestType = dev.vademecum.v1.DeleteSkillRequest.class,
      responseType = dev.vademecum.v1.DeleteSkillResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteSkillRequest,
      dev.vademecum.v1.DeleteSkillResponse> getDeleteSkillMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteSkillRequest, dev.vademecum.v1.DeleteSkillResponse> getDeleteSkillMethod;
    if ((getDeleteSkillMethod = SkillServiceGrpc.getDeleteSkillMethod) == null) {
      synchronized (SkillServiceGrpc.class) {
        if ((getDeleteSkillMethod = SkillServiceGrpc.getDeleteSkillMethod) == null) {
          SkillServiceGrpc.getDeleteSkillMethod = getDeleteSkillMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.DeleteSkillRequest, dev.vademecum.v1.DeleteSkillResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteSkill"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.DeleteSkillRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.DeleteSkillResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SkillServiceMethodDescriptorSupplier("DeleteSkill"))
              .build();
        }
      }
    }
    return getDeleteSkillMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.UpdateSuccessCountRequest,
      dev.vademecum.v1.UpdateSuccessCountResponse> getUpdateSuccessCountMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "UpdateSuccessCount",
      requestType = dev.vademecum.v1.UpdateSuccessCountRequest.class,
      responseType = dev.vademecum.v1.UpdateSuccessCountResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.UpdateSuccessCountRequest,
      dev.vademecum.v1.UpdateSuccessCountResponse> getUpdateSuccessCountMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.UpdateSuccessCountRequest, dev.vademecum.v1.UpdateSuccessCountResponse> getUpdateSuccessCountMethod;
    if ((getUpdateSuccessCountMethod = SkillServiceGrpc.getUpdateSuccessCountMethod) == null) {
      synchronized (SkillServiceGrpc.class) {
        if ((getUpdateSuccessCountMethod = SkillServiceGrpc.getUpdateSuccessCountMethod) == null) {
          SkillServiceGrpc.getUpdateSuccessCountMethod = getUpdateSuccessCountMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.UpdateSuccessCountRequest, dev.vademecum.v1.UpdateSuccessCountResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "UpdateSuccessCount"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.UpdateSuccessCountRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.UpdateSuccessCountResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SkillServiceMethodDescriptorSupplier("UpdateSuccessCount"))
              .build();
        }
      }
    }
    return getUpdateSuccessCountMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.PruneStaleRequest,
      dev.vademecum.v1.PruneStaleResponse> getPruneStaleMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PruneStale",
      requestType = dev.vademecum.v1.PruneStaleRequest.class,
      responseType = dev.vademecum.v1.PruneStaleResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.PruneStaleRequest,
      dev.vademecum.v1.PruneStaleResponse> getPruneStaleMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.PruneStaleRequest, dev.vademecum.v1.PruneStaleResponse> getPruneStaleMethod;
    if ((getPruneStaleMethod = SkillServiceGrpc.getPruneStaleMethod) == null) {
      synchronized (SkillServiceGrpc.class) {
        if ((getPruneStaleMethod = SkillServiceGrpc.getPruneStaleMethod) == null) {
          SkillServiceGrpc.getPruneStaleMethod = getPruneStaleMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.PruneStaleRequest, dev.vademecum.v1.PruneStaleResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PruneStale"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.PruneStaleRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.PruneStaleResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SkillServiceMethodDescriptorSupplier("PruneStale"))
              .build();
        }
      }
    }
    return getPruneStaleMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static SkillServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SkillServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SkillServiceStub>() {
        @java.lang.Override
        public SkillServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SkillServiceStub(channel, callOptions);
        }
      };
    return SkillServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static SkillServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SkillServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SkillServiceBlockingStub>() {
        @java.lang.Override
        public SkillServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SkillServiceBlockingStub(channel, callOptions);
        }
      };
    return SkillServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static SkillServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SkillServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SkillServiceFutureStub>() {
        @java.lang.Override
        public SkillServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SkillServiceFutureStub(channel, callOptions);
        }
      };
    return SkillServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Keeps what agents have learned to do, and finds it again by the situation at hand. A worked example: docs/skills.md.
   * A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`, as those of MemoryProvider do. An id that is not in the namespace is the same as one that never was.
   * On a server that was started with VADEMECUM_SKILLS=off every call that is well formed is answered as if there were no skills: empty, false or zero, and nothing is stored.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Stores a skill, or replaces the one of the given id.
     * </pre>
     */
    default void storeSkill(dev.vademecum.v1.StoreSkillRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.StoreSkillResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getStoreSkillMethod(), responseObserver);
    }

    /**
     * <pre>
     * Finds skills for a situation, best first. That counts as use of those that are returned: it sets their last_used_time, not their success_count.
     * </pre>
     */
    default void retrieveSkills(dev.vademecum.v1.RetrieveSkillsRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.RetrieveSkillsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRetrieveSkillsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists skills, newest first, page by page. That does not count as use.
     * </pre>
     */
    default void listSkills(dev.vademecum.v1.ListSkillsRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ListSkillsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListSkillsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Deletes one skill. An id that is not in the namespace is no error: `deleted` is false.
     * </pre>
     */
    default void deleteSkill(dev.vademecum.v1.DeleteSkillRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteSkillResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteSkillMethod(), responseObserver);
    }

    /**
     * <pre>
     * Tells that a skill has helped, or has not. Counts as use. An id that is not in the namespace is no error: `updated` is false.
     * </pre>
     */
    default void updateSuccessCount(dev.vademecum.v1.UpdateSuccessCountRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.UpdateSuccessCountResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getUpdateSuccessCountMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes the skills of a namespace that have outlived their use: not used for 90 days or more, or without a success although 30 days old or more. The server does so for all namespaces at its start and every day (--pruning); for all at once there is AdminService.Prune.
     * </pre>
     */
    default void pruneStale(dev.vademecum.v1.PruneStaleRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.PruneStaleResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPruneStaleMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service SkillService.
   * <pre>
   * Keeps what agents have learned to do, and finds it again by the situation at hand. A worked example: docs/skills.md.
   * A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`, as those of MemoryProvider do. An id that is not in the namespace is the same as one that never was.
   * On a server that was started with VADEMECUM_SKILLS=off every call that is well formed is answered as if there were no skills: empty, false or zero, and nothing is stored.
   * </pre>
   */
  public static abstract class SkillServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return SkillServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service SkillService.
   * <pre>
   * Keeps what agents have learned to do, and finds it again by the situation at hand. A worked example: docs/skills.md.
   * A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`, as those of MemoryProvider do. An id that is not in the namespace is the same as one that never was.
   * On a server that was started with VADEMECUM_SKILLS=off every call that is well formed is answered as if there were no skills: empty, false or zero, and nothing is stored.
   * </pre>
   */
  public static final class SkillServiceStub
      extends io.grpc.stub.AbstractAsyncStub<SkillServiceStub> {
    private SkillServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SkillServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SkillServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores a skill, or replaces the one of the given id.
     * </pre>
     */
    public void storeSkill(dev.vademecum.v1.StoreSkillRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.StoreSkillResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getStoreSkillMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Finds skills for a situation, best first. That counts as use of those that are returned: it sets their last_used_time, not their success_count.
     * </pre>
     */
    public void retrieveSkills(dev.vademecum.v1.RetrieveSkillsRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.RetrieveSkillsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRetrieveSkillsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists skills, newest first, page by page. That does not count as use.
     * </pre>
     */
    public void listSkills(dev.vademecum.v1.ListSkillsRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ListSkillsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListSkillsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Deletes one skill. An id that is not in the namespace is no error: `deleted` is false.
     * </pre>
     */
    public void deleteSkill(dev.vademecum.v1.DeleteSkillRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteSkillResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteSkillMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Tells that a skill has helped, or has not. Counts as use. An id that is not in the namespace is no error: `updated` is false.
     * </pre>
     */
    public void updateSuccessCount(dev.vademecum.v1.UpdateSuccessCountRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.UpdateSuccessCountResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getUpdateSuccessCountMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes the skills of a namespace that have outlived their use: not used for 90 days or more, or without a success although 30 days old or more. The server does so for all namespaces at its start and every day (--pruning); for all at once there is AdminService.Prune.
     * </pre>
     */
    public void pruneStale(dev.vademecum.v1.PruneStaleRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.PruneStaleResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPruneStaleMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service SkillService.
   * <pre>
   * Keeps what agents have learned to do, and finds it again by the situation at hand. A worked example: docs/skills.md.
   * A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`, as those of MemoryProvider do. An id that is not in the namespace is the same as one that never was.
   * On a server that was started with VADEMECUM_SKILLS=off every call that is well formed is answered as if there were no skills: empty, false or zero, and nothing is stored.
   * </pre>
   */
  public static final class SkillServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<SkillServiceBlockingStub> {
    private SkillServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SkillServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SkillServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores a skill, or replaces the one of the given id.
     * </pre>
     */
    public dev.vademecum.v1.StoreSkillResponse storeSkill(dev.vademecum.v1.StoreSkillRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getStoreSkillMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Finds skills for a situation, best first. That counts as use of those that are returned: it sets their last_used_time, not their success_count.
     * </pre>
     */
    public dev.vademecum.v1.RetrieveSkillsResponse retrieveSkills(dev.vademecum.v1.RetrieveSkillsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRetrieveSkillsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists skills, newest first, page by page. That does not count as use.
     * </pre>
     */
    public dev.vademecum.v1.ListSkillsResponse listSkills(dev.vademecum.v1.ListSkillsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListSkillsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Deletes one skill. An id that is not in the namespace is no error: `deleted` is false.
     * </pre>
     */
    public dev.vademecum.v1.DeleteSkillResponse deleteSkill(dev.vademecum.v1.DeleteSkillRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteSkillMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Tells that a skill has helped, or has not. Counts as use. An id that is not in the namespace is no error: `updated` is false.
     * </pre>
     */
    public dev.vademecum.v1.UpdateSuccessCountResponse updateSuccessCount(dev.vademecum.v1.UpdateSuccessCountRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getUpdateSuccessCountMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes the skills of a namespace that have outlived their use: not used for 90 days or more, or without a success although 30 days old or more. The server does so for all namespaces at its start and every day (--pruning); for all at once there is AdminService.Prune.
     * </pre>
     */
    public dev.vademecum.v1.PruneStaleResponse pruneStale(dev.vademecum.v1.PruneStaleRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPruneStaleMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service SkillService.
   * <pre>
   * Keeps what agents have learned to do, and finds it again by the situation at hand. A worked example: docs/skills.md.
   * A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`, as those of MemoryProvider do. An id that is not in the namespace is the same as one that never was.
   * On a server that was started with VADEMECUM_SKILLS=off every call that is well formed is answered as if there were no skills: empty, false or zero, and nothing is stored.
   * </pre>
   */
  public static final class SkillServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<SkillServiceFutureStub> {
    private SkillServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SkillServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SkillServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores a skill, or replaces the one of the given id.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.StoreSkillResponse> storeSkill(
        dev.vademecum.v1.StoreSkillRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getStoreSkillMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Finds skills for a situation, best first. That counts as use of those that are returned: it sets their last_used_time, not their success_count.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.RetrieveSkillsResponse> retrieveSkills(
        dev.vademecum.v1.RetrieveSkillsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRetrieveSkillsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists skills, newest first, page by page. That does not count as use.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.ListSkillsResponse> listSkills(
        dev.vademecum.v1.ListSkillsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListSkillsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Deletes one skill. An id that is not in the namespace is no error: `deleted` is false.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.DeleteSkillResponse> deleteSkill(
        dev.vademecum.v1.DeleteSkillRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteSkillMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Tells that a skill has helped, or has not. Counts as use. An id that is not in the namespace is no error: `updated` is false.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.UpdateSuccessCountResponse> updateSuccessCount(
        dev.vademecum.v1.UpdateSuccessCountRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getUpdateSuccessCountMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes the skills of a namespace that have outlived their use: not used for 90 days or more, or without a success although 30 days old or more. The server does so for all namespaces at its start and every day (--pruning); for all at once there is AdminService.Prune.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.PruneStaleResponse> pruneStale(
        dev.vademecum.v1.PruneStaleRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPruneStaleMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_STORE_SKILL = 0;
  private static final int METHODID_RETRIEVE_SKILLS = 1;
  private static final int METHODID_LIST_SKILLS = 2;
  private static final int METHODID_DELETE_SKILL = 3;
  private static final int METHODID_UPDATE_SUCCESS_COUNT = 4;
  private static final int METHODID_PRUNE_STALE = 5;

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
        case METHODID_STORE_SKILL:
          serviceImpl.storeSkill((dev.vademecum.v1.StoreSkillRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.StoreSkillResponse>) responseObserver);
          break;
        case METHODID_RETRIEVE_SKILLS:
          serviceImpl.retrieveSkills((dev.vademecum.v1.RetrieveSkillsRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.RetrieveSkillsResponse>) responseObserver);
          break;
        case METHODID_LIST_SKILLS:
          serviceImpl.listSkills((dev.vademecum.v1.ListSkillsRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.ListSkillsResponse>) responseObserver);
          break;
        case METHODID_DELETE_SKILL:
          serviceImpl.deleteSkill((dev.vademecum.v1.DeleteSkillRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteSkillResponse>) responseObserver);
          break;
        case METHODID_UPDATE_SUCCESS_COUNT:
          serviceImpl.updateSuccessCount((dev.vademecum.v1.UpdateSuccessCountRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.UpdateSuccessCountResponse>) responseObserver);
          break;
        case METHODID_PRUNE_STALE:
          serviceImpl.pruneStale((dev.vademecum.v1.PruneStaleRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.PruneStaleResponse>) responseObserver);
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
          getStoreSkillMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.StoreSkillRequest,
              dev.vademecum.v1.StoreSkillResponse>(
                service, METHODID_STORE_SKILL)))
        .addMethod(
          getRetrieveSkillsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.RetrieveSkillsRequest,
              dev.vademecum.v1.RetrieveSkillsResponse>(
                service, METHODID_RETRIEVE_SKILLS)))
        .addMethod(
          getListSkillsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.ListSkillsRequest,
              dev.vademecum.v1.ListSkillsResponse>(
                service, METHODID_LIST_SKILLS)))
        .addMethod(
          getDeleteSkillMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.DeleteSkillRequest,
              dev.vademecum.v1.DeleteSkillResponse>(
                service, METHODID_DELETE_SKILL)))
        .addMethod(
          getUpdateSuccessCountMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.UpdateSuccessCountRequest,
              dev.vademecum.v1.UpdateSuccessCountResponse>(
                service, METHODID_UPDATE_SUCCESS_COUNT)))
        .addMethod(
          getPruneStaleMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.PruneStaleRequest,
              dev.vademecum.v1.PruneStaleResponse>(
                service, METHODID_PRUNE_STALE)))
        .build();
  }

  private static abstract class SkillServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    SkillServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.vademecum.v1.SkillServiceProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("SkillService");
    }
  }

  private static final class SkillServiceFileDescriptorSupplier
      extends SkillServiceBaseDescriptorSupplier {
    SkillServiceFileDescriptorSupplier() {}
  }

  private static final class SkillServiceMethodDescriptorSupplier
      extends SkillServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    SkillServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (SkillServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new SkillServiceFileDescriptorSupplier())
              .addMethod(getStoreSkillMethod())
              .addMethod(getRetrieveSkillsMethod())
              .addMethod(getListSkillsMethod())
              .addMethod(getDeleteSkillMethod())
              .addMethod(getUpdateSuccessCountMethod())
              .addMethod(getPruneStaleMethod())
              .build();
        }
      }
    }
    return result;
  }
}
