package arena.sdk;

import com.google.gson.JsonElement;
import java.util.List;
import java.util.Map;

/**
 * The Crow and the Pitcher: what cards are worth and who takes a trick.
 *
 * @param cardPoints which of the rules for card points holds: "face", "flat" or "inverse"
 */
public record CrowRules(String cardPoints) {
  /** The suit of thirst. */
  public static final int THIRST = 3;

  private static final int NOT_FULL = -5;

  /**
   * What a trick comes to.
   *
   * @param place which card takes the trick, 0 for the led one
   * @param points what it scores for its seat
   * @param full whether the pitcher was full; true in a trick led with thirst, which takes no pitcher
   */
  public record Taken(int place, int points, boolean full) {}

  static CrowRules of(Map<String, JsonElement> options) {
    JsonElement which = options.get("card_points");
    return new CrowRules(which == null ? "face" : which.getAsString());
  }

  /** What a card scores for the seat that takes it: a stone above 0, thirst below. */
  public int points(int card) {
    int worth =
        switch (cardPoints) {
          case "flat" -> 1;
          case "inverse" -> 12 - (card & 15);
          default -> card & 15;
        };
    return card >> 4 == THIRST ? -worth : worth;
  }

  /** The sum of the stones that count: of any colour, of a rank not above the pitcher. */
  public static int filled(List<Integer> trick, int pitcher) {
    return trick.stream().filter(card -> card >> 4 != THIRST).mapToInt(Family::rank).filter(r -> r <= pitcher).sum();
  }

  /** Who takes a trick of these cards, the led one first, and what it scores. */
  public Taken take(List<Integer> trick, int pitcher) {
    int led = trick.get(0) >> 4;
    List<Integer> ofSuit = trick.stream().filter(card -> card >> 4 == led).toList();
    int highest = trick.indexOf(ofSuit.stream().max(Integer::compare).orElseThrow());
    if (led == THIRST) {
      return new Taken(highest, ofSuit.stream().mapToInt(this::points).sum(), true);
    }
    int total = trick.stream().mapToInt(this::points).sum();
    if (filled(trick, pitcher) >= pitcher) {
      return new Taken(highest, total, true);
    }
    int lowest = trick.indexOf(ofSuit.stream().min(Integer::compare).orElseThrow());
    return new Taken(lowest, total + NOT_FULL, false);
  }
}
