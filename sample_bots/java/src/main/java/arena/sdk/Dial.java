package arena.sdk;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.File;
import java.io.IOException;
import java.util.Map;

/** How a bot reaches the arena: a unix socket in the clear, anything else over TLS. It knows addresses, no frames. */
final class Dial {
  private static final String THIS_MACHINE = "(localhost|127\\.[0-9.]+|\\[::1\\]):[0-9]+";

  private Dial() {}

  /**
   * What protects the connection to an address.
   *
   * <p>ARENA_TLS_CA names a PEM file with the certificates that are trusted, instead of the system's. ARENA_INSECURE=1
   * turns TLS off for an arena on this machine, for tests; anywhere else it would show the token to others.
   *
   * @throws IOException where these do not say how to reach the arena safely
   */
  static ChannelCredentials security(String address, Map<String, String> variables) throws IOException {
    if (address.startsWith("unix:")) {
      return InsecureChannelCredentials.create();
    }
    if ("1".equals(variables.get("ARENA_INSECURE"))) {
      if (!address.substring(address.lastIndexOf('/') + 1).matches(THIS_MACHINE)) {
        throw new IOException("ARENA_INSECURE is for this machine only, not for " + address);
      }
      return InsecureChannelCredentials.create();
    }
    String file = variables.getOrDefault("ARENA_TLS_CA", "");
    if (file.isEmpty()) {
      return TlsChannelCredentials.create();
    }
    try {
      return TlsChannelCredentials.newBuilder().trustManager(new File(file)).build();
    } catch (IOException unreadable) {
      throw new IOException("ARENA_TLS_CA: " + unreadable.getMessage(), unreadable);
    }
  }
}
