package arena.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.v1.ArenaOuterClass.GameStart;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Cards: their names, what they count, which of them takes a trick. */
class RulesTest {
  private static final int GREEN = 1;

  private static List<Integer> cards(Family family, String texts) {
    return Stream.of(texts.split(" ")).map(family::card).toList();
  }

  private static RookRules rook(String ranks, String rank, boolean redOne) {
    return new Game(
            GameStart.newBuilder()
                .setRuleset("crowsnest")
                .putOptions("ranks", ranks)
                .putOptions("points", "{\"1\":15,\"5\":5,\"10\":10,\"14\":10,\"65\":20,\"66\":30}")
                .putOptions("rook", "true")
                .putOptions("rook_rank", rank)
                .putOptions("red_one", Boolean.toString(redOne))
                .build())
        .rookRules();
  }

  private static String winner(RookRules rules, String texts) {
    List<Integer> trick = cards(Family.ROOK, texts);
    return Family.ROOK.text(trick.get(rules.winner(trick, GREEN)));
  }

  @Test
  void cardsHaveTextsAndNumbers() {
    assertEquals("G10", Family.ROOK.text(26));
    assertEquals(65, Family.ROOK.card("ROOK"));
    assertEquals("T7", Family.CROW.text(55));
    assertEquals("10H AD", Family.GOAT.text(List.of(45, 30)));
    assertEquals("127", Family.GOAT.text(127));
    var error = assertThrows(IllegalArgumentException.class, () -> Family.GOAT.card("R10"));
    assertEquals("'R10' is no card of GOAT; a card is like JD", error.getMessage());
  }

  @Test
  void theCrowIsTheLowestTrump() {
    RookRules rules = rook("[5,6,7,8,9,10,11,12,13,14]", "\"lowest\"", false);
    assertEquals("G9", winner(rules, "ROOK G9 Y6 G5"));
    assertEquals("ROOK", winner(rules, "B14 ROOK B13 R14"));
    assertEquals("B14", winner(rules, "B14 B13 R14 Y14"));
    assertEquals(41, rules.cards().size());
    assertEquals(20, rules.points(RookRules.ROOK));
  }

  @Test
  void theRookIsTheHighestTrump() {
    RookRules rules = rook("[5,6,7,8,9,10,11,12,13,14]", "\"highest\"", false);
    assertEquals("ROOK", winner(rules, "B14 ROOK G14 B10"));
  }

  @Test
  void theRedOneBeatsTheRook() {
    RookRules rules = rook("[5,6,7,8,9,10,11,12,13,14]", "\"highest\"", true);
    assertEquals("RED1", winner(rules, "ROOK RED1 G14 B10"));
    assertEquals(42, rules.cards().size());
  }

  @Test
  void aOneMayBeHigh() {
    RookRules rules = rook("[2,3,4,5,6,7,8,9,10,11,12,13,14,1]", "\"lowest\"", false);
    assertEquals("B1", winner(rules, "B14 B1 B13 R1"));
    assertEquals(57, rules.cards().size());
    assertEquals(15, rules.points(Family.ROOK.card("Y1")));
  }

  @Test
  void aPitcherThatIsFullGoesToTheHighestOfTheLedSuit() {
    CrowRules rules = new CrowRules("face");
    assertEquals(new CrowRules.Taken(1, 4 + 9 + 3 - 2, true), rules.take(cards(Family.CROW, "R4 R9 G3 T2"), 9));
    assertEquals(new CrowRules.Taken(0, 4 + 9 + 3 - 2 - 5, false), rules.take(cards(Family.CROW, "R4 R9 G3 T2"), 8));
    assertEquals(new CrowRules.Taken(2, -2 - 7, true), rules.take(cards(Family.CROW, "T2 R9 T7"), 13));
  }

  @Test
  void cardPointsOfTheCrowFollowTheRuleset() {
    assertEquals(List.of(1, -1), cards(Family.CROW, "R4 T4").stream().map(new CrowRules("flat")::points).toList());
    assertEquals(List.of(8, -8), cards(Family.CROW, "R4 T4").stream().map(new CrowRules("inverse")::points).toList());
  }

  @Test
  void everyKindOfMoveHasAText() {
    for (String text : List.of("R10", "bid 80", "pass", "trump green", "discard B5 G10")) {
      assertEquals(text, Family.ROOK.text(Events.move(Family.ROOK, text)));
    }
    for (String text : List.of("lead 6C 9C", "beat 7H 10S", "drop 6C", "molodka")) {
      Move move = Events.move(Family.GOAT, text);
      assertEquals(text, Family.GOAT.text(move));
      assertEquals(move, Move.decode(move.encode()));
    }
  }

  @Test
  void movesOfSeveralCardsAreEqualInAnyOrder() {
    assertEquals(Move.lead(List.of(6, 9)), Move.lead(List.of(9, 6)));
    Choose choose = new Choose(Move.Kind.DISCARD, 2, List.of(5, 6, 7));
    assertTrue(choose.allows(Move.discard(List.of(7, 5))));
    for (List<Integer> cards : List.of(List.of(5), List.of(5, 5), List.of(5, 8), List.of(5, 6, 7))) {
      assertEquals(false, choose.allows(Move.discard(cards)));
    }
  }
}
