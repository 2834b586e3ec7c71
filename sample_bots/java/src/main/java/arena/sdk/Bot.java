package arena.sdk;

/**
 * A player. Every game gets an object of its own, so that fields may remember what they like during a game.
 *
 * <p>Each method gets a turn and returns one of its legal moves. A method that is not overridden plays {@link
 * #anyMove}, so that an empty subclass plays every game.
 */
public abstract class Bot {

  /** A game begins. */
  public void started(Game game) {}

  /** The game is over. */
  public void over(Game game, Result result) {}

  /** The answer to a turn was not taken, and the default move was played: too late, or illegal. */
  public void rejected(Game game, int turn, String reason) {
    log(game + ", turn " + turn + ": not taken: " + reason);
  }

  /** Rook: bid or pass. */
  public Move bid(RookTurn turn) {
    return anyMove(turn);
  }

  /** Rook: discard {@code turn.choose().size()} of the cards in hand. */
  public Move discard(RookTurn turn) {
    return anyMove(turn);
  }

  /** Rook: name trump. */
  public Move trump(RookTurn turn) {
    return anyMove(turn);
  }

  /** Rook: play one of {@code turn.cards()}. */
  public Move play(RookTurn turn) {
    return anyMove(turn);
  }

  /** The Crow and the Pitcher: play one of {@code turn.cards()}. */
  public Move play(CrowTurn turn) {
    return anyMove(turn);
  }

  /** Goat with {@code molodka} = before_trick: call it or pass. */
  public Move molodka(GoatTurn turn) {
    return anyMove(turn);
  }

  /** Goat: lead cards of one suit. */
  public Move lead(GoatTurn turn) {
    return anyMove(turn);
  }

  /** Goat: beat, drop or call molodka. */
  public Move answer(GoatTurn turn) {
    return anyMove(turn);
  }

  /** Any decision for which no method is written: the first legal move. */
  public Move anyMove(Turn turn) {
    Choose choose = turn.choose();
    return choose == null ? turn.moves().get(0) : choose.of(choose.cards().subList(0, choose.size()));
  }

  /** A line on stderr, which the arena keeps for you. */
  public static void log(String line) {
    System.err.println(line);
  }
}
