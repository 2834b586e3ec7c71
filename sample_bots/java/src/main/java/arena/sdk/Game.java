package arena.sdk;

import arena.v1.ArenaOuterClass.GameStart;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** One game at the table, from its first message to its last: what a bot is told once. */
public final class Game {
  /** Stands for a seat, suit or time that is absent. */
  public static final int NONE = -1;

  private final GameStart start;
  private final Family family;
  private final Random random;
  private Map<String, JsonElement> options;
  private RookRules rookRules;
  private CrowRules crowRules;

  /** A game from its first message. */
  public Game(GameStart start) {
    this.start = start;
    this.family = Family.of(start.getRuleset());
    this.random = new Random(start.getSeed());
  }

  /** The message as it came. */
  public GameStart message() {
    return start;
  }

  /** Number of the game on this connection, from 1: the {@code game} of logs. */
  public int number() {
    return start.getGame();
  }

  /** Id of the ruleset, "crowsnest". */
  public String ruleset() {
    return start.getRuleset();
  }

  /** Which cards, view and decisions the game has. */
  public Family family() {
    return family;
  }

  /** The bot's seat, from 0, clockwise. */
  public int seat() {
    return start.getSeat();
  }

  /** How many seats the table has. */
  public int seats() {
    return start.getSeats();
  }

  /** The partner's seat; {@link #NONE} where each seat plays for itself. */
  public int partner() {
    return start.hasPartner() ? start.getPartner() : NONE;
  }

  /** This game's own generator, seeded by the arena. Draw from it alone, and the bot plays the same game again. */
  public Random random() {
    return random;
  }

  /** Every field of the ruleset: numbers, texts, true or false, lists, objects. */
  public Map<String, JsonElement> options() {
    if (options == null) {
      options = new TreeMap<>();
      start.getOptionsMap().forEach((name, value) -> options.put(name, JsonParser.parseString(value)));
    }
    return options;
  }

  /** A field of the ruleset that is a number: {@code option("target")}. Throws IllegalArgumentException. */
  public int option(String name) {
    JsonElement value = options().get(name);
    if (value == null) {
      throw new IllegalArgumentException(ruleset() + " has no option '" + name + "'; it has " + options().keySet());
    }
    return value.getAsInt();
  }

  RookRules rookRules() {
    if (rookRules == null) {
      rookRules = RookRules.of(options());
    }
    return rookRules;
  }

  CrowRules crowRules() {
    if (crowRules == null) {
      crowRules = CrowRules.of(options());
    }
    return crowRules;
  }

  @Override
  public String toString() {
    return "game " + number() + " (" + ruleset() + ", seat " + seat() + ")";
  }
}
