package arena.sdk;

import arena.v1.ArenaGrpc;
import arena.v1.ArenaOuterClass.ArenaFrame;
import arena.v1.ArenaOuterClass.BotFrame;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A bot's connection to the arena: one stream over gRPC, from hello to goodbye. */
public final class Arena {
  /** How many games one process is ready to play at once; {@code concurrent_games} of bot.toml decides below that. */
  private static final int CONCURRENT_GAMES = 64;

  /** How long the arena has to end the stream after its goodbye. */
  private static final int PARTING_S = 5;

  /** Netty warns here that unix sockets take no TCP options. A logger keeps its level while something refers to it. */
  private static final Logger NETTY = Logger.getLogger("io.grpc.netty.shaded.io.netty.bootstrap");

  private Arena() {}

  /**
   * Play until the arena says goodbye: the main program of a bot.
   *
   * <p>{@code make} is called once for each game. Reads ARENA_ADDRESS, a gRPC target, ARENA_TOKEN, and what {@link
   * Dial} reads. Ends the process: with status 0 after a goodbye or the end of the stream, 1 when the arena does not
   * let it in, the connection is lost or the bot throws, 2 without an address that can be dialled.
   */
  public static void run(Supplier<? extends Bot> make) {
    String address = System.getenv("ARENA_ADDRESS");
    if (address == null || address.isEmpty()) {
      Bot.log("this program plays when the arena starts it: ARENA_ADDRESS is not set, a gRPC target was expected");
      Bot.log("fix: play it with \"arena play GAME FOLDER\", or check it with \"arena bot check FOLDER\"");
      System.exit(2);
    }
    String token = System.getenv().getOrDefault("ARENA_TOKEN", "");
    System.exit(play(address, token, new Table(make)));
  }

  /** Play over a stream; returns the exit status. */
  static int play(String address, String token, Table table) {
    NETTY.setLevel(Level.SEVERE);
    ChannelCredentials transport;
    try {
      transport = Dial.security(address, System.getenv());
    } catch (IOException unsafe) {
      Bot.log(unsafe.getMessage());
      return 2;
    }
    // The direct executor answers in the thread that reads the socket: one thread plays all games, in order.
    ManagedChannel channel =
        Grpc.newChannelBuilder(address, transport)
            .directExecutor()
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .build();
    Stream stream = new Stream(table);
    ArenaGrpc.newStub(channel).play(stream).onNext(Table.hello(token, Table.SDK, CONCURRENT_GAMES));
    try {
      stream.parted.get();
      stream.ended.get(PARTING_S, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      // the arena has said goodbye and is slow to hang up
    } catch (ExecutionException failed) {
      return failed(address, failed.getCause());
    } catch (InterruptedException interrupted) {
      return 1;
    }
    String reason = table.goodbye();
    if (reason == null || reason.isEmpty() || reason.equals("done")) {
      return 0;
    }
    Bot.log("the arena sent this bot away: " + reason);
    return 1;
  }

  private static int failed(String address, Throwable cause) {
    if (cause instanceof StatusRuntimeException) {
      Status status = Status.fromThrowable(cause);
      Bot.log("the connection to the arena at " + address + " ended: " + status.getCode() + reason(status));
    } else {
      cause.printStackTrace();
    }
    return 1;
  }

  private static String reason(Status status) {
    String said = status.getDescription() == null ? "" : ": " + status.getDescription();
    return status.getCause() == null ? said : said + " (" + status.getCause().getMessage() + ")";
  }

  /** What comes in, given to the table; what it answers, sent. */
  private static final class Stream implements ClientResponseObserver<BotFrame, ArenaFrame> {
    /** Done when the bot has nothing more to do: after a goodbye, at the end of the stream, or on a failure. */
    final CompletableFuture<Void> parted = new CompletableFuture<>();

    /** Done at the end of the stream. */
    final CompletableFuture<Void> ended = new CompletableFuture<>();

    private final Table table;
    private ClientCallStreamObserver<BotFrame> out;

    Stream(Table table) {
      this.table = table;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<BotFrame> out) {
      this.out = out;
    }

    @Override
    public void onNext(ArenaFrame frame) {
      if (parted.isDone()) {
        return;
      }
      try {
        table.frame(frame).forEach(out::onNext);
        if (table.goodbye() != null) {
          out.onCompleted();
          parted.complete(null);
        }
      } catch (Throwable failure) { // a bot's errors, too: they end the process, and are to be seen
        parted.completeExceptionally(failure);
      }
    }

    @Override
    public void onError(Throwable failure) {
      parted.completeExceptionally(failure); // changes nothing after a goodbye
      ended.complete(null);
    }

    @Override
    public void onCompleted() {
      parted.complete(null);
      ended.complete(null);
    }
  }
}
