package arena.sdk;

import arena.v1.Crow.CrowCard;
import arena.v1.Goat.GoatCard;
import arena.v1.Rook.RookCard;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A family of games that share their cards; names cards and suits.
 *
 * <p>A card is a whole number, {@code suit << 4 | rank}, everywhere in this package. The numbers are those of the
 * protocol's card enums, the texts those that the arena prints. What a card counts depends on the ruleset, see {@link
 * Turn#points}.
 */
public enum Family {
  /** CrowsNest, Tournament, Partnership, 1-High Partnership, The Red 1, Buckeye. */
  ROOK("black", "green", "red", "yellow"),
  /** The Crow and the Pitcher. */
  CROW("red", "green", "blue", "thirst"),
  /** Goat. */
  GOAT("clubs", "diamonds", "hearts", "spades");

  private final List<String> suits;
  private final String[] texts = new String[128];
  private final Map<String, Integer> cards = new HashMap<>();

  Family(String... suits) {
    this.suits = List.of(suits);
  }

  static {
    for (RookCard card : RookCard.values()) {
      ROOK.add(card.name(), "ROOK_CARD_", card == RookCard.UNRECOGNIZED ? 0 : card.getNumber());
    }
    for (CrowCard card : CrowCard.values()) {
      CROW.add(card.name(), "CROW_CARD_", card == CrowCard.UNRECOGNIZED ? 0 : card.getNumber());
    }
    for (GoatCard card : GoatCard.values()) {
      GOAT.add(card.name(), "GOAT_CARD_", card == GoatCard.UNRECOGNIZED ? 0 : card.getNumber());
    }
  }

  private void add(String name, String prefix, int card) {
    if (card != 0) {
      texts[card] = name.substring(prefix.length());
      cards.put(texts[card], card);
    }
  }

  /** The family of a ruleset by its id; what is not known here is taken for Rook. */
  public static Family of(String ruleset) {
    return switch (ruleset) {
      case "crow_and_pitcher" -> CROW;
      case "goat" -> GOAT;
      default -> ROOK;
    };
  }

  /** The suit number of a card. */
  public static int suit(int card) {
    return card >> 4;
  }

  /** The rank number of a card. */
  public static int rank(int card) {
    return card & 15;
  }

  /** The text of a card, "G10"; of a number that is no card of this family the number. */
  public String text(int card) {
    return card >= 0 && card < texts.length && texts[card] != null ? texts[card] : Integer.toString(card);
  }

  /** Texts of cards in the given order, with one space between. */
  public String text(List<Integer> cards) {
    return cards.stream().map(this::text).collect(Collectors.joining(" "));
  }

  /** A move as the arena writes it: "R10", "bid 80", "pass", "trump green", "lead 6S 9S". */
  public String text(Move move) {
    String kind = move.kind().word();
    return switch (move.kind()) {
      case PLAY -> text(move.cards());
      case BID -> kind + " " + move.number();
      case TRUMP -> kind + " " + suitText(move.number());
      case DISCARD, LEAD, BEAT, DROP -> kind + " " + text(move.cards());
      case PASS, MOLODKA, UNKNOWN -> kind;
    };
  }

  /** A suit in words, "green"; of a number that is no suit the number. */
  public String suitText(int suit) {
    return suit >= 0 && suit < suits.size() ? suits.get(suit) : Integer.toString(suit);
  }

  /** The suit number of a suit in words. Throws IllegalArgumentException. */
  public int suit(String text) {
    int suit = suits.indexOf(text);
    if (suit < 0) {
      throw new IllegalArgumentException("'" + text + "' is no suit of " + this + "; its suits are " + suits);
    }
    return suit;
  }

  /** The card with this text. Throws IllegalArgumentException. */
  public int card(String text) {
    Integer card = cards.get(text);
    if (card == null) {
      throw new IllegalArgumentException("'" + text + "' is no card of " + this + "; a card is like " + text(26));
    }
    return card;
  }
}
