package arena.sdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import arena.v1.ArenaOuterClass.ArenaEvent;
import arena.v1.ArenaOuterClass.ArenaFrame;
import arena.v1.ArenaOuterClass.BotFrame;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The recorded frames of the protocol mean here what they mean everywhere. */
class VectorsTest {
  private static final Path BESIDE = Path.of("..", "..", "tests", "vectors", "frames.jsonl");

  @TestFactory
  Stream<DynamicTest> everyFrame() throws IOException {
    String named = System.getenv("ARENA_VECTORS");
    Path file = named == null ? BESIDE : Path.of(named);
    if (!Files.exists(file)) {
      String mend = "no recorded frames: name the file frames.jsonl in ARENA_VECTORS";
      Bot.log(mend); // Maven counts what is passed over, and does not say why
      return Stream.of(dynamicTest("no frames", () -> Assumptions.abort(mend)));
    }
    return Files.readAllLines(file).stream()
        .map(line -> JsonParser.parseString(line).getAsJsonObject())
        .map(line -> dynamicTest(line.get("name").getAsString(), () -> check(line)));
  }

  private static void check(JsonObject line) throws IOException {
    byte[] bytes = Base64.getDecoder().decode(line.get("frame").getAsString());
    if (line.get("from").getAsString().equals("arena")) {
      JsonArray events = new JsonArray();
      for (ArenaEvent event : ArenaFrame.parseFrom(bytes).getEventsList()) {
        events.add(Events.data(event));
      }
      assertEquals(line.get("events"), events);
    } else {
      BotFrame.Builder frame = BotFrame.newBuilder();
      for (JsonElement event : line.get("events").getAsJsonArray()) {
        frame.addEvents(Events.event(event.getAsJsonObject()));
      }
      assertArrayEquals(bytes, frame.build().toByteArray());
    }
  }
}
