package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import arena.sdk.Family;
import arena.sdk.Move;
import arena.sdk.Table;
import arena.v1.ArenaOuterClass.Choose;
import arena.v1.ArenaOuterClass.GameStart;
import arena.v1.ArenaOuterClass.Legal;
import arena.v1.ArenaOuterClass.MoveKind;
import arena.v1.ArenaOuterClass.Reply;
import arena.v1.ArenaOuterClass.Turn;
import arena.v1.Rook.RookPhase;
import arena.v1.Rook.RookView;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the bot does in positions of 1-High Partnership, without an arena: seat 0, partner 2, trump green. */
class MyBotTest {
  private static final String STRONG = "B1 G1 G14 G13 G12 G11 G9 G8 G5 R1 R5 Y1 Y14 ROOK";
  private static final String WEAK = "B2 B5 B7 B9 G3 G4 G8 R2 R6 R7 R9 Y3 Y4 Y8";

  private static List<Integer> cards(String texts) {
    return texts.isEmpty() ? List.of() : Stream.of(texts.split(" ")).map(Family.ROOK::card).sorted().toList();
  }

  private static Reply ask(RookView.Builder view, Legal legal) {
    Table table = new Table(MyBot::new);
    table.start(
        GameStart.newBuilder()
            .setGame(1)
            .setRuleset("one_high")
            .setSeats(4)
            .setPartner(2)
            .putOptions("ranks", "[2,3,4,5,6,7,8,9,10,11,12,13,14,1]")
            .putOptions("points", "{\"1\":15,\"5\":5,\"10\":10,\"14\":10,\"65\":20}")
            .putOptions("rook", "true")
            .putOptions("rook_rank", "\"lowest\"")
            .putOptions("red_one", "false")
            .putOptions("trick_bonus", "0")
            .putOptions("last_bonus", "20")
            .build());
    return table.turn(Turn.newBuilder().setGame(1).setRook(view).setLegal(legal).build());
  }

  /** The bid in an auction in which a seat stands at 95; 0 is a pass. */
  private static int bid(String hand, int bidder) {
    Legal.Builder legal = Legal.newBuilder();
    legal.addMoves(Move.PASS.encode());
    IntStream.rangeClosed(20, 40).forEach(step -> legal.addMoves(Move.bid(step * 5).encode()));
    RookView.Builder view = RookView.newBuilder().setPhase(RookPhase.ROOK_PHASE_AUCTION);
    Reply reply = ask(view.addAllHandValue(cards(hand)).setBid(95).setBidder(bidder), legal.build());
    return legal.getMoves((int) reply.getChoice()).getBid();
  }

  /** The card played to a trick that seat {@code leader} led, all of a hand being legal. */
  private static String play(String hand, int declarer, int leader, String... trick) {
    Legal.Builder legal = Legal.newBuilder();
    cards(hand).forEach(card -> legal.addMoves(Move.play(card).encode()));
    RookView.Builder view = RookView.newBuilder().setPhase(RookPhase.ROOK_PHASE_PLAY).setTrump(1).setBidder(declarer);
    Stream.of(trick).forEach(card -> view.addPlayedValue(Family.ROOK.card(card)));
    Reply reply = ask(view.addAllHandValue(cards(hand)).addLeaders(leader), legal.build());
    return Family.ROOK.text(legal.getMoves((int) reply.getChoice()).getPlay());
  }

  @Test
  void itBidsOnStrongHandsOnly() {
    assertEquals(100, bid(STRONG, 1));
    assertEquals(0, bid(WEAK, 1));
  }

  @Test
  void itNeverBidsOverItsPartner() {
    assertEquals(0, bid(STRONG, 2));
  }

  @Test
  void itNamesItsStrongestSuit() {
    Legal.Builder legal = Legal.newBuilder();
    IntStream.range(0, 4).forEach(suit -> legal.addMoves(Move.trump(suit).encode()));
    RookView.Builder view = RookView.newBuilder().setPhase(RookPhase.ROOK_PHASE_TRUMP);
    assertEquals(1, ask(view.addAllHandValue(cards(STRONG)), legal.build()).getChoice());
  }

  @Test
  void itDiscardsFromItsShortestSuit() {
    Choose.Builder choose = Choose.newBuilder().setKind(MoveKind.MOVE_KIND_DISCARD).setCount(1);
    Legal legal = Legal.newBuilder().setChoose(choose.addAllCards(cards(STRONG + " B7"))).build();
    RookView.Builder view = RookView.newBuilder().setPhase(RookPhase.ROOK_PHASE_DISCARD);
    Reply reply = ask(view.addAllHandValue(cards(STRONG + " B7")), legal);
    assertEquals(Move.discard(cards("R5")), Move.decode(reply.getMove()));
  }

  @Test
  void theDeclarerDrawsTrumps() {
    assertEquals("G1", play("B5 B14 G1 G9 R1", 0, 0));
    assertEquals("R1", play("B5 B14 G1 G9 R1", 1, 0));
  }

  @Test
  void itFeedsAPartnerWhoWins() {
    assertEquals("B10", play("B4 B7 B10", 1, 1, "B9", "B1", "B6"));
    assertEquals("B4", play("B4 B7 B10", 1, 1, "B1", "B9", "B6"));
  }

  @Test
  void itTakesATrickThatIsWorthIt() {
    assertEquals("G7", play("G7 R3 Y10", 1, 1, "B14", "B9", "B6"));
    assertEquals("R3", play("G7 R3 Y10", 1, 1, "B12", "B9", "B6"));
  }
}
