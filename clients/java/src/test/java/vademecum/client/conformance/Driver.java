package vademecum.client.conformance;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.util.JsonFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import vademecum.client.Client;
import vademecum.client.ResponseStream;
import vademecum.client.SearchResult;
import vademecum.client.SearchStream;
import vademecum.client.VademecumException;
import vademecum.v1.SearchResponse;

/**
 * The Java driver of clients/conformance/run.mjs. Reads JSON commands from standard input, one a
 * line, and makes the calls through the Java client. Answers each command with a line of JSON on
 * standard output.
 */
public final class Driver {
  private static final Map<String, List<String>> SCOPES =
      Map.of(
          "memories", List.of("user_id", "agent_id"),
          "skills", List.of("user_id", "agent_id"),
          "blocks", List.of("user_id"),
          "proposals", List.of("user_id"),
          "inbox", List.of(),
          "keyValues", List.of("run_id"),
          "tools", List.of());

  private final Timer timer = new Timer(true);
  private Client client;

  private Driver() {}

  public static void main(String[] arguments) throws Exception {
    Driver driver = new Driver();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      JsonObject command = JsonParser.parseString(line).getAsJsonObject();
      JsonObject answer = new JsonObject();
      answer.add("id", command.get("id"));
      try {
        answer.add("response", command.has("open") ? driver.open(command.getAsJsonObject("open")) : driver.call(command));
      } catch (VademecumException error) {
        answer.add("error", failure(error));
      } catch (IllegalArgumentException refusal) {
        JsonObject failure = new JsonObject();
        failure.addProperty("code", "INVALID_ARGUMENT");
        failure.addProperty("message", refusal.getMessage());
        answer.add("error", failure);
      }
      answers.println(new Gson().toJson(answer));
    }
    if (driver.client != null) {
      driver.client.close();
    }
  }

  private JsonElement open(JsonObject options) {
    if (client != null) {
      client.close();
    }
    Client.Builder builder = Client.builder(options.get("address").getAsString());
    if (options.has("key")) {
      builder.key(options.get("key").getAsString());
    }
    if (options.has("ca_file")) {
      builder.tls(file(options, "ca_file"));
    }
    if (options.has("cert_file")) {
      builder.clientCertificate(file(options, "cert_file"), file(options, "key_file"));
    }
    if (options.has("timeout_ms")) {
      builder.timeout(Duration.ofMillis(options.get("timeout_ms").getAsLong()));
    }
    client = builder.connect();
    return new JsonObject();
  }

  private static Path file(JsonObject options, String name) {
    return Path.of(options.get(name).getAsString());
  }

  private JsonElement call(JsonObject command) throws ReflectiveOperationException, IOException {
    String[] name = Arrays.stream(command.get("call").getAsString().split("\\.")).map(Driver::camelCase).toArray(String[]::new);
    Client chosen =
        command.has("timeout_ms") ? client.withTimeout(Duration.ofMillis(command.get("timeout_ms").getAsLong())) : client;
    JsonObject scope = command.getAsJsonObject("scope");
    Object[] names = SCOPES.get(name[0]).stream().map(field -> scope.get(field).getAsString()).toArray();
    Object handle = methodOf(chosen, name[0]).invoke(chosen, names);
    Method method = methodOf(handle, name[1]);
    Object request = method.getParameterTypes()[0].getDeclaringClass().getMethod("newBuilder").invoke(null);
    JsonFormat.parser().merge(command.get("request").toString(), (Message.Builder) request);
    if (command.has("close_after_ms")) {
      closeLater(client, command.get("close_after_ms").getAsLong());
    }
    try {
      Object result = method.invoke(handle, request);
      if (command.has("cancel_after_ms")) {
        closeLater((AutoCloseable) result, command.get("cancel_after_ms").getAsLong());
      }
      return written(result);
    } catch (InvocationTargetException thrown) {
      if (thrown.getCause() instanceof RuntimeException error) {
        throw error;
      }
      throw thrown;
    }
  }

  private static Method methodOf(Object object, String name) {
    return Arrays.stream(object.getClass().getMethods()).filter(it -> it.getName().equals(name)).findFirst().orElseThrow();
  }

  private void closeLater(AutoCloseable closeable, long delayMs) {
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            try {
              closeable.close();
            } catch (Exception cause) {
              throw new IllegalStateException(cause);
            }
          }
        },
        delayMs);
  }

  private static JsonElement written(Object result) throws InvalidProtocolBufferException {
    if (result instanceof SearchStream stream) {
      SearchResult whole = stream.collect();
      return written(SearchResponse.newBuilder().addAllHits(whole.hits()).setSummary(whole.summary()).build());
    }
    if (result instanceof ResponseStream<?> stream) {
      JsonArray messages = new JsonArray();
      for (Object message : stream) {
        messages.add(written(message));
      }
      return messages;
    }
    return JsonParser.parseString(JsonFormat.printer().print((MessageOrBuilder) result));
  }

  private static JsonObject failure(VademecumException error) {
    JsonArray fields = new JsonArray();
    error.violations().forEach(violation -> fields.add(violation.field()));
    JsonObject failure = new JsonObject();
    failure.addProperty("code", error.code().name());
    failure.addProperty("reason", error.reason());
    failure.addProperty("message", error.getMessage());
    failure.add("fields", fields);
    return failure;
  }

  private static String camelCase(String name) {
    StringBuilder text = new StringBuilder();
    for (String word : name.split("_")) {
      text.append(text.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    }
    return text.toString();
  }
}
