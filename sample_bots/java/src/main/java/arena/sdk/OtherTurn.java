package arena.sdk;

import arena.v1.ArenaOuterClass;
import java.util.List;

/** A decision whose view is newer than this SDK; its legal moves can still be read and chosen. */
final class OtherTurn extends Turn {

  OtherTurn(Game game, ArenaOuterClass.Turn message) {
    super(game, message, List.of());
  }

  @Override
  Move decide(Bot bot) {
    return bot.anyMove(this);
  }

  @Override
  public int points(int card) {
    return 0;
  }
}
