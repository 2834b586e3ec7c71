package arena.sdk;

import arena.v1.ArenaOuterClass;
import arena.v1.ArenaOuterClass.ArenaEvent;
import arena.v1.ArenaOuterClass.BotEvent;
import arena.v1.ArenaOuterClass.GameStart;
import arena.v1.ArenaOuterClass.Limits;
import arena.v1.ArenaOuterClass.Reply;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Locale;

/** Between events and what they mean as data, in the form of the recorded frames. */
final class Events {

  private Events() {}

  /** What an event of the arena means. */
  static JsonObject data(ArenaEvent event) {
    return switch (event.getEventCase()) {
      case WELCOME -> {
        Limits limits = event.getWelcome().getLimits();
        JsonObject bytes = new JsonObject();
        bytes.addProperty("frame_bytes", limits.getFrameBytes());
        bytes.addProperty("note_bytes", limits.getNoteBytes());
        bytes.addProperty("game_note_bytes", limits.getGameNoteBytes());
        JsonObject data = named("welcome");
        data.addProperty("version", event.getWelcome().getVersion());
        data.add("limits", bytes);
        yield data;
      }
      case GAME_START -> start(event.getGameStart());
      case TURN -> turn(event.getTurn());
      case REJECTED -> {
        JsonObject data = named("rejected");
        data.addProperty("game", event.getRejected().getGame());
        data.addProperty("turn", event.getRejected().getTurn());
        data.addProperty("reason", event.getRejected().getReason());
        yield data;
      }
      case GAME_OVER -> {
        Result result = Result.decode(event.getGameOver());
        JsonObject data = named("game_over");
        data.addProperty("game", event.getGameOver().getGame());
        data.addProperty("verdict", result.verdict().name().toLowerCase(Locale.ROOT));
        data.add("scores", numbers(result.scores()));
        data.add("ranks", numbers(result.ranks()));
        data.add("forfeit_seat", orNull(result.forfeitSeat()));
        data.addProperty("reason", result.reason());
        yield data;
      }
      case GOODBYE -> {
        JsonObject data = named("goodbye");
        data.addProperty("reason", event.getGoodbye().getReason());
        yield data;
      }
      case EVENT_NOT_SET -> throw new AssertionError("an event with nothing in it");
    };
  }

  private static JsonObject start(GameStart message) {
    Game game = new Game(message);
    JsonObject data = named("game_start");
    data.addProperty("game", game.number());
    data.addProperty("ruleset", game.ruleset());
    JsonObject options = new JsonObject();
    game.options().forEach(options::add);
    data.add("options", options);
    data.addProperty("seat", game.seat());
    data.addProperty("seats", game.seats());
    data.add("partner", orNull(game.partner()));
    data.add("clock", JsonNull.INSTANCE);
    if (message.hasClock()) {
      JsonObject clock = new JsonObject();
      clock.addProperty("bank_ms", message.getClock().getBankMs());
      clock.addProperty("increment_ms", message.getClock().getIncrementMs());
      clock.addProperty("cap_ms", message.getClock().getCapMs());
      data.add("clock", clock);
    }
    data.addProperty("seed", Long.toUnsignedString(message.getSeed()));
    return data;
  }

  private static JsonObject turn(ArenaOuterClass.Turn message) {
    String ruleset =
        switch (message.getViewCase()) {
          case ROOK -> "crowsnest";
          case CROW -> "crow_and_pitcher";
          case GOAT -> "goat";
          case VIEW_NOT_SET -> throw new AssertionError("a turn without a view");
        };
    Turn turn = Table.open(new Game(GameStart.newBuilder().setRuleset(ruleset).build()), message);
    JsonObject data = named("turn");
    data.addProperty("game", message.getGame());
    data.addProperty("turn", turn.number());
    data.addProperty("family", turn.game().family().name().toLowerCase(Locale.ROOT));
    data.add("view", Views.data(turn));
    data.add("legal", legal(turn));
    data.add("limit_ms", orNull(turn.limitMs()));
    data.add("bank_ms", orNull(turn.bankMs()));
    return data;
  }

  private static JsonElement legal(Turn turn) {
    Choose choose = turn.choose();
    if (choose == null) {
      return texts(turn.moves().stream().map(turn::text).toList());
    }
    JsonObject data = new JsonObject();
    data.addProperty("choose", choose.size());
    data.add("from", texts(choose.cards().stream().map(turn::text).toList()));
    data.addProperty("kind", choose.kind().word());
    return data;
  }

  /** The event of a bot that means this. */
  static BotEvent event(JsonObject data) {
    if (data.get("event").getAsString().equals("hello")) {
      String token = data.get("token").getAsString();
      return Table.hello(token, data.get("sdk").getAsString(), data.get("concurrent_games").getAsInt()).getEvents(0);
    }
    Reply.Builder reply = Reply.newBuilder();
    reply.setGame(data.get("game").getAsInt()).setTurn(data.get("turn").getAsInt());
    if (data.has("move")) {
      Family family = Family.valueOf(data.get("family").getAsString().toUpperCase(Locale.ROOT));
      reply.setMove(move(family, data.get("move").getAsString()).encode());
    } else {
      reply.setChoice(data.get("choice").getAsInt());
    }
    return BotEvent.newBuilder().setReply(reply.setNote(data.get("note").getAsString())).build();
  }

  /** The move with this text. */
  static Move move(Family family, String text) {
    String[] words = text.split(" ");
    List<String> rest = List.of(words).subList(1, words.length);
    return switch (words[0]) {
      case "pass" -> Move.PASS;
      case "molodka" -> Move.MOLODKA;
      case "bid" -> Move.bid(Integer.parseInt(rest.get(0)));
      case "trump" -> Move.trump(family.suit(rest.get(0)));
      case "discard" -> Move.discard(rest.stream().map(family::card).toList());
      case "lead" -> Move.lead(rest.stream().map(family::card).toList());
      case "beat" -> Move.beat(rest.stream().map(family::card).toList());
      case "drop" -> Move.drop(rest.stream().map(family::card).toList());
      default -> Move.play(family.card(text));
    };
  }

  static JsonArray numbers(List<Integer> numbers) {
    JsonArray array = new JsonArray();
    numbers.forEach(array::add);
    return array;
  }

  static JsonArray texts(List<String> texts) {
    JsonArray array = new JsonArray();
    texts.forEach(array::add);
    return array;
  }

  static JsonElement orNull(int number) {
    return number == Game.NONE ? JsonNull.INSTANCE : new JsonPrimitive(number);
  }

  private static JsonObject named(String event) {
    JsonObject data = new JsonObject();
    data.addProperty("event", event);
    return data;
  }
}
