package arena.sdk;

import arena.v1.ArenaOuterClass.GameOver;
import java.util.List;

/**
 * How a game ended.
 *
 * @param verdict how
 * @param scores points by seat, higher is better; empty when the game is void
 * @param ranks places by seat, 0 is best, equal means tied; empty when the game is void
 * @param forfeitSeat the seat that forfeited, {@link Game#NONE} where none did
 * @param reason why, as a fault code; empty when the game was finished
 */
public record Result(Verdict verdict, List<Integer> scores, List<Integer> ranks, int forfeitSeat, String reason) {

  /** The ways in which a game ends. */
  public enum Verdict {
    FINISHED,
    FORFEIT,
    VOID,
    UNKNOWN
  }

  static Result decode(GameOver message) {
    Verdict verdict =
        switch (message.getVerdict()) {
          case VERDICT_FINISHED -> Verdict.FINISHED;
          case VERDICT_FORFEIT -> Verdict.FORFEIT;
          case VERDICT_VOID -> Verdict.VOID;
          case VERDICT_UNSPECIFIED, UNRECOGNIZED -> Verdict.UNKNOWN;
        };
    return new Result(
        verdict,
        List.copyOf(message.getScoresList()),
        List.copyOf(message.getRanksList()),
        message.hasForfeitSeat() ? message.getForfeitSeat() : Game.NONE,
        message.getReason());
  }
}
