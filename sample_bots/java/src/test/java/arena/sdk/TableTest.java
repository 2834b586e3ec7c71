package arena.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import arena.v1.ArenaOuterClass;
import arena.v1.ArenaOuterClass.ArenaEvent;
import arena.v1.ArenaOuterClass.ArenaFrame;
import arena.v1.ArenaOuterClass.BotEvent;
import arena.v1.ArenaOuterClass.BotFrame;
import arena.v1.ArenaOuterClass.GameOver;
import arena.v1.ArenaOuterClass.GameStart;
import arena.v1.ArenaOuterClass.Goodbye;
import arena.v1.ArenaOuterClass.Legal;
import arena.v1.ArenaOuterClass.MoveKind;
import arena.v1.ArenaOuterClass.Rejected;
import arena.v1.ArenaOuterClass.Reply;
import arena.v1.Crow.CrowView;
import arena.v1.Rook.RookPhase;
import arena.v1.Rook.RookView;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Frames in, frames out: several games at once, answers that are not legal, notes. */
class TableTest {
  private final List<String> told = new ArrayList<>();

  private final class Last extends Bot {
    private int turns;

    @Override
    public void started(Game game) {
      told.add("started " + game.number());
    }

    @Override
    public void over(Game game, Result result) {
      told.add("over " + game.number() + " " + result.verdict());
    }

    @Override
    public void rejected(Game game, int turn, String reason) {
      told.add("rejected " + game.number() + " " + turn + " " + reason);
    }

    @Override
    public Move play(CrowTurn turn) {
      turns++;
      turn.note("turn " + turns);
      turn.note("of mine");
      return Move.play(turn.cards().get(turn.cards().size() - 1));
    }
  }

  private static ArenaEvent start(int game, long seed) {
    GameStart.Builder start = GameStart.newBuilder().setGame(game).setRuleset("crow_and_pitcher").setSeats(4);
    return ArenaEvent.newBuilder().setGameStart(start.setSeed(seed)).build();
  }

  private static ArenaEvent turn(int game, int turn) {
    Legal.Builder legal = Legal.newBuilder();
    for (int card : List.of(4, 26)) {
      legal.addMoves(ArenaOuterClass.Move.newBuilder().setPlay(card));
    }
    CrowView view = CrowView.newBuilder().addPitchers(9).addLeaders(0).build();
    var message = ArenaOuterClass.Turn.newBuilder().setGame(game).setTurn(turn).setCrow(view).setLegal(legal);
    return ArenaEvent.newBuilder().setTurn(message).build();
  }

  private static ArenaFrame frame(ArenaEvent... events) {
    return ArenaFrame.newBuilder().addAllEvents(List.of(events)).build();
  }

  private static BotEvent reply(int game, int turn, String note) {
    Reply reply = Reply.newBuilder().setGame(game).setTurn(turn).setChoice(1).setNote(note).build();
    return BotEvent.newBuilder().setReply(reply).build();
  }

  @Test
  void allTurnsOfAFrameAreAnsweredInOneByABotForEachGame() {
    Table table = new Table(Last::new);
    assertEquals(List.of(), table.frame(frame(start(1, 7), start(2, 8))));
    List<BotFrame> frames = table.frame(frame(turn(2, 0), ArenaEvent.getDefaultInstance(), turn(1, 5), turn(2, 4)));
    BotFrame expected =
        BotFrame.newBuilder()
            .addEvents(reply(2, 0, "turn 1\nof mine"))
            .addEvents(reply(1, 5, "turn 1\nof mine"))
            .addEvents(reply(2, 4, "turn 2\nof mine"))
            .build();
    assertEquals(List.of(expected), frames);
  }

