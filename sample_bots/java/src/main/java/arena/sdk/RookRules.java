package arena.sdk;

import com.google.gson.JsonElement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The cards of one ruleset of the Rook family: which there are, what they count, which card takes a trick. */
public final class RookRules {
  /** The Rook, also called the Crow. */
  public static final int ROOK = 65;

  /** The special card of The Red 1; elsewhere the red 1 is card 33. */
  public static final int RED_ONE = 66;

  /** Powers from here on are those of trumps. */
  public static final int TRUMP_POWER = 100;

  private final List<Integer> cards = new ArrayList<>();
  private final int[] points = new int[128];
  private final int[] place = new int[128];

  private RookRules() {}

  static RookRules of(Map<String, JsonElement> options) {
    RookRules rules = new RookRules();
    var worth = options.get("points").getAsJsonObject();
    var ranks = options.get("ranks").getAsJsonArray();
    boolean rook = options.get("rook").getAsBoolean();
    boolean redOne = options.get("red_one").getAsBoolean();
    for (int suit = 0; suit < 4; suit++) {
      for (int index = 0; index < ranks.size(); index++) {
        int rank = ranks.get(index).getAsInt();
        rules.add(suit << 4 | rank, 1 + index, worth.get(Integer.toString(rank)));
      }
    }
    Collections.sort(rules.cards);
    if (rook) {
      boolean highest = redOne || options.get("rook_rank").getAsString().equals("highest");
      rules.add(ROOK, highest ? 20 : 0, worth.get(Integer.toString(ROOK)));
    }
    if (redOne) {
      rules.add(RED_ONE, 21, worth.get(Integer.toString(RED_ONE)));
    }
    return rules;
  }

  private void add(int card, int strength, JsonElement worth) {
    cards.add(card);
    place[card] = strength;
    points[card] = worth == null ? 0 : worth.getAsInt();
  }

  /** The whole pack, ascending. */
  public List<Integer> cards() {
    return Collections.unmodifiableList(cards);
  }

  /** What a card counts. */
  public int points(int card) {
    return points[card];
  }

  /** The suit a card is of at the table; the special cards are of the trump suit. */
  public int suit(int card, int trump) {
    return card >= ROOK ? trump : card >> 4;
  }

  /** Strength of a card with this trump: trumps from 100, plain cards below. */
  public int power(int card, int trump) {
    return place[card] + (suit(card, trump) == trump ? TRUMP_POWER : 0);
  }

  /** Whether a card takes the trick from another that was played before it, the best one so far. */
  public boolean beats(int card, int best, int trump) {
    boolean counts = suit(card, trump) == trump || suit(card, trump) == suit(best, trump);
    return counts && power(card, trump) > power(best, trump);
  }

  /** Which card of a trick takes it, 0 for the led one. Also of a trick that is not complete. */
  public int winner(List<Integer> trick, int trump) {
    int winner = 0;
    for (int next = 1; next < trick.size(); next++) {
      if (beats(trick.get(next), trick.get(winner), trump)) {
        winner = next;
      }
    }
    return winner;
  }
}
