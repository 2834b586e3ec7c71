package arena.sdk;

import arena.v1.ArenaOuterClass;
import arena.v1.Crow.CrowView;
import java.util.List;

/** A decision in The Crow and the Pitcher. */
public final class CrowTurn extends Turn {
  private final CrowView view;

  CrowTurn(Game game, ArenaOuterClass.Turn message) {
    super(game, message, List.copyOf(message.getCrow().getHandValueList()));
    view = message.getCrow();
  }

  @Override
  Move decide(Bot bot) {
    return bot.play(this);
  }

  /** All that you know, as the protocol sends it. */
  public CrowView view() {
    return view;
  }

  @Override
  public int points(int card) {
    return game().crowRules().points(card);
  }

  /** The pitcher of this trick, 6 to 13. */
  public int pitcher() {
    return view.getPitchers(view.getPitchersCount() - 1);
  }

  /** All tricks of this round, the last one as far as it is played. */
  public List<List<Played>> tricks() {
    return Played.tricks(view.getPlayedValueList(), view.getLeadersList(), game().seats());
  }

  /** The cards of this trick, the led one first. */
  public List<Played> trick() {
    List<List<Played>> tricks = tricks();
    return tricks.get(tricks.size() - 1);
  }

  /** Who would take a trick of these cards with this turn's pitcher, and what it scores. */
  public CrowRules.Taken take(List<Integer> trick) {
    return game().crowRules().take(trick, pitcher());
  }
}
