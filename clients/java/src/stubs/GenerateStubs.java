import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.FileOptions;
import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.ProtocolStringList;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Generates the Java stubs from the {@code .proto} files of the repository. Maven runs this program
 * before it compiles the client.
 *
 * <p>Arguments, in this order:
 *
 * <ol>
 *   <li>the executable of protoc
 *   <li>the executable of protoc's gRPC plugin
 *   <li>the folder of the repository
 *   <li>a folder with the {@code .proto} files of the well-known types
 *   <li>a work folder; the stubs go into its subfolder {@code stubs}
 * </ol>
 *
 * <p>The stubs leave out the validation rules and the options of the {@code .proto} files, which
 * only the server reads. So the client does not depend on protovalidate.
 */
final class GenerateStubs {
  /** Whether a file only defines options that the server reads. */
  private static boolean definesOptions(String file) {
    return file.startsWith("buf/validate/") || file.equals("vademecum/v1/options.proto");
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path protoc = executable(arguments[0]);
    Path grpcPlugin = executable(arguments[1]);
    Path repository = Path.of(arguments[2]);
    Path wellKnownTypes = Path.of(arguments[3]);
    Path work = Path.of(arguments[4]);

    Path definitions = repository.resolve("proto");
    Path thirdParty = repository.resolve("third_party");
    Path descriptors = Files.createDirectories(work).resolve("descriptors.binpb");
    List<String> files = protoFiles(definitions);
    List<String> compile =
        new ArrayList<>(
            List.of(
                protoc.toString(),
                "--proto_path=" + definitions,
                "--proto_path=" + thirdParty.resolve("protovalidate"),
                "--proto_path=" + thirdParty.resolve("googleapis"),
                "--proto_path=" + wellKnownTypes,
                "--include_imports",
                "--include_source_info",
                "--descriptor_set_out=" + descriptors));
    compile.addAll(files);
    run(compile);

    Files.write(descriptors, withoutOptions(read(descriptors)).toByteArray());
    Path stubs = work.resolve("stubs");
    delete(stubs);
    Files.createDirectories(stubs);
    List<String> generate =
        new ArrayList<>(
            List.of(
                protoc.toString(),
                "--descriptor_set_in=" + descriptors,
                "--java_out=" + stubs,
                "--plugin=protoc-gen-grpc-java=" + grpcPlugin,
                "--grpc-java_out=@generated=omit:" + stubs));
    generate.addAll(files);
    run(generate);
  }

  /** Makes a file executable, because Maven stores programs without that permission. */
  private static Path executable(String path) {
    Path file = Path.of(path);
    if (!file.toFile().setExecutable(true)) {
      throw new IllegalStateException(file + " cannot be made executable");
    }
    return file;
  }

  private static List<String> protoFiles(Path definitions) throws IOException {
    try (Stream<Path> paths = Files.walk(definitions)) {
      return paths
          .filter(path -> path.toString().endsWith(".proto"))
          .map(path -> definitions.relativize(path).toString().replace('\\', '/'))
          .filter(file -> !definesOptions(file))
          .sorted()
          .collect(Collectors.toList());
    }
  }

  /** Reads descriptors. Drops the values of options, which this parser sees as unknown fields. */
  private static FileDescriptorSet read(Path descriptors) throws IOException {
    try (InputStream input = Files.newInputStream(descriptors)) {
      return DiscardUnknownFieldsParser.wrap(FileDescriptorSet.parser()).parseFrom(input);
    }
  }

  private static FileDescriptorSet withoutOptions(FileDescriptorSet all) {
    FileDescriptorSet.Builder kept = FileDescriptorSet.newBuilder();
    for (FileDescriptorProto file : all.getFileList()) {
      if (definesOptions(file.getName())) {
        continue;
      }
      ProtocolStringList dependencies = file.getDependencyList();
      FileDescriptorProto.Builder builder = file.toBuilder().clearDependency();
      dependencies.stream().filter(name -> !definesOptions(name)).forEach(builder::addDependency);
      if (file.getPackage().startsWith("vademecum.")) {
        setJavaOptions(builder.getOptionsBuilder(), file);
      }
      kept.addFile(builder);
    }
    return kept.build();
  }

  /** Sets the Java options of a file. The {@code .proto} files have no options for a language. */
  private static void setJavaOptions(FileOptions.Builder options, FileDescriptorProto file) {
    options.setJavaMultipleFiles(true);
    options.setJavaOuterClassname(outerClassName(file.getName()));
  }

  /** Returns {@code KeyValueServiceProto} for {@code vademecum/v1/key_value_service.proto}. */
  private static String outerClassName(String file) {
    String base = file.substring(file.lastIndexOf('/') + 1, file.length() - ".proto".length());
    return Stream.of(base.split("_"))
            .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
            .collect(Collectors.joining())
        + "Proto";
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    int status = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (status != 0) {
      throw new IllegalStateException(command.get(0) + " ended with " + status);
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      paths
          .sorted(Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.delete(path);
                } catch (IOException error) {
                  throw new UncheckedIOException(error);
                }
              });
    }
  }
}
