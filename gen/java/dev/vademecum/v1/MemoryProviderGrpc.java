package dev.vademecum.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Keeps memories and finds them again.
 * A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`: for 24 hours a repeated call with the same key and the same body gets the first call's reply and changes nothing; the same key with another body is INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).
 * Without a deadline of the client a call ends after 30 seconds. A message has at most 4 MiB.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class MemoryProviderGrpc {

  private MemoryProviderGrpc() {}

  public static final java.lang.String SERVICE_NAME = "vademecum.v1.MemoryProvider";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.AddRequest,
      dev.vademecum.v1.AddResponse> getAddMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Add",
      requestType = dev.vademecum.v1.AddRequest.class,
      responseType = dev.vademecum.v1.AddResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.AddRequest,
      dev.vademecum.v1.AddResponse> getAddMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.AddRequest, dev.vademecum.v1.AddResponse> getAddMethod;
    if ((getAddMethod = MemoryProviderGrpc.getAddMethod) == null) {
      synchronized (MemoryProviderGrpc.class) {
        if ((getAddMethod = MemoryProviderGrpc.getAddMethod) == null) {
          MemoryProviderGrpc.getAddMethod = getAddMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.AddRequest, dev.vademecum.v1.AddResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Add"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.AddRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.AddResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryProviderMethodDescriptorSupplier("Add"))
              .build();
        }
      }
    }
    return getAddMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.AddTraceRequest,
      dev.vademecum.v1.AddTraceResponse> getAddTraceMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "AddTrace",
      requestType = dev.vademecum.v1.AddTraceRequest.class,
      responseType = dev.vademecum.v1.AddTraceResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.AddTraceRequest,
      dev.vademecum.v1.AddTraceResponse> getAddTraceMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.AddTraceRequest, dev.vademecum.v1.AddTraceResponse> getAddTraceMethod;
    if ((getAddTraceMethod = MemoryProviderGrpc.getAddTraceMethod) == null) {
      synchronized (MemoryProviderGrpc.class) {
        if ((getAddTraceMethod = MemoryProviderGrpc.getAddTraceMethod) == null) {
          MemoryProviderGrpc.getAddTraceMethod = getAddTraceMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.AddTraceRequest, dev.vademecum.v1.AddTraceResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "AddTrace"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.AddTraceRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.AddTraceResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryProviderMethodDescriptorSupplier("AddTrace"))
              .build();
        }
      }
    }
    return getAddTraceMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.AddBatchRequest,
      dev.vademecum.v1.AddBatchResponse> getAddBatchMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "AddBatch",
      requestType = dev.vademecum.v1.AddBatchRequest.class,
      responseType = dev.vademecum.v1.AddBatchResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.AddBatchRequest,
      dev.vademecum.v1.AddBatchResponse> getAddBatchMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.AddBatchRequest, dev.vademecum.v1.AddBatchResponse> getAddBatchMethod;
    if ((getAddBatchMethod = MemoryProviderGrpc.getAddBatchMethod) == null) {
      synchronized (MemoryProviderGrpc.class) {
        if ((getAddBatchMethod = MemoryProviderGrpc.getAddBatchMethod) == null) {
          MemoryProviderGrpc.getAddBatchMethod = getAddBatchMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.AddBatchRequest, dev.vademecum.v1.AddBatchResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "AddBatch"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.AddBatchRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.AddBatchResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryProviderMethodDescriptorSupplier("AddBatch"))
              .build();
        }
      }
    }
    return getAddBatchMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.SearchRequest,
      dev.vademecum.v1.SearchResponse> getSearchMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Search",
      requestType = dev.vademecum.v1.SearchRequest.class,
      responseType = dev.vademecum.v1.SearchResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.SearchRequest,
      dev.vademecum.v1.SearchResponse> getSearchMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.SearchRequest, dev.vademecum.v1.SearchResponse> getSearchMethod;
    if ((getSearchMethod = MemoryProviderGrpc.getSearchMethod) == null) {
      synchronized (MemoryProviderGrpc.class) {
        if ((getSearchMethod = MemoryProviderGrpc.getSearchMethod) == null) {
          MemoryProviderGrpc.getSearchMethod = getSearchMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.SearchRequest, dev.vademecum.v1.SearchResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Search"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.SearchRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.SearchResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryProviderMethodDescriptorSupplier("Search"))
              .build();
        }
      }
    }
    return getSearchMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.RecallRequest,
      dev.vademecum.v1.RecallResponse> getRecallMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Recall",
      requestType = dev.vademecum.v1.RecallRequest.class,
      responseType = dev.vademecum.v1.RecallResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.RecallRequest,
      dev.vademecum.v1.RecallResponse> getRecallMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.RecallRequest, dev.vademecum.v1.RecallResponse> getRecallMethod;
    if ((getRecallMethod = MemoryProviderGrpc.getRecallMethod) == null) {
      synchronized (MemoryProviderGrpc.class) {
        if ((getRecallMethod = MemoryProviderGrpc.getRecallMethod) == null) {
          MemoryProviderGrpc.getRecallMethod = getRecallMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.RecallRequest, dev.vademecum.v1.RecallResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Recall"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.RecallRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.RecallResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryProviderMethodDescriptorSupplier("Recall"))
              .build();
        }
      }
    }
    return getRecallMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.GetAllRequest,
      dev.vademecum.v1.GetAllResponse> getGetAllMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetAll",
      requestType = dev.vademecum.v1.GetAllRequest.class,
      responseType = dev.vademecum.v1.GetAllResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.GetAllRequest,
      dev.vademecum.v1.GetAllResponse> getGetAllMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.GetAllRequest, dev.vademecum.v1.GetAllResponse> getGetAllMethod;
    if ((getGetAllMethod = MemoryProviderGrpc.getGetAllMethod) == null) {
      synchronized (MemoryProviderGrpc.class) {
        if ((getGetAllMethod = MemoryProviderGrpc.getGetAllMethod) == null) {
          MemoryProviderGrpc.getGetAllMethod = getGetAllMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.GetAllRequest, dev.vademecum.v1.GetAllResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetAll"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.GetAllRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.GetAllResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryProviderMethodDescriptorSupplier("GetAll"))
              .build();
        }
      }
    }
    return getGetAllMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.GetRequest,
      dev.vademecum.v1.GetResponse> getGetMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Get",
      requestType = dev.vademecum.v1.GetRequest.class,
      responseType = dev.vademecum.v1.GetResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.GetRequest,
      dev.vademecum.v1.GetResponse> getGetMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.GetRequest, dev.vademecum.v1.GetResponse> getGetMethod;
    if ((getGetMethod = MemoryProviderGrpc.getGetMethod) == null) {
      synchronized (MemoryProviderGrpc.class) {
        if ((getGetMethod = MemoryProviderGrpc.getGetMethod) == null) {
          MemoryProviderGrpc.getGetMethod = getGetMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.GetRequest, dev.vademecum.v1.GetResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Get"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.GetRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.GetResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryProviderMethodDescriptorSupplier("Get"))
              .build();
        }
      }
    }
    return getGetMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.UpdateRequest,
      dev.vademecum.v1.UpdateResponse> getUpdateMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Update",
      requestType = dev.vademecum.v1.UpdateRequest.class,
      responseType = dev.vademecum.v1.UpdateResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.UpdateRequest,
      dev.vademecum.v1.UpdateResponse> getUpdateMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.UpdateRequest, dev.vademecum.v1.UpdateResponse> getUpdateMethod;
    if ((getUpdateMethod = MemoryProviderGrpc.getUpdateMethod) == null) {
      synchronized (MemoryProviderGrpc.class) {
        if ((getUpdateMethod = MemoryProviderGrpc.getUpdateMethod) == null) {
          MemoryProviderGrpc.getUpdateMethod = getUpdateMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.UpdateRequest, dev.vademecum.v1.UpdateResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Update"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.UpdateRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.UpdateResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryProviderMethodDescriptorSupplier("Update"))
              .build();
        }
      }
    }
    return getUpdateMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteRequest,
      dev.vademecum.v1.DeleteResponse> getDeleteMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Delete",
      requestType = dev.vademecum.v1.DeleteRequest.class,
      responseType = dev.vademecum.v1.DeleteResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteRequest,
      dev.vademecum.v1.DeleteResponse> getDeleteMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteRequest, dev.vademecum.v1.DeleteResponse> getDeleteMethod;
    if ((getDeleteMethod = MemoryProviderGrpc.getDeleteMethod) == null) {
      synchronized (MemoryProviderGrpc.class) {
        if ((getDeleteMethod = MemoryProviderGrpc.getDeleteMethod) == null) {
          MemoryProviderGrpc.getDeleteMethod = getDeleteMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.DeleteRequest, dev.vademecum.v1.DeleteResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Delete"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.DeleteRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.DeleteResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryProviderMethodDescriptorSupplier("Delete"))
              .build();
        }
      }
    }
    return getDeleteMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteWhereRequest,
      dev.vademecum.v1.DeleteWhereResponse> getDeleteWhereMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteWhere",
      requestType = dev.vademecum.v1.DeleteWhereRequest.class,
      responseType = dev.vademecum.v1.DeleteWhereResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteWhereRequest,
      dev.vademecum.v1.DeleteWhereResponse> getDeleteWhereMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.DeleteWhereRequest, dev.vademecum.v1.DeleteWhereResponse> getDeleteWhereMethod;
    if ((getDeleteWhereMethod = MemoryProviderGrpc.getDeleteWhereMethod) == null) {
      synchronized (MemoryProviderGrpc.class) {
        if ((getDeleteWhereMethod = MemoryProviderGrpc.getDeleteWhereMethod) == null) {
          MemoryProviderGrpc.getDeleteWhereMethod = getDeleteWhereMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.DeleteWhereRequest, dev.vademecum.v1.DeleteWhereResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteWhere"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.DeleteWhereRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.DeleteWhereResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryProviderMethodDescriptorSupplier("DeleteWhere"))
              .build();
        }
      }
    }
    return getDeleteWhereMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.ResetRequest,
      dev.vademecum.v1.ResetResponse> getResetMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Reset",
      requestType = dev.vademecum.v1.ResetRequest.class,
      responseType = dev.vademecum.v1.ResetResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.ResetRequest,
      dev.vademecum.v1.ResetResponse> getResetMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.ResetRequest, dev.vademecum.v1.ResetResponse> getResetMethod;
    if ((getResetMethod = MemoryProviderGrpc.getResetMethod) == null) {
      synchronized (MemoryProviderGrpc.class) {
        if ((getResetMethod = MemoryProviderGrpc.getResetMethod) == null) {
          MemoryProviderGrpc.getResetMethod = getResetMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.ResetRequest, dev.vademecum.v1.ResetResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Reset"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ResetRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ResetResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryProviderMethodDescriptorSupplier("Reset"))
              .build();
        }
      }
    }
    return getResetMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.ProposeEditRequest,
      dev.vademecum.v1.ProposeEditResponse> getProposeEditMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ProposeEdit",
      requestType = dev.vademecum.v1.ProposeEditRequest.class,
      responseType = dev.vademecum.v1.ProposeEditResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.ProposeEditRequest,
      dev.vademecum.v1.ProposeEditResponse> getProposeEditMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.ProposeEditRequest, dev.vademecum.v1.ProposeEditResponse> getProposeEditMethod;
    if ((getProposeEditMethod = MemoryProviderGrpc.getProposeEditMethod) == null) {
      synchronized (MemoryProviderGrpc.class) {
        if ((getProposeEditMethod = MemoryProviderGrpc.getProposeEditMethod) == null) {
          MemoryProviderGrpc.getProposeEditMethod = getProposeEditMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.ProposeEditRequest, dev.vademecum.v1.ProposeEditResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ProposeEdit"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ProposeEditRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ProposeEditResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryProviderMethodDescriptorSupplier("ProposeEdit"))
              .build();
        }
      }
    }
    return getProposeEditMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.vademecum.v1.ExplainRequest,
      dev.vademecum.v1.ExplainResponse> getExplainMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Explain",
      requestType = dev.vademecum.v1.ExplainRequest.class,
      responseType = dev.vademecum.v1.ExplainResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.vademecum.v1.ExplainRequest,
      dev.vademecum.v1.ExplainResponse> getExplainMethod() {
    io.grpc.MethodDescriptor<dev.vademecum.v1.ExplainRequest, dev.vademecum.v1.ExplainResponse> getExplainMethod;
    if ((getExplainMethod = MemoryProviderGrpc.getExplainMethod) == null) {
      synchronized (MemoryProviderGrpc.class) {
        if ((getExplainMethod = MemoryProviderGrpc.getExplainMethod) == null) {
          MemoryProviderGrpc.getExplainMethod = getExplainMethod =
              io.grpc.MethodDescriptor.<dev.vademecum.v1.ExplainRequest, dev.vademecum.v1.ExplainResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Explain"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ExplainRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.vademecum.v1.ExplainResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryProviderMethodDescriptorSupplier("Explain"))
              .build();
        }
      }
    }
    return getExplainMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static MemoryProviderStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<MemoryProviderStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<MemoryProviderStub>() {
        @java.lang.Override
        public MemoryProviderStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new MemoryProviderStub(channel, callOptions);
        }
      };
    return MemoryProviderStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static MemoryProviderBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<MemoryProviderBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<MemoryProviderBlockingStub>() {
        @java.lang.Override
        public MemoryProviderBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new MemoryProviderBlockingStub(channel, callOptions);
        }
      };
    return MemoryProviderBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static MemoryProviderFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<MemoryProviderFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<MemoryProviderFutureStub>() {
        @java.lang.Override
        public MemoryProviderFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new MemoryProviderFutureStub(channel, callOptions);
        }
      };
    return MemoryProviderFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Keeps memories and finds them again.
   * A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`: for 24 hours a repeated call with the same key and the same body gets the first call's reply and changes nothing; the same key with another body is INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).
   * Without a deadline of the client a call ends after 30 seconds. A message has at most 4 MiB.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Stores one memory. The text is kept exactly as given; no model is called.
     * </pre>
     */
    default void add(dev.vademecum.v1.AddRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.AddResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getAddMethod(), responseObserver);
    }

    /**
     * <pre>
     * Stores the trace of a workflow run as a memory of type MEMORY_TYPE_TRACE and kind `trace`, with the content `[trace] workflow=&lt;workflow_id&gt; agent=&lt;agent_id&gt; data=&lt;trace_data as JSON, keys sorted&gt;`.
     * </pre>
     */
    default void addTrace(dev.vademecum.v1.AddTraceRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.AddTraceResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getAddTraceMethod(), responseObserver);
    }

    /**
     * <pre>
     * Stores many memories over one stream. Each request gets exactly one response, in order, with its id or its own error; one bad item does not stop the others.
     * </pre>
     */
    default io.grpc.stub.StreamObserver<dev.vademecum.v1.AddBatchRequest> addBatch(
        io.grpc.stub.StreamObserver<dev.vademecum.v1.AddBatchResponse> responseObserver) {
      return io.grpc.stub.ServerCalls.asyncUnimplementedStreamingCall(getAddBatchMethod(), responseObserver);
    }

    /**
     * <pre>
     * Finds memories and streams them, best first and packed to the token budget. Each message holds up to 32 hits or 64 KiB; the last one carries the summary, and is the only one for a small result.
     * </pre>
     */
    default void search(dev.vademecum.v1.SearchRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.SearchResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSearchMethod(), responseObserver);
    }

    /**
     * <pre>
     * Search in one reply, with a text that can go into a prompt as it is.
     * </pre>
     */
    default void recall(dev.vademecum.v1.RecallRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.RecallResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRecallMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists memories, newest first, page by page.
     * </pre>
     */
    default void getAll(dev.vademecum.v1.GetAllRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.GetAllResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetAllMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns one memory. NOT_FOUND if there is no such memory in the namespace.
     * </pre>
     */
    default void get(dev.vademecum.v1.GetRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.GetResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetMethod(), responseObserver);
    }

    /**
     * <pre>
     * Changes fields of one memory. NOT_FOUND if there is no such memory in the namespace; ABORTED if expected_version is given and is not the memory's.
     * </pre>
     */
    default void update(dev.vademecum.v1.UpdateRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.UpdateResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getUpdateMethod(), responseObserver);
    }

    /**
     * <pre>
     * Deletes one memory. An id that is not in the namespace is no error: `deleted` is false.
     * </pre>
     */
    default void delete(dev.vademecum.v1.DeleteRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteMethod(), responseObserver);
    }

    /**
     * <pre>
     * Deletes all memories that pass a filter, superseded and expired ones included, in one atomic step.
     * </pre>
     */
    default void deleteWhere(dev.vademecum.v1.DeleteWhereRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteWhereResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteWhereMethod(), responseObserver);
    }

    /**
     * <pre>
     * Empties a namespace, or all of the server where it was started with --allow-reset (else PERMISSION_DENIED).
     * </pre>
     */
    default void reset(dev.vademecum.v1.ResetRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ResetResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getResetMethod(), responseObserver);
    }

    /**
     * <pre>
     * Asks a person to approve an edit of a block or memory, by literal replacement: nothing changes until it is approved (ProposalService). The message of an error is meant for the agent, to correct its call by.
     * INVALID_ARGUMENT if old_string and new_string are equal, old_string is empty or there is no reasoning, in this order; then NOT_FOUND (BLOCK_NOT_FOUND, MEMORY_NOT_FOUND) if there is no such target, FAILED_PRECONDITION if old_string does not occur in it (OLD_STRING_NOT_FOUND), or several times without replace_all (OLD_STRING_AMBIGUOUS), or if the edit would make it too large, or a memory empty (EDIT_RESULT_REFUSED).
     * </pre>
     */
    default void proposeEdit(dev.vademecum.v1.ProposeEditRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ProposeEditResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getProposeEditMethod(), responseObserver);
    }

    /**
     * <pre>
     * Tells why a memory is, or is not, among the hits of a search: follows it stage by stage. NOT_FOUND if there is no such memory in the namespace. Compares all vectors, also where Search walks a graph (SEARCH_INDEX_GRAPH): there Search may miss a memory far from the query that Explain ranks, and ranks may differ. Costs several searches.
     * </pre>
     */
    default void explain(dev.vademecum.v1.ExplainRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ExplainResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getExplainMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service MemoryProvider.
   * <pre>
   * Keeps memories and finds them again.
   * A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`: for 24 hours a repeated call with the same key and the same body gets the first call's reply and changes nothing; the same key with another body is INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).
   * Without a deadline of the client a call ends after 30 seconds. A message has at most 4 MiB.
   * </pre>
   */
  public static abstract class MemoryProviderImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return MemoryProviderGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service MemoryProvider.
   * <pre>
   * Keeps memories and finds them again.
   * A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`: for 24 hours a repeated call with the same key and the same body gets the first call's reply and changes nothing; the same key with another body is INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).
   * Without a deadline of the client a call ends after 30 seconds. A message has at most 4 MiB.
   * </pre>
   */
  public static final class MemoryProviderStub
      extends io.grpc.stub.AbstractAsyncStub<MemoryProviderStub> {
    private MemoryProviderStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected MemoryProviderStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new MemoryProviderStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores one memory. The text is kept exactly as given; no model is called.
     * </pre>
     */
    public void add(dev.vademecum.v1.AddRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.AddResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getAddMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Stores the trace of a workflow run as a memory of type MEMORY_TYPE_TRACE and kind `trace`, with the content `[trace] workflow=&lt;workflow_id&gt; agent=&lt;agent_id&gt; data=&lt;trace_data as JSON, keys sorted&gt;`.
     * </pre>
     */
    public void addTrace(dev.vademecum.v1.AddTraceRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.AddTraceResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getAddTraceMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Stores many memories over one stream. Each request gets exactly one response, in order, with its id or its own error; one bad item does not stop the others.
     * </pre>
     */
    public io.grpc.stub.StreamObserver<dev.vademecum.v1.AddBatchRequest> addBatch(
        io.grpc.stub.StreamObserver<dev.vademecum.v1.AddBatchResponse> responseObserver) {
      return io.grpc.stub.ClientCalls.asyncBidiStreamingCall(
          getChannel().newCall(getAddBatchMethod(), getCallOptions()), responseObserver);
    }

    /**
     * <pre>
     * Finds memories and streams them, best first and packed to the token budget. Each message holds up to 32 hits or 64 KiB; the last one carries the summary, and is the only one for a small result.
     * </pre>
     */
    public void search(dev.vademecum.v1.SearchRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.SearchResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getSearchMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Search in one reply, with a text that can go into a prompt as it is.
     * </pre>
     */
    public void recall(dev.vademecum.v1.RecallRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.RecallResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRecallMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists memories, newest first, page by page.
     * </pre>
     */
    public void getAll(dev.vademecum.v1.GetAllRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.GetAllResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetAllMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns one memory. NOT_FOUND if there is no such memory in the namespace.
     * </pre>
     */
    public void get(dev.vademecum.v1.GetRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.GetResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Changes fields of one memory. NOT_FOUND if there is no such memory in the namespace; ABORTED if expected_version is given and is not the memory's.
     * </pre>
     */
    public void update(dev.vademecum.v1.UpdateRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.UpdateResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getUpdateMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Deletes one memory. An id that is not in the namespace is no error: `deleted` is false.
     * </pre>
     */
    public void delete(dev.vademecum.v1.DeleteRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Deletes all memories that pass a filter, superseded and expired ones included, in one atomic step.
     * </pre>
     */
    public void deleteWhere(dev.vademecum.v1.DeleteWhereRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteWhereResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteWhereMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Empties a namespace, or all of the server where it was started with --allow-reset (else PERMISSION_DENIED).
     * </pre>
     */
    public void reset(dev.vademecum.v1.ResetRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ResetResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getResetMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Asks a person to approve an edit of a block or memory, by literal replacement: nothing changes until it is approved (ProposalService). The message of an error is meant for the agent, to correct its call by.
     * INVALID_ARGUMENT if old_string and new_string are equal, old_string is empty or there is no reasoning, in this order; then NOT_FOUND (BLOCK_NOT_FOUND, MEMORY_NOT_FOUND) if there is no such target, FAILED_PRECONDITION if old_string does not occur in it (OLD_STRING_NOT_FOUND), or several times without replace_all (OLD_STRING_AMBIGUOUS), or if the edit would make it too large, or a memory empty (EDIT_RESULT_REFUSED).
     * </pre>
     */
    public void proposeEdit(dev.vademecum.v1.ProposeEditRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ProposeEditResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getProposeEditMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Tells why a memory is, or is not, among the hits of a search: follows it stage by stage. NOT_FOUND if there is no such memory in the namespace. Compares all vectors, also where Search walks a graph (SEARCH_INDEX_GRAPH): there Search may miss a memory far from the query that Explain ranks, and ranks may differ. Costs several searches.
     * </pre>
     */
    public void explain(dev.vademecum.v1.ExplainRequest request,
        io.grpc.stub.StreamObserver<dev.vademecum.v1.ExplainResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getExplainMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service MemoryProvider.
   * <pre>
   * Keeps memories and finds them again.
   * A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`: for 24 hours a repeated call with the same key and the same body gets the first call's reply and changes nothing; the same key with another body is INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).
   * Without a deadline of the client a call ends after 30 seconds. A message has at most 4 MiB.
   * </pre>
   */
  public static final class MemoryProviderBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<MemoryProviderBlockingStub> {
    private MemoryProviderBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected MemoryProviderBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new MemoryProviderBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores one memory. The text is kept exactly as given; no model is called.
     * </pre>
     */
    public dev.vademecum.v1.AddResponse add(dev.vademecum.v1.AddRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getAddMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stores the trace of a workflow run as a memory of type MEMORY_TYPE_TRACE and kind `trace`, with the content `[trace] workflow=&lt;workflow_id&gt; agent=&lt;agent_id&gt; data=&lt;trace_data as JSON, keys sorted&gt;`.
     * </pre>
     */
    public dev.vademecum.v1.AddTraceResponse addTrace(dev.vademecum.v1.AddTraceRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getAddTraceMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Finds memories and streams them, best first and packed to the token budget. Each message holds up to 32 hits or 64 KiB; the last one carries the summary, and is the only one for a small result.
     * </pre>
     */
    public java.util.Iterator<dev.vademecum.v1.SearchResponse> search(
        dev.vademecum.v1.SearchRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getSearchMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Search in one reply, with a text that can go into a prompt as it is.
     * </pre>
     */
    public dev.vademecum.v1.RecallResponse recall(dev.vademecum.v1.RecallRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRecallMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists memories, newest first, page by page.
     * </pre>
     */
    public dev.vademecum.v1.GetAllResponse getAll(dev.vademecum.v1.GetAllRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetAllMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns one memory. NOT_FOUND if there is no such memory in the namespace.
     * </pre>
     */
    public dev.vademecum.v1.GetResponse get(dev.vademecum.v1.GetRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes fields of one memory. NOT_FOUND if there is no such memory in the namespace; ABORTED if expected_version is given and is not the memory's.
     * </pre>
     */
    public dev.vademecum.v1.UpdateResponse update(dev.vademecum.v1.UpdateRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getUpdateMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Deletes one memory. An id that is not in the namespace is no error: `deleted` is false.
     * </pre>
     */
    public dev.vademecum.v1.DeleteResponse delete(dev.vademecum.v1.DeleteRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Deletes all memories that pass a filter, superseded and expired ones included, in one atomic step.
     * </pre>
     */
    public dev.vademecum.v1.DeleteWhereResponse deleteWhere(dev.vademecum.v1.DeleteWhereRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteWhereMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Empties a namespace, or all of the server where it was started with --allow-reset (else PERMISSION_DENIED).
     * </pre>
     */
    public dev.vademecum.v1.ResetResponse reset(dev.vademecum.v1.ResetRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getResetMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Asks a person to approve an edit of a block or memory, by literal replacement: nothing changes until it is approved (ProposalService). The message of an error is meant for the agent, to correct its call by.
     * INVALID_ARGUMENT if old_string and new_string are equal, old_string is empty or there is no reasoning, in this order; then NOT_FOUND (BLOCK_NOT_FOUND, MEMORY_NOT_FOUND) if there is no such target, FAILED_PRECONDITION if old_string does not occur in it (OLD_STRING_NOT_FOUND), or several times without replace_all (OLD_STRING_AMBIGUOUS), or if the edit would make it too large, or a memory empty (EDIT_RESULT_REFUSED).
     * </pre>
     */
    public dev.vademecum.v1.ProposeEditResponse proposeEdit(dev.vademecum.v1.ProposeEditRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getProposeEditMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Tells why a memory is, or is not, among the hits of a search: follows it stage by stage. NOT_FOUND if there is no such memory in the namespace. Compares all vectors, also where Search walks a graph (SEARCH_INDEX_GRAPH): there Search may miss a memory far from the query that Explain ranks, and ranks may differ. Costs several searches.
     * </pre>
     */
    public dev.vademecum.v1.ExplainResponse explain(dev.vademecum.v1.ExplainRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getExplainMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service MemoryProvider.
   * <pre>
   * Keeps memories and finds them again.
   * A write is acknowledged when it is durable (synced to disk), atomic and searchable. Every mutation takes an `idempotency_key`: for 24 hours a repeated call with the same key and the same body gets the first call's reply and changes nothing; the same key with another body is INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED).
   * Without a deadline of the client a call ends after 30 seconds. A message has at most 4 MiB.
   * </pre>
   */
  public static final class MemoryProviderFutureStub
      extends io.grpc.stub.AbstractFutureStub<MemoryProviderFutureStub> {
    private MemoryProviderFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected MemoryProviderFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new MemoryProviderFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores one memory. The text is kept exactly as given; no model is called.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.AddResponse> add(
        dev.vademecum.v1.AddRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getAddMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Stores the trace of a workflow run as a memory of type MEMORY_TYPE_TRACE and kind `trace`, with the content `[trace] workflow=&lt;workflow_id&gt; agent=&lt;agent_id&gt; data=&lt;trace_data as JSON, keys sorted&gt;`.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.AddTraceResponse> addTrace(
        dev.vademecum.v1.AddTraceRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getAddTraceMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Search in one reply, with a text that can go into a prompt as it is.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.RecallResponse> recall(
        dev.vademecum.v1.RecallRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRecallMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists memories, newest first, page by page.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.GetAllResponse> getAll(
        dev.vademecum.v1.GetAllRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetAllMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns one memory. NOT_FOUND if there is no such memory in the namespace.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.GetResponse> get(
        dev.vademecum.v1.GetRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Changes fields of one memory. NOT_FOUND if there is no such memory in the namespace; ABORTED if expected_version is given and is not the memory's.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.UpdateResponse> update(
        dev.vademecum.v1.UpdateRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getUpdateMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Deletes one memory. An id that is not in the namespace is no error: `deleted` is false.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.DeleteResponse> delete(
        dev.vademecum.v1.DeleteRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Deletes all memories that pass a filter, superseded and expired ones included, in one atomic step.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.DeleteWhereResponse> deleteWhere(
        dev.vademecum.v1.DeleteWhereRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteWhereMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Empties a namespace, or all of the server where it was started with --allow-reset (else PERMISSION_DENIED).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.ResetResponse> reset(
        dev.vademecum.v1.ResetRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getResetMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Asks a person to approve an edit of a block or memory, by literal replacement: nothing changes until it is approved (ProposalService). The message of an error is meant for the agent, to correct its call by.
     * INVALID_ARGUMENT if old_string and new_string are equal, old_string is empty or there is no reasoning, in this order; then NOT_FOUND (BLOCK_NOT_FOUND, MEMORY_NOT_FOUND) if there is no such target, FAILED_PRECONDITION if old_string does not occur in it (OLD_STRING_NOT_FOUND), or several times without replace_all (OLD_STRING_AMBIGUOUS), or if the edit would make it too large, or a memory empty (EDIT_RESULT_REFUSED).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.ProposeEditResponse> proposeEdit(
        dev.vademecum.v1.ProposeEditRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getProposeEditMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Tells why a memory is, or is not, among the hits of a search: follows it stage by stage. NOT_FOUND if there is no such memory in the namespace. Compares all vectors, also where Search walks a graph (SEARCH_INDEX_GRAPH): there Search may miss a memory far from the query that Explain ranks, and ranks may differ. Costs several searches.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.vademecum.v1.ExplainResponse> explain(
        dev.vademecum.v1.ExplainRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getExplainMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_ADD = 0;
  private static final int METHODID_ADD_TRACE = 1;
  private static final int METHODID_SEARCH = 2;
  private static final int METHODID_RECALL = 3;
  private static final int METHODID_GET_ALL = 4;
  private static final int METHODID_GET = 5;
  private static final int METHODID_UPDATE = 6;
  private static final int METHODID_DELETE = 7;
  private static final int METHODID_DELETE_WHERE = 8;
  private static final int METHODID_RESET = 9;
  private static final int METHODID_PROPOSE_EDIT = 10;
  private static final int METHODID_EXPLAIN = 11;
  private static final int METHODID_ADD_BATCH = 12;

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
        case METHODID_ADD:
          serviceImpl.add((dev.vademecum.v1.AddRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.AddResponse>) responseObserver);
          break;
        case METHODID_ADD_TRACE:
          serviceImpl.addTrace((dev.vademecum.v1.AddTraceRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.AddTraceResponse>) responseObserver);
          break;
        case METHODID_SEARCH:
          serviceImpl.search((dev.vademecum.v1.SearchRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.SearchResponse>) responseObserver);
          break;
        case METHODID_RECALL:
          serviceImpl.recall((dev.vademecum.v1.RecallRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.RecallResponse>) responseObserver);
          break;
        case METHODID_GET_ALL:
          serviceImpl.getAll((dev.vademecum.v1.GetAllRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.GetAllResponse>) responseObserver);
          break;
        case METHODID_GET:
          serviceImpl.get((dev.vademecum.v1.GetRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.GetResponse>) responseObserver);
          break;
        case METHODID_UPDATE:
          serviceImpl.update((dev.vademecum.v1.UpdateRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.UpdateResponse>) responseObserver);
          break;
        case METHODID_DELETE:
          serviceImpl.delete((dev.vademecum.v1.DeleteRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteResponse>) responseObserver);
          break;
        case METHODID_DELETE_WHERE:
          serviceImpl.deleteWhere((dev.vademecum.v1.DeleteWhereRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.DeleteWhereResponse>) responseObserver);
          break;
        case METHODID_RESET:
          serviceImpl.reset((dev.vademecum.v1.ResetRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.ResetResponse>) responseObserver);
          break;
        case METHODID_PROPOSE_EDIT:
          serviceImpl.proposeEdit((dev.vademecum.v1.ProposeEditRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.ProposeEditResponse>) responseObserver);
          break;
        case METHODID_EXPLAIN:
          serviceImpl.explain((dev.vademecum.v1.ExplainRequest) request,
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.ExplainResponse>) responseObserver);
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
        case METHODID_ADD_BATCH:
          return (io.grpc.stub.StreamObserver<Req>) serviceImpl.addBatch(
              (io.grpc.stub.StreamObserver<dev.vademecum.v1.AddBatchResponse>) responseObserver);
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getAddMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.AddRequest,
              dev.vademecum.v1.AddResponse>(
                service, METHODID_ADD)))
        .addMethod(
          getAddTraceMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.AddTraceRequest,
              dev.vademecum.v1.AddTraceResponse>(
                service, METHODID_ADD_TRACE)))
        .addMethod(
          getAddBatchMethod(),
          io.grpc.stub.ServerCalls.asyncBidiStreamingCall(
            new MethodHandlers<
              dev.vademecum.v1.AddBatchRequest,
              dev.vademecum.v1.AddBatchResponse>(
                service, METHODID_ADD_BATCH)))
        .addMethod(
          getSearchMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.vademecum.v1.SearchRequest,
              dev.vademecum.v1.SearchResponse>(
                service, METHODID_SEARCH)))
        .addMethod(
          getRecallMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.RecallRequest,
              dev.vademecum.v1.RecallResponse>(
                service, METHODID_RECALL)))
        .addMethod(
          getGetAllMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.GetAllRequest,
              dev.vademecum.v1.GetAllResponse>(
                service, METHODID_GET_ALL)))
        .addMethod(
          getGetMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.GetRequest,
              dev.vademecum.v1.GetResponse>(
                service, METHODID_GET)))
        .addMethod(
          getUpdateMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.UpdateRequest,
              dev.vademecum.v1.UpdateResponse>(
                service, METHODID_UPDATE)))
        .addMethod(
          getDeleteMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.DeleteRequest,
              dev.vademecum.v1.DeleteResponse>(
                service, METHODID_DELETE)))
        .addMethod(
          getDeleteWhereMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.DeleteWhereRequest,
              dev.vademecum.v1.DeleteWhereResponse>(
                service, METHODID_DELETE_WHERE)))
        .addMethod(
          getResetMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.ResetRequest,
              dev.vademecum.v1.ResetResponse>(
                service, METHODID_RESET)))
        .addMethod(
          getProposeEditMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.ProposeEditRequest,
              dev.vademecum.v1.ProposeEditResponse>(
                service, METHODID_PROPOSE_EDIT)))
        .addMethod(
          getExplainMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.vademecum.v1.ExplainRequest,
              dev.vademecum.v1.ExplainResponse>(
                service, METHODID_EXPLAIN)))
        .build();
  }

  private static abstract class MemoryProviderBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    MemoryProviderBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.vademecum.v1.MemoryProviderProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("MemoryProvider");
    }
  }

  private static final class MemoryProviderFileDescriptorSupplier
      extends MemoryProviderBaseDescriptorSupplier {
    MemoryProviderFileDescriptorSupplier() {}
  }

  private static final class MemoryProviderMethodDescriptorSupplier
      extends MemoryProviderBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    MemoryProviderMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (MemoryProviderGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new MemoryProviderFileDescriptorSupplier())
              .addMethod(getAddMethod())
              .addMethod(getAddTraceMethod())
              .addMethod(getAddBatchMethod())
              .addMethod(getSearchMethod())
              .addMethod(getRecallMethod())
              .addMethod(getGetAllMethod())
              .addMethod(getGetMethod())
              .addMethod(getUpdateMethod())
              .addMethod(getDeleteMethod())
              .addMethod(getDeleteWhereMethod())
              .addMethod(getResetMethod())
              .addMethod(getProposeEditMethod())
              .addMethod(getExplainMethod())
              .build();
        }
      }
    }
    return result;
  }
}
