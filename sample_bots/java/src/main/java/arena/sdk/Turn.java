package arena.sdk;

import arena.v1.ArenaOuterClass;
import java.util.List;

/**
 * One decision to be made: what the bot knows and what it may do.
 *
 * <p>Each family of games has its own kind of turn, with the table read from its view.
 */
public abstract class Turn {
  private final Game game;
  private final ArenaOuterClass.Turn message;
  private final List<Integer> hand;
  private final List<Move> moves;
  private final Choose choose;
  private StringBuilder notes;

  Turn(Game game, ArenaOuterClass.Turn message, List<Integer> hand) {
    this.game = game;
    this.message = message;
    this.hand = hand;
    this.moves = message.getLegal().getMovesList().stream().map(Move::decode).toList();
    this.choose = message.getLegal().hasChoose() ? Choose.decode(message.getLegal().getChoose()) : null;
  }

  /** The method of a bot that decides this turn. */
  abstract Move decide(Bot bot);

  /** What was told at the start of the game: ruleset, options, seats. */
  public final Game game() {
    return game;
  }

  /** The message as it came; its view is complete, a bot need not remember anything. */
  public final ArenaOuterClass.Turn message() {
    return message;
  }

  /** Number of this decision within the game, all seats counted, from 0. */
  public final int number() {
    return message.getTurn();
  }

  /** The bot's seat. */
  public final int seat() {
    return game.seat();
  }

  /** The partner's seat; {@link Game#NONE} where each seat plays for itself. */
  public final int partner() {
    return game.partner();
  }

  /** The bot's cards, ascending. */
  public final List<Integer> hand() {
    return hand;
  }

  /** All legal moves, in the arena's order; empty where cards are to be chosen. */
  public final List<Move> moves() {
    return moves;
  }

  /** The choice of n cards that this turn asks for; null where legal moves are listed. */
  public final Choose choose() {
    return choose;
  }

  /** The cards that may be played now; of a choice of n cards those to choose from. */
  public final List<Integer> cards() {
    if (choose != null) {
      return choose.cards();
    }
    return moves.stream().filter(move -> move.kind() == Move.Kind.PLAY).map(Move::card).toList();
  }

  /** Time for this move in milliseconds; {@link Game#NONE} in games without a clock. */
  public final int limitMs() {
    return message.hasLimitMs() ? message.getLimitMs() : Game.NONE;
  }

  /** The bot's bank in milliseconds before this move; {@link Game#NONE} in games without a clock. */
  public final int bankMs() {
    return message.hasBankMs() ? message.getBankMs() : Game.NONE;
  }

  /** What a card counts in this game; in The Crow and the Pitcher thirst counts below 0. */
  public abstract int points(int card);

  /** What cards count together. */
  public final int points(List<Integer> cards) {
    return cards.stream().mapToInt(this::points).sum();
  }

  /** A card as the arena writes it: "R10". */
  public final String text(int card) {
    return game.family().text(card);
  }

  /** A move as the arena writes it: "bid 80". */
  public final String text(Move move) {
    return game.family().text(move);
  }

  /** The card with this text: {@code turn.card("R10")}. Throws IllegalArgumentException. */
  public final int card(String text) {
    return game.family().card(text);
  }

  /** Add a line for your own eyes in the replay of this turn. Never shown to opponents; 2 KiB a turn. */
  public final void note(String line) {
    notes = notes == null ? new StringBuilder(line) : notes.append('\n').append(line);
  }

  /** What was noted so far in this turn. */
  public final String notes() {
    return notes == null ? "" : notes.toString();
  }

  @Override
  public String toString() {
    return game + ", turn " + number() + ", hand " + game.family().text(hand);
  }
}