  @Test
  void aBotIsToldOfItsGameOnly() {
    Table table = new Table(Last::new);
    Rejected.Builder rejected = Rejected.newBuilder().setGame(2).setTurn(3).setReason("TIMEOUT: late");
    GameOver.Builder over = GameOver.newBuilder().setGame(1).setVerdictValue(1);
    table.frame(
        frame(
            start(1, 7),
            start(2, 8),
            ArenaEvent.newBuilder().setRejected(rejected).build(),
            ArenaEvent.newBuilder().setGameOver(over).build()));
    assertEquals(List.of("started 1", "started 2", "rejected 2 3 TIMEOUT: late", "over 1 FINISHED"), told);
    assertNull(table.goodbye());
    table.frame(frame(ArenaEvent.newBuilder().setGoodbye(Goodbye.newBuilder().setReason("done")).build()));
    assertEquals("done", table.goodbye());
    assertThrows(IllegalStateException.class, () -> table.frame(frame(turn(1, 6))));
  }

  @Test
  void anIllegalMoveIsRefusedWithWhatWasLegal() {
    Table table =
        new Table(
            () ->
                new Bot() {
                  @Override
                  public Move play(CrowTurn turn) {
                    return Move.play(turn.card("T10"));
                  }

                  @Override
                  public Move discard(RookTurn turn) {
                    return turn.choose().of(List.of(5));
                  }
                });
    table.frame(frame(start(1, 7)));
    var error = assertThrows(IllegalStateException.class, () -> table.frame(frame(turn(1, 5))));
    assertEquals(
        ", game 1 (crow_and_pitcher, seat 0), turn 5: returned T10, which is not legal; legal: R4, G10",
        error.getMessage());
    table.start(GameStart.newBuilder().setGame(2).setRuleset("crowsnest").build());
    error = assertThrows(IllegalStateException.class, () -> table.turn(discard(2)));
    assertEquals(
        ", game 2 (crowsnest, seat 0), turn 0: returned discard B5, which is not legal; "
            + "legal: discard of 2 different cards of B5 B6 ROOK",
        error.getMessage());
  }

  @Test
  void aBotWithoutMethodsPlaysLegally() {
    Table table = new Table(() -> new Bot() {});
    table.start(GameStart.newBuilder().setGame(2).setRuleset("crowsnest").build());
    assertEquals(Move.discard(List.of(5, 6)), Move.decode(table.turn(discard(2)).getMove()));
  }

  private static ArenaOuterClass.Turn discard(int game) {
    var choose = ArenaOuterClass.Choose.newBuilder().setKind(MoveKind.MOVE_KIND_DISCARD).setCount(2);
    Legal legal = Legal.newBuilder().setChoose(choose.addAllCards(List.of(5, 6, 65))).build();
    RookView view = RookView.newBuilder().setPhase(RookPhase.ROOK_PHASE_DISCARD).build();
    return ArenaOuterClass.Turn.newBuilder().setGame(game).setRook(view).setLegal(legal).build();
  }

  @Test
  void aGameHasARandomGeneratorOfItsOwn() {
    Game game = new Game(start(1, -1).getGameStart());
    long first = game.random().nextLong();
    assertEquals(first, new Game(start(2, -1).getGameStart()).random().nextLong());
    assertNotEquals(first, new Game(start(1, 7).getGameStart()).random().nextLong());
  }

  @Test
  void aLongNoteIsCutBetweenCharacters() {
    assertEquals("short", Table.cut("short"));
    assertEquals("x" + "♠".repeat(682), Table.cut("x" + "♠".repeat(2000)));
    assertEquals("♠".repeat(682), Table.cut("♠".repeat(683)));
  }

  @Test
  void manyRepliesAreSplitBelowTheArenasLimit() {
    Table table =
        new Table(
            () ->
                new Bot() {
                  @Override
                  public Move play(CrowTurn turn) {
                    turn.note("n".repeat(2000));
                    return turn.moves().get(1);
                  }
                });
    table.frame(frame(start(1, 7)));
    ArenaFrame.Builder turns = ArenaFrame.newBuilder();
    for (int turn = 0; turn < 150; turn++) {
      turns.addEvents(turn(1, turn));
    }
    List<BotFrame> frames = table.frame(turns.build());
    assertEquals(List.of(75, 75), frames.stream().map(BotFrame::getEventsCount).toList());
  }
}
