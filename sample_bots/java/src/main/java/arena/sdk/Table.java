package arena.sdk;

import arena.v1.ArenaOuterClass;
import arena.v1.ArenaOuterClass.ArenaEvent;
import arena.v1.ArenaOuterClass.ArenaFrame;
import arena.v1.ArenaOuterClass.BotEvent;
import arena.v1.ArenaOuterClass.BotFrame;
import arena.v1.ArenaOuterClass.GameOver;
import arena.v1.ArenaOuterClass.GameStart;
import arena.v1.ArenaOuterClass.Hello;
import arena.v1.ArenaOuterClass.Rejected;
import arena.v1.ArenaOuterClass.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The bot's side of the protocol without a transport: frames in, frames out. Tests use it too.
 *
 * <p>It holds all games of one process, each with a bot of its own. What a bot throws goes on to the caller, with the
 * game and the turn added.
 */
public final class Table {
  static final String VERSION = "1.0";
  static final String SDK = "arena-java 0.1";
  private static final int NOTE_BYTES = 2048;

  /** A frame above this many bytes is cut in two; the arena takes 256 KiB. */
  private static final int FRAME_BYTES = 200_000;

  private final Supplier<? extends Bot> make;
  private final Map<Integer, Seat> games = new HashMap<>();
  private String goodbye;

  private record Seat(Game game, Bot bot) {}

  /** A table whose bots are made by calling {@code make} once for each game. */
  public Table(Supplier<? extends Bot> make) {
    this.make = make;
  }

  /** The first frame to send. */
  public static BotFrame hello(String token, String sdk, int concurrentGames) {
    Hello.Builder hello = Hello.newBuilder().addVersions(VERSION).setToken(token).setSdk(sdk);
    hello.setConcurrentGames(concurrentGames);
    return BotFrame.newBuilder().addEvents(BotEvent.newBuilder().setHello(hello)).build();
  }

  /** The arena's last word, null until it was said. */
  public String goodbye() {
    return goodbye;
  }

  /** Take a frame from the arena. Returns the frames to send: one with all replies, none if there are none. */
  public List<BotFrame> frame(ArenaFrame frame) {
    List<BotEvent> replies = new ArrayList<>();
    for (ArenaEvent event : frame.getEventsList()) {
      switch (event.getEventCase()) {
        case TURN -> replies.add(BotEvent.newBuilder().setReply(turn(event.getTurn())).build());
        case GAME_START -> start(event.getGameStart());
        case GAME_OVER -> over(event.getGameOver());
        case REJECTED -> rejected(event.getRejected());
        case GOODBYE -> goodbye = event.getGoodbye().getReason();
        case WELCOME, EVENT_NOT_SET -> {} // Welcome needs nothing; what is newer than this SDK is ignored
      }
    }
    return replies.isEmpty() ? List.of() : split(replies);
  }

  /** Begin a game. */
  public Game start(GameStart message) {
    Seat seat = new Seat(new Game(message), make.get());
    games.put(message.getGame(), seat);
    guarded(seat, "at its start", () -> seat.bot.started(seat.game));
    return seat.game;
  }

  /** Decide. Throws IllegalStateException, which names game and turn, for an illegal move and what the bot threw. */
  public Reply turn(ArenaOuterClass.Turn message) {
    Seat seat = games.get(message.getGame());
    if (seat == null) {
      throw new IllegalStateException("a turn of game " + message.getGame() + ", which has not started");
    }
    Turn turn = open(seat.game, message);
    Reply.Builder reply = Reply.newBuilder().setGame(message.getGame()).setTurn(message.getTurn());
    guarded(seat, "turn " + message.getTurn(), () -> answer(reply, turn, turn.decide(seat.bot)));
    return reply.setNote(cut(turn.notes())).build();
  }

  /** The turn of a message. */
  public static Turn open(Game game, ArenaOuterClass.Turn message) {
    return switch (message.getViewCase()) {
      case ROOK -> new RookTurn(game, message);
      case CROW -> new CrowTurn(game, message);
      case GOAT -> new GoatTurn(game, message);
      case VIEW_NOT_SET -> new OtherTurn(game, message);
    };
  }

  /** End a game. */
  public void over(GameOver message) {
    Seat seat = games.remove(message.getGame());
    if (seat != null) {
      guarded(seat, "at its end", () -> seat.bot.over(seat.game, Result.decode(message)));
    }
  }

  private void rejected(Rejected message) {
    Seat seat = games.get(message.getGame());
    if (seat == null) {
      Bot.log("game " + message.getGame() + ", turn " + message.getTurn() + ": not taken: " + message.getReason());
    } else {
      guarded(seat, "rejected", () -> seat.bot.rejected(seat.game, message.getTurn(), message.getReason()));
    }
  }

  /** A listed move goes out as its place in the list, so what leaves here is legal. */
  private static void answer(Reply.Builder reply, Turn turn, Move move) {
    int place = turn.moves().indexOf(move);
    if (place >= 0) {
      reply.setChoice(place);
    } else if (move != null && turn.choose() != null && turn.choose().allows(move)) {
      reply.setMove(move.encode());
    } else {
      throw new IllegalMoveException(turn, move);
    }
  }

  private static void guarded(Seat seat, String when, Runnable call) {
    try {
      call.run();
    } catch (RuntimeException error) {
      String bot = seat.bot.getClass().getSimpleName();
      throw new IllegalStateException(bot + ", " + seat.game + ", " + when + ": " + error.getMessage(), error);
    }
  }

  /** A note of no more bytes than the arena keeps. */
  static String cut(String note) {
    if (note.length() * 3 <= NOTE_BYTES) {
      return note;
    }
    byte[] bytes = note.getBytes(StandardCharsets.UTF_8);
    int end = Math.min(NOTE_BYTES, bytes.length);
    while (end > 0 && end < bytes.length && (bytes[end] & 0xC0) == 0x80) {
      end--; // in the middle of a character
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }

  private static List<BotFrame> split(List<BotEvent> events) {
    BotFrame frame = BotFrame.newBuilder().addAllEvents(events).build();
    if (frame.getSerializedSize() <= FRAME_BYTES || events.size() < 2) {
      return List.of(frame);
    }
    List<BotFrame> frames = new ArrayList<>(split(events.subList(0, events.size() / 2)));
    frames.addAll(split(events.subList(events.size() / 2, events.size())));
    return frames;
  }
}
