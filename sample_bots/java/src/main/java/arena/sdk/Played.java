package arena.sdk;

import java.util.ArrayList;
import java.util.List;

/**
 * A card on the table.
 *
 * @param seat who played it
 * @param card which it is
 */
public record Played(int seat, int card) {

  /** All tricks of a hand, each with its led card first; the last one as far as it is played. */
  static List<List<Played>> tricks(List<Integer> cards, List<Integer> leaders, int seats) {
    List<List<Played>> tricks = new ArrayList<>();
    for (int leader : leaders) {
      int first = tricks.size() * seats;
      List<Played> trick = new ArrayList<>();
      for (int place = first; place < Math.min(first + seats, cards.size()); place++) {
        trick.add(new Played((leader + place - first) % seats, cards.get(place)));
      }
      tricks.add(trick);
    }
    return tricks;
  }

  /** The cards of a trick, without who played them. */
  public static List<Integer> cards(List<Played> trick) {
    return trick.stream().map(Played::card).toList();
  }
}
