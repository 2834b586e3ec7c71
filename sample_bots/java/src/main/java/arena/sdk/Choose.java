package arena.sdk;

import arena.v1.ArenaOuterClass;
import java.util.HashSet;
import java.util.List;

/**
 * Any {@code size} different cards of {@code cards}, where a list of all such moves would be long.
 *
 * @param kind which move it is
 * @param size how many cards to choose
 * @param cards the cards to choose from, ascending
 */
public record Choose(Move.Kind kind, int size, List<Integer> cards) {

  static Choose decode(ArenaOuterClass.Choose message) {
    Move.Kind kind =
        switch (message.getKind()) {
          case MOVE_KIND_DISCARD -> Move.Kind.DISCARD;
          case MOVE_KIND_LEAD -> Move.Kind.LEAD;
          case MOVE_KIND_BEAT -> Move.Kind.BEAT;
          case MOVE_KIND_DROP -> Move.Kind.DROP;
          case MOVE_KIND_UNSPECIFIED, UNRECOGNIZED -> Move.Kind.UNKNOWN;
        };
    return new Choose(kind, message.getCount(), List.copyOf(message.getCardsList()));
  }

  /** The move that chooses these cards. */
  public Move of(List<Integer> chosen) {
    return Move.of(kind, chosen);
  }

  /** Whether a move is one of those asked for. */
  public boolean allows(Move move) {
    var chosen = new HashSet<>(move.cards());
    return move.kind() == kind && move.cards().size() == size && chosen.size() == size && cards.containsAll(chosen);
  }
}
