package arena.sdk;

/** A bot's method returned something that is no legal move of its turn. */
public final class IllegalMoveException extends RuntimeException {
  private static final long serialVersionUID = 1;

  IllegalMoveException(Turn turn, Move move) {
    super("returned " + (move == null ? "null" : turn.text(move)) + ", which is not legal; legal: " + legal(turn));
  }

  private static String legal(Turn turn) {
    Choose choose = turn.choose();
    if (choose != null) {
      String cards = turn.game().family().text(choose.cards());
      return choose.kind().word() + " of " + choose.size() + " different cards of " + cards;
    }
    return String.join(", ", turn.moves().stream().map(turn::text).toList());
  }
}
