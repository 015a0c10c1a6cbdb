package dev.vademecum.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Keeps notes of a run: values under keys, as a notebook that an agent fills in one cycle and reads in the next.
 * A run is named by its id and needs no setting up: it begins with its first key. Runs never see each other's keys; whoever knows a run's id may use it. Keys and values are any Unicode text, compared byte for byte: `Plan`, `plan` and `plan/` are three keys. Nothing is searched by meaning and nothing expires.
 * A write is acknowledged when it is durable (synced to disk). Mutations take an `idempotency_key`, as those of MemoryProvider do; its keys belong to the run. Without a deadline of the client a call ends after 30 seconds.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class KeyValueServiceGrpc {

  private KeyValueServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "vademecum.v1.KeyValueService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.WriteKeyRequest,
      dev.vademecum.v1.WriteKeyResponse> getWriteKeyMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "WriteKey",
      requestType = dev.vademecum.v1.WriteKeyRequest.class,
      responseType = dev.vademecum.v1.WriteKeyResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.WriteKeyRequest,
      dev.vademecum.v1.WriteKeyResponse> getWriteKeyMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.WriteKeyRequest, dev.vademecum.v1.WriteKeyResponse> getWriteKeyMethod;
    if ((getWriteKeyMethod = KeyValueServiceGrpc.getWriteKeyMethod) == null) {
      synchronized (KeyValueServiceGrpc.class) {
        if ((getWriteKeyMethod = KeyValueServiceGrpc.getWriteKeyMethod) == null) {
          KeyValueServiceGrpc.getWriteKeyMethod = getWriteKeyMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.WriteKeyRequest, dev.vademecum.v1.WriteKeyResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "WriteKey"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.WriteKeyRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.WriteKeyResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KeyValueServiceMethodDescriptorSupplier("WriteKey"))
              .build();
        }
      }
    }
    return getWriteKeyMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.ReadKeyRequest,
      dev.vademecum.v1.ReadKeyResponse> getReadKeyMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ReadKey",
      requestType = dev.vademecum.v1.ReadKeyRequest.class,
      responseType = dev.vademecum.v1.ReadKeyResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.ReadKeyRequest,
      dev.vademecum.v1.ReadKeyResponse> getReadKeyMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.ReadKeyRequest, dev.vademecum.v1.ReadKeyResponse> getReadKeyMethod;
    if ((getReadKeyMethod = KeyValueServiceGrpc.getReadKeyMethod) == null) {
      synchronized (KeyValueServiceGrpc.class) {
        if ((getReadKeyMethod = KeyValueServiceGrpc.getReadKeyMethod) == null) {
          KeyValueServiceGrpc.getReadKeyMethod = getReadKeyMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.ReadKeyRequest, dev.vademecum.v1.ReadKeyResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ReadKey"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ReadKeyRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ReadKeyResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KeyValueServiceMethodDescriptorSupplier("ReadKey"))
              .build();
        }
      }
    }
    return getReadKeyMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.ListKeysRequest,
      dev.vademecum.v1.ListKeysResponse> getListKeysMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListKeys",
      requestType = dev.vademecum.v1.ListKeysRequest.class,
      responseType = dev.vademecum.v1.ListKeysResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.ListKeysRequest,
      dev.vademecum.v1.ListKeysResponse> getListKeysMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.ListKeysRequest, dev.vademecum.v1.ListKeysResponse> getListKeysMethod;
    if ((getListKeysMethod = KeyValueServiceGrpc.getListKeysMethod) == null) {
      synchronized (KeyValueServiceGrpc.class) {
        if ((getListKeysMethod = KeyValueServiceGrpc.getListKeysMethod) == null) {
          KeyValueServiceGrpc.getListKeysMethod = getListKeysMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.ListKeysRequest, dev.vademecum.v1.ListKeysResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListKeys"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ListKeysRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ListKeysResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KeyValueServiceMethodDescriptorSupplier("ListKeys"))
              .build();
        }
      }
    }
    return getListKeysMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteKeyRequest,
      dev.vademecum.v1.DeleteKeyResponse> getDeleteKeyMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteKey",
      requestType = dev.vademecum.v1.DeleteKeyRequest.class,
      responseType = dev.vademecum.v1.DeleteKeyResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteKeyRequest,
      dev.vademecum.v1.DeleteKeyResponse> getDeleteKeyMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteKeyRequest, dev.vademecum.v1.DeleteKeyResponse> getDeleteKeyMethod;
    if ((getDeleteKeyMethod = KeyValueServiceGrpc.getDeleteKeyMethod) == null) {
      synchronized (KeyValueServiceGrpc.class) {
        if ((getDeleteKeyMethod = KeyValueServiceGrpc.getDeleteKeyMethod) == null) {
          KeyValueServiceGrpc.getDeleteKeyMethod = getDeleteKeyMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.DeleteKeyRequest, dev.vademecum.v1.DeleteKeyResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteKey"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.DeleteKeyRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.DeleteKeyResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KeyValueServiceMethodDescriptorSupplier("DeleteKey"))
              .build();
        }
      }
    }
    return getDeleteKeyMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.SearchKeysRequest,
      dev.vademecum.v1.SearchKeysResponse> getSearchKeysMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "SearchKeys",
      requestType = dev.vademecum.v1.SearchKeysRequest.class,
      responseType = dev.vademecum.v1.SearchKeysResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.SearchKeysRequest,
      dev.vademecum.v1.SearchKeysResponse> getSearchKeysMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.SearchKeysRequest, dev.vademecum.v1.SearchKeysResponse> getSearchKeysMethod;
    if ((getSearchKeysMethod = KeyValueServiceGrpc.getSearchKeysMethod) == null) {
      synchronized (KeyValueServiceGrpc.class) {
        if ((getSearchKeysMethod = KeyValueServiceGrpc.getSearchKeysMethod) == null) {
          KeyValueServiceGrpc.getSearchKeysMethod = getSearchKeysMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.SearchKeysRequest, dev.vademecum.v1.SearchKeysResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "SearchKeys"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.SearchKeysRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.SearchKeysResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KeyValueServiceMethodDescriptorSupplier("SearchKeys"))
              .build();
        }
      }
    }
    return getSearchKeysMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static KeyValueServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<KeyValueServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<KeyValueServiceStub>() {
        @java.lang.Override
        public KeyValueServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new KeyValueServiceStub(channel, callOptions);
        }
      };
    return KeyValueServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static KeyValueServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<KeyValueServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<KeyValueServiceBlockingStub>() {
        @java.lang.Override
        public KeyValueServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new KeyValueServiceBlockingStub(channel, callOptions);
        }
      };
    return KeyValueServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static KeyValueServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<KeyValueServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<KeyValueServiceFutureStub>() {
        @java.lang.Override
        public KeyValueServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new KeyValueServiceFutureStub(channel, callOptions);
        }
      };
    return KeyValueServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Keeps notes of a run: values under keys, as a notebook that an agent fills in one cycle and reads in the next.
   * A run is named by its id and needs no setting up: it begins with its first key. Runs never see each other's keys; whoever knows a run's id may use it. Keys and values are any Unicode text, compared byte for byte: `Plan`, `plan` and `plan/` are three keys. Nothing is searched by meaning and nothing expires.
   * A write is acknowledged when it is durable (synced to disk). Mutations take an `idempotency_key`, as those of MemoryProvider do; its keys belong to the run. Without a deadline of the client a call ends after 30 seconds.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Stores a value under a key, in the place of the one that is there.
     * </pre>
     */
    default void writeKey(dev.vademecum.v1.WriteKeyRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.WriteKeyResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWriteKeyMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns the value of a key. A key that is not there is no error: `found` is false.
     * </pre>
     */
    default void readKey(dev.vademecum.v1.ReadKeyRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ReadKeyResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReadKeyMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the keys of a run in the order in which they were first written; a key that was deleted and written again counts from then on.
     * </pre>
     */
    default void listKeys(dev.vademecum.v1.ListKeysRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ListKeysResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListKeysMethod(), responseObserver);
    }

    /**
     * <pre>
     * Deletes a key and its value. A key that is not there is no error: `deleted` is false.
     * </pre>
     */
    default void deleteKey(dev.vademecum.v1.DeleteKeyRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteKeyResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteKeyMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the keys that contain a text, in the order of ListKeys. Every key of the run is looked at.
     * </pre>
     */
    default void searchKeys(dev.vademecum.v1.SearchKeysRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.SearchKeysResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSearchKeysMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service KeyValueService.
   * <pre>
   * Keeps notes of a run: values under keys, as a notebook that an agent fills in one cycle and reads in the next.
   * A run is named by its id and needs no setting up: it begins with its first key. Runs never see each other's keys; whoever knows a run's id may use it. Keys and values are any Unicode text, compared byte for byte: `Plan`, `plan` and `plan/` are three keys. Nothing is searched by meaning and nothing expires.
   * A write is acknowledged when it is durable (synced to disk). Mutations take an `idempotency_key`, as those of MemoryProvider do; its keys belong to the run. Without a deadline of the client a call ends after 30 seconds.
   * </pre>
   */
  public static abstract class KeyValueServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return KeyValueServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service KeyValueService.
   * <pre>
   * Keeps notes of a run: values under keys, as a notebook that an agent fills in one cycle and reads in the next.
   * A run is named by its id and needs no setting up: it begins with its first key. Runs never see each other's keys; whoever knows a run's id may use it. Keys and values are any Unicode text, compared byte for byte: `Plan`, `plan` and `plan/` are three keys. Nothing is searched by meaning and nothing expires.
   * A write is acknowledged when it is durable (synced to disk). Mutations take an `idempotency_key`, as those of MemoryProvider do; its keys belong to the run. Without a deadline of the client a call ends after 30 seconds.
   * </pre>
   */
  public static final class KeyValueServiceStub
      extends io.grpc.stub.AbstractAsyncStub<KeyValueServiceStub> {
    private KeyValueServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected KeyValueServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new KeyValueServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores a value under a key, in the place of the one that is there.
     * </pre>
     */
    public void writeKey(dev.vademecum.v1.WriteKeyRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.WriteKeyResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getWriteKeyMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns the value of a key. A key that is not there is no error: `found` is false.
     * </pre>
     */
    public void readKey(dev.vademecum.v1.ReadKeyRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ReadKeyResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getReadKeyMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the keys of a run in the order in which they were first written; a key that was deleted and written again counts from then on.
     * </pre>
     */
    public void listKeys(dev.vademecum.v1.ListKeysRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ListKeysResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListKeysMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Deletes a key and its value. A key that is not there is no error: `deleted` is false.
     * </pre>
     */
    public void deleteKey(dev.vademecum.v1.DeleteKeyRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteKeyResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteKeyMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the keys that contain a text, in the order of ListKeys. Every key of the run is looked at.
     * </pre>
     */
    public void searchKeys(dev.vademecum.v1.SearchKeysRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.SearchKeysResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getSearchKeysMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service KeyValueService.
   * <pre>
   * Keeps notes of a run: values under keys, as a notebook that an agent fills in one cycle and reads in the next.
   * A run is named by its id and needs no setting up: it begins with its first key. Runs never see each other's keys; whoever knows a run's id may use it. Keys and values are any Unicode text, compared byte for byte: `Plan`, `plan` and `plan/` are three keys. Nothing is searched by meaning and nothing expires.
   * A write is acknowledged when it is durable (synced to disk). Mutations take an `idempotency_key`, as those of MemoryProvider do; its keys belong to the run. Without a deadline of the client a call ends after 30 seconds.
   * </pre>
   */
  public static final class KeyValueServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<KeyValueServiceBlockingStub> {
    private KeyValueServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected KeyValueServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new KeyValueServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores a value under a key, in the place of the one that is there.
     * </pre>
     */
    public dev.vademecum.v1.WriteKeyResponse writeKey(dev.vademecum.v1.WriteKeyRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getWriteKeyMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns the value of a key. A key that is not there is no error: `found` is false.
     * </pre>
     */
    public dev.vademecum.v1.ReadKeyResponse readKey(dev.vademecum.v1.ReadKeyRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getReadKeyMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the keys of a run in the order in which they were first written; a key that was deleted and written again counts from then on.
     * </pre>
     */
    public dev.vademecum.v1.ListKeysResponse listKeys(dev.vademecum.v1.ListKeysRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListKeysMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Deletes a key and its value. A key that is not there is no error: `deleted` is false.
     * </pre>
     */
    public dev.vademecum.v1.DeleteKeyResponse deleteKey(dev.vademecum.v1.DeleteKeyRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteKeyMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the keys that contain a text, in the order of ListKeys. Every key of the run is looked at.
     * </pre>
     */
    public dev.vademecum.v1.SearchKeysResponse searchKeys(dev.vademecum.v1.SearchKeysRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getSearchKeysMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service KeyValueService.
   * <pre>
   * Keeps notes of a run: values under keys, as a notebook that an agent fills in one cycle and reads in the next.
   * A run is named by its id and needs no setting up: it begins with its first key. Runs never see each other's keys; whoever knows a run's id may use it. Keys and values are any Unicode text, compared byte for byte: `Plan`, `plan` and `plan/` are three keys. Nothing is searched by meaning and nothing expires.
   * A write is acknowledged when it is durable (synced to disk). Mutations take an `idempotency_key`, as those of MemoryProvider do; its keys belong to the run. Without a deadline of the client a call ends after 30 seconds.
   * </pre>
   */
  public static final class KeyValueServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<KeyValueServiceFutureStub> {
    private KeyValueServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected KeyValueServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new KeyValueServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores a value under a key, in the place of the one that is there.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.WriteKeyResponse> writeKey(
        dev.vademecum.v1.WriteKeyRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getWriteKeyMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns the value of a key. A key that is not there is no error: `found` is false.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.ReadKeyResponse> readKey(
        dev.vademecum.v1.ReadKeyRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getReadKeyMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the keys of a run in the order in which they were first written; a key that was deleted and written again counts from then on.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.ListKeysResponse> listKeys(
        dev.vademecum.v1.ListKeysRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListKeysMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Deletes a key and its value. A key that is not there is no error: `deleted` is false.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.DeleteKeyResponse> deleteKey(
        dev.vademecum.v1.DeleteKeyRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteKeyMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the keys that contain a text, in the order of ListKeys. Every key of the run is looked at.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.SearchKeysResponse> searchKeys(
        dev.vademecum.v1.SearchKeysRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getSearchKeysMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_WRITE_KEY = 0;
  private static final int METHODID_READ_KEY = 1;
  private static final int METHODID_LIST_KEYS = 2;
  private static final int METHODID_DELETE_KEY = 3;
  private static final int METHODID_SEARCH_KEYS = 4;

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
        case METHODID_WRITE_KEY:
          serviceImpl.writeKey((dev.vademecum.v1.WriteKeyRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.WriteKeyResponse>) responseObserver);
          break;
        case METHODID_READ_KEY:
          serviceImpl.readKey((dev.vademecum.v1.ReadKeyRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.ReadKeyResponse>) responseObserver);
          break;
        case METHODID_LIST_KEYS:
          serviceImpl.listKeys((dev.vademecum.v1.ListKeysRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.ListKeysResponse>) responseObserver);
          break;
        case METHODID_DELETE_KEY:
          serviceImpl.deleteKey((dev.vademecum.v1.DeleteKeyRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteKeyResponse>) responseObserver);
          break;
        case METHODID_SEARCH_KEYS:
          serviceImpl.searchKeys((dev.vademecum.v1.SearchKeysRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.SearchKeysResponse>) responseObserver);
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
          getWriteKeyMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.WriteKeyRequest,
              dev.vademecum.v1.WriteKeyResponse>(
                service, METHODID_WRITE_KEY)))
        .addMethod(
          getReadKeyMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.ReadKeyRequest,
              dev.vademecum.v1.ReadKeyResponse>(
                service, METHODID_READ_KEY)))
        .addMethod(
          getListKeysMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.ListKeysRequest,
              dev.vademecum.v1.ListKeysResponse>(
                service, METHODID_LIST_KEYS)))
        .addMethod(
          getDeleteKeyMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.DeleteKeyRequest,
              dev.vademecum.v1.DeleteKeyResponse>(
                service, METHODID_DELETE_KEY)))
        .addMethod(
          getSearchKeysMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.SearchKeysRequest,
              dev.vademecum.v1.SearchKeysResponse>(
                service, METHODID_SEARCH_KEYS)))
        .build();
  }

  private static abstract class KeyValueServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    KeyValueServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.vademecum.v1.KeyValueServiceProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("KeyValueService");
    }
  }

  private static final class KeyValueServiceFileDescriptorSupplier
      extends KeyValueServiceBaseDescriptorSupplier {
    KeyValueServiceFileDescriptorSupplier() {}
  }

  private static final class KeyValueServiceMethodDescriptorSupplier
      extends KeyValueServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    KeyValueServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (KeyValueServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new KeyValueServiceFileDescriptorSupplier())
              .addMethod(getWriteKeyMethod())
              .addMethod(getReadKeyMethod())
              .addMethod(getListKeysMethod())
              .addMethod(getDeleteKeyMethod())
              .addMethod(getSearchKeysMethod())
              .build();
        }
      }
    }
    return result;
  }
}
