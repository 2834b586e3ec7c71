package arena.sdk;

import arena.v1.ArenaOuterClass;
import arena.v1.Rook.RookView;
import java.util.ArrayList;
import java.util.List;

/** A decision in a game of the Rook family. */
public final class RookTurn extends Turn {
  private final RookView view;

  RookTurn(Game game, ArenaOuterClass.Turn message) {
    super(game, message, List.copyOf(message.getRook().getHandValueList()));
    view = message.getRook();
  }

  @Override
  Move decide(Bot bot) {
    return switch (view.getPhase()) {
      case ROOK_PHASE_AUCTION -> bot.bid(this);
      case ROOK_PHASE_DISCARD -> bot.discard(this);
      case ROOK_PHASE_TRUMP -> bot.trump(this);
      case ROOK_PHASE_PLAY -> bot.play(this);
      default -> bot.anyMove(this);
    };
  }

  /** All that you know, as the protocol sends it. */
  public RookView view() {
    return view;
  }

  /** The cards of this ruleset: pack, counters, and which card takes a trick. */
  public RookRules rules() {
    return game().rookRules();
  }

  @Override
  public int points(int card) {
    return rules().points(card);
  }

  /** Seat of the standing bid, the declarer after the auction; {@link Game#NONE} while nobody has bid. */
  public int bidder() {
    return view.hasBidder() ? view.getBidder() : Game.NONE;
  }

  /** Whether your team declares: the standing bid is yours or your partner's. */
  public boolean ours() {
    return bidder() == seat() || bidder() == partner();
  }

  /** The trump suit; {@link Game#NONE} until it is named. */
  public int trump() {
    return view.hasTrump() ? view.getTrump() : Game.NONE;
  }

  /** All tricks of this hand, the last one as far as it is played. */
  public List<List<Played>> tricks() {
    return Played.tricks(view.getPlayedValueList(), view.getLeadersList(), 4);
  }

  /** The cards of this trick, the led one first. */
  public List<Played> trick() {
    List<List<Played>> tricks = tricks();
    return tricks.isEmpty() ? List.of() : tricks.get(tricks.size() - 1);
  }

  /** The card that takes this trick so far, and whose it is; null before the lead. */
  public Played winning() {
    List<Played> trick = trick();
    return trick.isEmpty() ? null : trick.get(rules().winner(Played.cards(trick), trump()));
  }

  /** The cards that you have not seen: in other hands, in the nest or in another seat's discard. */
  public List<Integer> unseen() {
    List<Integer> unseen = new ArrayList<>(rules().cards());
    unseen.removeAll(hand());
    unseen.removeAll(view.getPlayedValueList());
    unseen.removeAll(view.getDiscardValueList());
    return unseen;
  }
}
