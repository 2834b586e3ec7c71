package arena.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.InsecureChannelCredentials;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DialTest {
  private static final Map<String, String> PLAIN = Map.of("ARENA_INSECURE", "1");

  @ParameterizedTest
  @CsvSource({
    "unix:/run/arena/seat.sock, false, true",
    "127.0.0.1:1, false, false",
    "arena.example.org:4443, false, false",
    "127.0.0.1:1, true, true",
    "dns:///localhost:1, true, true",
    "[::1]:1, true, true",
  })
  void onlyASocketOrThisMachineIsDialledInTheClear(String address, boolean asked, boolean plain) throws IOException {
    var transport = Dial.security(address, asked ? PLAIN : Map.of());
    assertEquals(plain, transport instanceof InsecureChannelCredentials);
  }

  @ParameterizedTest
  @CsvSource({"arena.example.org:1", "127.evil.example:1", "dns:///arena.example.org:1"})
  void aTokenNeverCrossesANetworkInTheClear(String address) {
    assertThrows(IOException.class, () -> Dial.security(address, PLAIN));
  }

  @Test
  void aFileThatCannotBeReadIsNamed() {
    var told =
        assertThrows(IOException.class, () -> Dial.security("localhost:1", Map.of("ARENA_TLS_CA", "nowhere.pem")));
    assertTrue(told.getMessage().matches("ARENA_TLS_CA: .*nowhere\\.pem.*"), told.getMessage());
  }
}
