package dev.vademecum.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Gives tools a part of what an agent remembers, and takes what they learn.
 * A tool says in a manifest what it may read; QueryMemory gives it no more than that. Tools read memories and add new ones; they change none. Whatever goes wrong with one query leaves an empty result and an entry in the trace of the turn, never an error of the call, so that the tool goes on with what it got.
 * Every mutation takes an `idempotency_key`; see MemoryProvider.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class ToolServiceGrpc {

  private ToolServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "vademecum.v1.ToolService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.RegisterToolRequest,
      dev.vademecum.v1.RegisterToolResponse> getRegisterToolMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RegisterTool",
      requestType = dev.vademecum.v1.RegisterToolRequest.class,
      responseType = dev.vademecum.v1.RegisterToolResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.RegisterToolRequest,
      dev.vademecum.v1.RegisterToolResponse> getRegisterToolMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.RegisterToolRequest, dev.vademecum.v1.RegisterToolResponse> getRegisterToolMethod;
    if ((getRegisterToolMethod = ToolServiceGrpc.getRegisterToolMethod) == null) {
      synchronized (ToolServiceGrpc.class) {
        if ((getRegisterToolMethod = ToolServiceGrpc.getRegisterToolMethod) == null) {
          ToolServiceGrpc.getRegisterToolMethod = getRegisterToolMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.RegisterToolRequest, dev.vademecum.v1.RegisterToolResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RegisterTool"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.RegisterToolRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.RegisterToolResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ToolServiceMethodDescriptorSupplier("RegisterTool"))
              .build();
        }
      }
    }
    return getRegisterToolMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.ListToolsRequest,
      dev.vademecum.v1.ListToolsResponse> getListToolsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListTools",
      requestType = dev.vademecum.v1.ListToolsRequest.class,
      responseType = dev.vademecum.v1.ListToolsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.ListToolsRequest,
      dev.vademecum.v1.ListToolsResponse> getListToolsMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.ListToolsRequest, dev.vademecum.v1.ListToolsResponse> getListToolsMethod;
    if ((getListToolsMethod = ToolServiceGrpc.getListToolsMethod) == null) {
      synchronized (ToolServiceGrpc.class) {
        if ((getListToolsMethod = ToolServiceGrpc.getListToolsMethod) == null) {
          ToolServiceGrpc.getListToolsMethod = getListToolsMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.ListToolsRequest, dev.vademecum.v1.ListToolsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListTools"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ListToolsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ListToolsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ToolServiceMethodDescriptorSupplier("ListTools"))
              .build();
        }
      }
    }
    return getListToolsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteToolRequest,
      dev.vademecum.v1.DeleteToolResponse> getDeleteToolMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteTool",
      requestType = dev.vademecum.v1.DeleteToolRequest.class,
      responseType = dev.vademecum.v1.DeleteToolResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteToolRequest,
      dev.vademecum.v1.DeleteToolResponse> getDeleteToolMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteToolRequest, dev.vademecum.v1.DeleteToolResponse> getDeleteToolMethod;
    if ((getDeleteToolMethod = ToolServiceGrpc.getDeleteToolMethod) == null) {
      synchronized (ToolServiceGrpc.class) {
        if ((getDeleteToolMethod = ToolServiceGrpc.getDeleteToolMethod) == null) {
          ToolServiceGrpc.getDeleteToolMethod = getDeleteToolMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.DeleteToolRequest, dev.vademecum.v1.DeleteToolResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteTool"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.DeleteToolRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.DeleteToolResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ToolServiceMethodDescriptorSupplier("DeleteTool"))
              .build();
        }
      }
    }
    return getDeleteToolMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.QueryMemoryRequest,
      dev.vademecum.v1.QueryMemoryResponse> getQueryMemoryMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "QueryMemory",
      requestType = dev.vademecum.v1.QueryMemoryRequest.class,
      responseType = dev.vademecum.v1.QueryMemoryResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.QueryMemoryRequest,
      dev.vademecum.v1.QueryMemoryResponse> getQueryMemoryMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.QueryMemoryRequest, dev.vademecum.v1.QueryMemoryResponse> getQueryMemoryMethod;
    if ((getQueryMemoryMethod = ToolServiceGrpc.getQueryMemoryMethod) == null) {
      synchronized (ToolServiceGrpc.class) {
        if ((getQueryMemoryMethod = ToolServiceGrpc.getQueryMemoryMethod) == null) {
          ToolServiceGrpc.getQueryMemoryMethod = getQueryMemoryMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.QueryMemoryRequest, dev.vademecum.v1.QueryMemoryResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "QueryMemory"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.QueryMemoryRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.QueryMemoryResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ToolServiceMethodDescriptorSupplier("QueryMemory"))
              .build();
        }
      }
    }
    return getQueryMemoryMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.SubmitToolResponseRequest,
      dev.vademecum.v1.SubmitToolResponseResponse> getSubmitToolResponseMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "SubmitToolResponse",
      requestType = dev.vademecum.v1.SubmitToolResponseRequest.class,
      responseType = dev.vademecum.v1.SubmitToolResponseResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.SubmitToolResponseRequest,
      dev.vademecum.v1.SubmitToolResponseResponse> getSubmitToolResponseMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.SubmitToolResponseRequest, dev.vademecum.v1.SubmitToolResponseResponse> getSubmitToolResponseMethod;
    if ((getSubmitToolResponseMethod = ToolServiceGrpc.getSubmitToolResponseMethod) == null) {
      synchronized (ToolServiceGrpc.class) {
        if ((getSubmitToolResponseMethod = ToolServiceGrpc.getSubmitToolResponseMethod) == null) {
          ToolServiceGrpc.getSubmitToolResponseMethod = getSubmitToolResponseMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.SubmitToolResponseRequest, dev.vademecum.v1.SubmitToolResponseResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "SubmitToolResponse"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.SubmitToolResponseRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.SubmitToolResponseResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ToolServiceMethodDescriptorSupplier("SubmitToolResponse"))
              .build();
        }
      }
    }
    return getSubmitToolResponseMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.GetTurnTraceRequest,
      dev.vademecum.v1.GetTurnTraceResponse> getGetTurnTraceMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetTurnTrace",
      requestType = dev.vademecum.v1.GetTurnTraceRequest.class,
      responseType = dev.vademecum.v1.GetTurnTraceResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.GetTurnTraceRequest,
      dev.vademecum.v1.GetTurnTraceResponse> getGetTurnTraceMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.GetTurnTraceRequest, dev.vademecum.v1.GetTurnTraceResponse> getGetTurnTraceMethod;
    if ((getGetTurnTraceMethod = ToolServiceGrpc.getGetTurnTraceMethod) == null) {
      synchronized (ToolServiceGrpc.class) {
        if ((getGetTurnTraceMethod = ToolServiceGrpc.getGetTurnTraceMethod) == null) {
          ToolServiceGrpc.getGetTurnTraceMethod = getGetTurnTraceMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.GetTurnTraceRequest, dev.vademecum.v1.GetTurnTraceResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetTurnTrace"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.GetTurnTraceRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.GetTurnTraceResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ToolServiceMethodDescriptorSupplier("GetTurnTrace"))
              .build();
        }
      }
    }
    return getGetTurnTraceMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.GetToolDefinitionsRequest,
      dev.vademecum.v1.GetToolDefinitionsResponse> getGetToolDefinitionsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetToolDefinitions",
      requestType = dev.vademecum.v1.GetToolDefinitionsRequest.class,
      responseType = dev.vademecum.v1.GetToolDefinitionsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.GetToolDefinitionsRequest,
      dev.vademecum.v1.GetToolDefinitionsResponse> getGetToolDefinitionsMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.GetToolDefinitionsRequest, dev.vademecum.v1.GetToolDefinitionsResponse> getGetToolDefinitionsMethod;
    if ((getGetToolDefinitionsMethod = ToolServiceGrpc.getGetToolDefinitionsMethod) == null) {
      synchronized (ToolServiceGrpc.class) {
        if ((getGetToolDefinitionsMethod = ToolServiceGrpc.getGetToolDefinitionsMethod) == null) {
          ToolServiceGrpc.getGetToolDefinitionsMethod = getGetToolDefinitionsMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.GetToolDefinitionsRequest, dev.vademecum.v1.GetToolDefinitionsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetToolDefinitions"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.GetToolDefinitionsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.GetToolDefinitionsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ToolServiceMethodDescriptorSupplier("GetToolDefinitions"))
              .build();
        }
      }
    }
    return getGetToolDefinitionsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.DispatchRequest,
      dev.vademecum.v1.DispatchResponse> getDispatchMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Dispatch",
      requestType = dev.vademecum.v1.DispatchRequest.class,
      responseType = dev.vademecum.v1.DispatchResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.DispatchRequest,
      dev.vademecum.v1.DispatchResponse> getDispatchMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.DispatchRequest, dev.vademecum.v1.DispatchResponse> getDispatchMethod;
    if ((getDispatchMethod = ToolServiceGrpc.getDispatchMethod) == null) {
      synchronized (ToolServiceGrpc.class) {
        if ((getDispatchMethod = ToolServiceGrpc.getDispatchMethod) == null) {
          ToolServiceGrpc.getDispatchMethod = getDispatchMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.DispatchRequest, dev.vademecum.v1.DispatchResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Dispatch"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.DispatchRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.DispatchResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ToolServiceMethodDescriptorSupplier("Dispatch"))
              .build();
        }
      }
    }
    return getDispatchMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static ToolServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ToolServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ToolServiceStub>() {
        @java.lang.Override
        public ToolServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ToolServiceStub(channel, callOptions);
        }
      };
    return ToolServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static ToolServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ToolServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ToolServiceBlockingStub>() {
        @java.lang.Override
        public ToolServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ToolServiceBlockingStub(channel, callOptions);
        }
      };
    return ToolServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static ToolServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ToolServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ToolServiceFutureStub>() {
        @java.lang.Override
        public ToolServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ToolServiceFutureStub(channel, callOptions);
        }
      };
    return ToolServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Gives tools a part of what an agent remembers, and takes what they learn.
   * A tool says in a manifest what it may read; QueryMemory gives it no more than that. Tools read memories and add new ones; they change none. Whatever goes wrong with one query leaves an empty result and an entry in the trace of the turn, never an error of the call, so that the tool goes on with what it got.
   * Every mutation takes an `idempotency_key`; see MemoryProvider.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Stores the manifest of a version of a tool. The same manifest again changes nothing; another one for the same version takes its place. A tool has at most 100 versions; FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) beyond.
     * </pre>
     */
    default void registerTool(dev.vademecum.v1.RegisterToolRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.RegisterToolResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRegisterToolMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists manifests by tool, then version, in the order of their UTF-8 bytes, page by page.
     * </pre>
     */
    default void listTools(dev.vademecum.v1.ListToolsRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ListToolsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListToolsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Deletes a tool, or one of its versions. What is not there is no error: `deleted` is 0.
     * </pre>
     */
    default void deleteTool(dev.vademecum.v1.DeleteToolRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteToolResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteToolMethod(), responseObserver);
    }

    /**
     * <pre>
     * Answers the queries of a tool, each about one type of memories of one agent. The queries run side by side; the results come in the order of the queries, one message for each, or several for one of more than 32 memories or 64 KiB.
     * The budget is shared in the order of the queries: each gets what it asks for, as far as the request and its type have it left, and what it does not use is there for the next. So the results of the same request over the same memories are always the same.
     * A query that breaks a rule, asks for what the tool may not read, fails, or takes more than 5 seconds has an empty result; GetTurnTrace tells which it was. An unknown tool or version may read nothing. Results are kept for 5 minutes and used again as long as nothing that they were found among has changed or expired.
     * </pre>
     */
    default void queryMemory(dev.vademecum.v1.QueryMemoryRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.QueryMemoryResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getQueryMemoryMethod(), responseObserver);
    }

    /**
     * <pre>
     * Stores what a tool has learned, all of it in one atomic step, with the tool as the source. The tool needs no manifest for it.
     * </pre>
     */
    default void submitToolResponse(dev.vademecum.v1.SubmitToolResponseRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.SubmitToolResponseResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSubmitToolResponseMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams the trace of a request, or of all requests of a task, oldest entry first; nothing where there is none. Has everything of a QueryMemory whose stream has ended. Entries are kept for 30 days; the last few may be lost if the server is killed.
     * </pre>
     */
    default void getTurnTrace(dev.vademecum.v1.GetTurnTraceRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.GetTurnTraceResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetTurnTraceMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns the definitions of a toolset: functions that language models may call to use what this service keeps, in the form that chat models take.
     * </pre>
     */
    default void getToolDefinitions(dev.vademecum.v1.GetToolDefinitionsRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.GetToolDefinitionsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetToolDefinitionsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Runs a tool that a language model asked for, and returns what to tell the model. What the model did wrong (an unknown tool, wrong arguments, a key that is not there) and what the tool could not do are told in the result, with `is_error` set, never as an error of the call. The call itself fails where the host is at fault (INVALID_ARGUMENT for run_id, namespace and idempotency_key), and where it was cut short.
     * </pre>
     */
    default void dispatch(dev.vademecum.v1.DispatchRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.DispatchResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDispatchMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service ToolService.
   * <pre>
   * Gives tools a part of what an agent remembers, and takes what they learn.
   * A tool says in a manifest what it may read; QueryMemory gives it no more than that. Tools read memories and add new ones; they change none. Whatever goes wrong with one query leaves an empty result and an entry in the trace of the turn, never an error of the call, so that the tool goes on with what it got.
   * Every mutation takes an `idempotency_key`; see MemoryProvider.
   * </pre>
   */
  public static abstract class ToolServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return ToolServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service ToolService.
   * <pre>
   * Gives tools a part of what an agent remembers, and takes what they learn.
   * A tool says in a manifest what it may read; QueryMemory gives it no more than that. Tools read memories and add new ones; they change none. Whatever goes wrong with one query leaves an empty result and an entry in the trace of the turn, never an error of the call, so that the tool goes on with what it got.
   * Every mutation takes an `idempotency_key`; see MemoryProvider.
   * </pre>
   */
  public static final class ToolServiceStub
      extends io.grpc.stub.AbstractAsyncStub<ToolServiceStub> {
    private ToolServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ToolServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ToolServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores the manifest of a version of a tool. The same manifest again changes nothing; another one for the same version takes its place. A tool has at most 100 versions; FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) beyond.
     * </pre>
     */
    public void registerTool(dev.vademecum.v1.RegisterToolRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.RegisterToolResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRegisterToolMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists manifests by tool, then version, in the order of their UTF-8 bytes, page by page.
     * </pre>
     */
    public void listTools(dev.vademecum.v1.ListToolsRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ListToolsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListToolsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Deletes a tool, or one of its versions. What is not there is no error: `deleted` is 0.
     * </pre>
     */
    public void deleteTool(dev.vademecum.v1.DeleteToolRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteToolResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteToolMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Answers the queries of a tool, each about one type of memories of one agent. The queries run side by side; the results come in the order of the queries, one message for each, or several for one of more than 32 memories or 64 KiB.
     * The budget is shared in the order of the queries: each gets what it asks for, as far as the request and its type have it left, and what it does not use is there for the next. So the results of the same request over the same memories are always the same.
     * A query that breaks a rule, asks for what the tool may not read, fails, or takes more than 5 seconds has an empty result; GetTurnTrace tells which it was. An unknown tool or version may read nothing. Results are kept for 5 minutes and used again as long as nothing that they were found among has changed or expired.
     * </pre>
     */
    public void queryMemory(dev.vademecum.v1.QueryMemoryRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.QueryMemoryResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getQueryMemoryMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Stores what a tool has learned, all of it in one atomic step, with the tool as the source. The tool needs no manifest for it.
     * </pre>
     */
    public void submitToolResponse(dev.vademecum.v1.SubmitToolResponseRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.SubmitToolResponseResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getSubmitToolResponseMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Streams the trace of a request, or of all requests of a task, oldest entry first; nothing where there is none. Has everything of a QueryMemory whose stream has ended. Entries are kept for 30 days; the last few may be lost if the server is killed.
     * </pre>
     */
    public void getTurnTrace(dev.vademecum.v1.GetTurnTraceRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.GetTurnTraceResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getGetTurnTraceMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns the definitions of a toolset: functions that language models may call to use what this service keeps, in the form that chat models take.
     * </pre>
     */
    public void getToolDefinitions(dev.vademecum.v1.GetToolDefinitionsRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.GetToolDefinitionsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetToolDefinitionsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Runs a tool that a language model asked for, and returns what to tell the model. What the model did wrong (an unknown tool, wrong arguments, a key that is not there) and what the tool could not do are told in the result, with `is_error` set, never as an error of the call. The call itself fails where the host is at fault (INVALID_ARGUMENT for run_id, namespace and idempotency_key), and where it was cut short.
     * </pre>
     */
    public void dispatch(dev.vademecum.v1.DispatchRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.DispatchResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDispatchMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service ToolService.
   * <pre>
   * Gives tools a part of what an agent remembers, and takes what they learn.
   * A tool says in a manifest what it may read; QueryMemory gives it no more than that. Tools read memories and add new ones; they change none. Whatever goes wrong with one query leaves an empty result and an entry in the trace of the turn, never an error of the call, so that the tool goes on with what it got.
   * Every mutation takes an `idempotency_key`; see MemoryProvider.
   * </pre>
   */
  public static final class ToolServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<ToolServiceBlockingStub> {
    private ToolServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ToolServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ToolServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores the manifest of a version of a tool. The same manifest again changes nothing; another one for the same version takes its place. A tool has at most 100 versions; FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) beyond.
     * </pre>
     */
    public dev.vademecum.v1.RegisterToolResponse registerTool(dev.vademecum.v1.RegisterToolRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRegisterToolMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists manifests by tool, then version, in the order of their UTF-8 bytes, page by page.
     * </pre>
     */
    public dev.vademecum.v1.ListToolsResponse listTools(dev.vademecum.v1.ListToolsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListToolsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Deletes a tool, or one of its versions. What is not there is no error: `deleted` is 0.
     * </pre>
     */
    public dev.vademecum.v1.DeleteToolResponse deleteTool(dev.vademecum.v1.DeleteToolRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteToolMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Answers the queries of a tool, each about one type of memories of one agent. The queries run side by side; the results come in the order of the queries, one message for each, or several for one of more than 32 memories or 64 KiB.
     * The budget is shared in the order of the queries: each gets what it asks for, as far as the request and its type have it left, and what it does not use is there for the next. So the results of the same request over the same memories are always the same.
     * A query that breaks a rule, asks for what the tool may not read, fails, or takes more than 5 seconds has an empty result; GetTurnTrace tells which it was. An unknown tool or version may read nothing. Results are kept for 5 minutes and used again as long as nothing that they were found among has changed or expired.
     * </pre>
     */
    public java.util.Iterator<dev.vademecum.v1.QueryMemoryResponse> queryMemory(
        dev.vademecum.v1.QueryMemoryRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getQueryMemoryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stores what a tool has learned, all of it in one atomic step, with the tool as the source. The tool needs no manifest for it.
     * </pre>
     */
    public dev.vademecum.v1.SubmitToolResponseResponse submitToolResponse(dev.vademecum.v1.SubmitToolResponseRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getSubmitToolResponseMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams the trace of a request, or of all requests of a task, oldest entry first; nothing where there is none. Has everything of a QueryMemory whose stream has ended. Entries are kept for 30 days; the last few may be lost if the server is killed.
     * </pre>
     */
    public java.util.Iterator<dev.vademecum.v1.GetTurnTraceResponse> getTurnTrace(
        dev.vademecum.v1.GetTurnTraceRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getGetTurnTraceMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns the definitions of a toolset: functions that language models may call to use what this service keeps, in the form that chat models take.
     * </pre>
     */
    public dev.vademecum.v1.GetToolDefinitionsResponse getToolDefinitions(dev.vademecum.v1.GetToolDefinitionsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetToolDefinitionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Runs a tool that a language model asked for, and returns what to tell the model. What the model did wrong (an unknown tool, wrong arguments, a key that is not there) and what the tool could not do are told in the result, with `is_error` set, never as an error of the call. The call itself fails where the host is at fault (INVALID_ARGUMENT for run_id, namespace and idempotency_key), and where it was cut short.
     * </pre>
     */
    public dev.vademecum.v1.DispatchResponse dispatch(dev.vademecum.v1.DispatchRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDispatchMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service ToolService.
   * <pre>
   * Gives tools a part of what an agent remembers, and takes what they learn.
   * A tool says in a manifest what it may read; QueryMemory gives it no more than that. Tools read memories and add new ones; they change none. Whatever goes wrong with one query leaves an empty result and an entry in the trace of the turn, never an error of the call, so that the tool goes on with what it got.
   * Every mutation takes an `idempotency_key`; see MemoryProvider.
   * </pre>
   */
  public static final class ToolServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<ToolServiceFutureStub> {
    private ToolServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ToolServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ToolServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores the manifest of a version of a tool. The same manifest again changes nothing; another one for the same version takes its place. A tool has at most 100 versions; FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) beyond.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.RegisterToolResponse> registerTool(
        dev.vademecum.v1.RegisterToolRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRegisterToolMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists manifests by tool, then version, in the order of their UTF-8 bytes, page by page.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.ListToolsResponse> listTools(
        dev.vademecum.v1.ListToolsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListToolsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Deletes a tool, or one of its versions. What is not there is no error: `deleted` is 0.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.DeleteToolResponse> deleteTool(
        dev.vademecum.v1.DeleteToolRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteToolMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Stores what a tool has learned, all of it in one atomic step, with the tool as the source. The tool needs no manifest for it.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.SubmitToolResponseResponse> submitToolResponse(
        dev.vademecum.v1.SubmitToolResponseRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getSubmitToolResponseMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns the definitions of a toolset: functions that language models may call to use what this service keeps, in the form that chat models take.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.GetToolDefinitionsResponse> getToolDefinitions(
        dev.vademecum.v1.GetToolDefinitionsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetToolDefinitionsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Runs a tool that a language model asked for, and returns what to tell the model. What the model did wrong (an unknown tool, wrong arguments, a key that is not there) and what the tool could not do are told in the result, with `is_error` set, never as an error of the call. The call itself fails where the host is at fault (INVALID_ARGUMENT for run_id, namespace and idempotency_key), and where it was cut short.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.DispatchResponse> dispatch(
        dev.vademecum.v1.DispatchRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDispatchMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_REGISTER_TOOL = 0;
  private static final int METHODID_LIST_TOOLS = 1;
  private static final int METHODID_DELETE_TOOL = 2;
  private static final int METHODID_QUERY_MEMORY = 3;
  private static final int METHODID_SUBMIT_TOOL_RESPONSE = 4;
  private static final int METHODID_GET_TURN_TRACE = 5;
  private static final int METHODID_GET_TOOL_DEFINITIONS = 6;
  private static final int METHODID_DISPATCH = 7;

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
        case METHODID_REGISTER_TOOL:
          serviceImpl.registerTool((dev.vademecum.v1.RegisterToolRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.RegisterToolResponse>) responseObserver);
          break;
        case METHODID_LIST_TOOLS:
          serviceImpl.listTools((dev.vademecum.v1.ListToolsRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.ListToolsResponse>) responseObserver);
          break;
        case METHODID_DELETE_TOOL:
          serviceImpl.deleteTool((dev.vademecum.v1.DeleteToolRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteToolResponse>) responseObserver);
          break;
        case METHODID_QUERY_MEMORY:
          serviceImpl.queryMemory((dev.vademecum.v1.QueryMemoryRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.QueryMemoryResponse>) responseObserver);
          break;
        case METHODID_SUBMIT_TOOL_RESPONSE:
          serviceImpl.submitToolResponse((dev.vademecum.v1.SubmitToolResponseRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.SubmitToolResponseResponse>) responseObserver);
          break;
        case METHODID_GET_TURN_TRACE:
          serviceImpl.getTurnTrace((dev.vademecum.v1.GetTurnTraceRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.GetTurnTraceResponse>) responseObserver);
          break;
        case METHODID_GET_TOOL_DEFINITIONS:
          serviceImpl.getToolDefinitions((dev.vademecum.v1.GetToolDefinitionsRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.GetToolDefinitionsResponse>) responseObserver);
          break;
        case METHODID_DISPATCH:
          serviceImpl.dispatch((dev.vademecum.v1.DispatchRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.DispatchResponse>) responseObserver);
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
          getRegisterToolMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.RegisterToolRequest,
              dev.vademecum.v1.RegisterToolResponse>(
                service, METHODID_REGISTER_TOOL)))
        .addMethod(
          getListToolsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.ListToolsRequest,
              dev.vademecum.v1.ListToolsResponse>(
                service, METHODID_LIST_TOOLS)))
        .addMethod(
          getDeleteToolMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.DeleteToolRequest,
              dev.vademecum.v1.DeleteToolResponse>(
                service, METHODID_DELETE_TOOL)))
        .addMethod(
          getQueryMemoryMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.vademecum.v1.QueryMemoryRequest,
              dev.vademecum.v1.QueryMemoryResponse>(
                service, METHODID_QUERY_MEMORY)))
        .addMethod(
          getSubmitToolResponseMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.SubmitToolResponseRequest,
              dev.vademecum.v1.SubmitToolResponseResponse>(
                service, METHODID_SUBMIT_TOOL_RESPONSE)))
        .addMethod(
          getGetTurnTraceMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.vademecum.v1.GetTurnTraceRequest,
              dev.vademecum.v1.GetTurnTraceResponse>(
                service, METHODID_GET_TURN_TRACE)))
        .addMethod(
          getGetToolDefinitionsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.GetToolDefinitionsRequest,
              dev.vademecum.v1.GetToolDefinitionsResponse>(
                service, METHODID_GET_TOOL_DEFINITIONS)))
        .addMethod(
          getDispatchMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.DispatchRequest,
              dev.vademecum.v1.DispatchResponse>(
                service, METHODID_DISPATCH)))
        .build();
  }

  private static abstract class ToolServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    ToolServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.vademecum.v1.ToolServiceProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("ToolService");
    }
  }

  private static final class ToolServiceFileDescriptorSupplier
      extends ToolServiceBaseDescriptorSupplier {
    ToolServiceFileDescriptorSupplier() {}
  }

  private static final class ToolServiceMethodDescriptorSupplier
      extends ToolServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    ToolServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (ToolServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new ToolServiceFileDescriptorSupplier())
              .addMethod(getRegisterToolMethod())
              .addMethod(getListToolsMethod())
              .addMethod(getDeleteToolMethod())
              .addMethod(getQueryMemoryMethod())
              .addMethod(getSubmitToolResponseMethod())
              .addMethod(getGetTurnTraceMethod())
              .addMethod(getGetToolDefinitionsMethod())
              .addMethod(getDispatchMethod())
              .build();
        }
      }
    }
    return result;
  }
}
