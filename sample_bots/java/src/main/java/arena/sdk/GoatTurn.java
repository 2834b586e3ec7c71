package arena.sdk;

import arena.v1.ArenaOuterClass;
import arena.v1.Goat.GoatAct;
import arena.v1.Goat.GoatView;
import java.util.ArrayList;
import java.util.List;

/** A decision in Goat. */
public final class GoatTurn extends Turn {
  private final GoatView view;

  /**
   * What a seat did in a deal.
   *
   * @param seat who
   * @param kind what
   * @param size how many cards it put down
   * @param cards those that you may know: empty for a drop of another seat
   */
  public record Act(int seat, GoatAct kind, int size, List<Integer> cards) {}

  GoatTurn(Game game, ArenaOuterClass.Turn message) {
    super(game, message, List.copyOf(message.getGoat().getHandValueList()));
    view = message.getGoat();
  }

  @Override
  Move decide(Bot bot) {
    return switch (view.getPhase()) {
      case GOAT_PHASE_ASK -> bot.molodka(this);
      case GOAT_PHASE_LEAD -> bot.lead(this);
      case GOAT_PHASE_ANSWER -> bot.answer(this);
      default -> bot.anyMove(this);
    };
  }

  /** All that you know, as the protocol sends it. */
  public GoatView view() {
    return view;
  }

  @Override
  public int points(int card) {
    return switch (card & 15) {
      case 10 -> 2;
      case 11 -> 3;
      case 12 -> 4;
      case 13 -> 10;
      case 14 -> 11;
      default -> 0;
    };
  }

  /** The trump suit. */
  public int trump() {
    return view.getTrump();
  }

  /** Whether one card beats another: higher of the same suit, or a trump against a plain card. */
  public boolean beats(int card, int other) {
    return card >> 4 == other >> 4 ? card > other : card >> 4 == trump();
  }

  /** Everything done in this deal, in order. */
  public List<Act> acts() {
    List<Act> acts = new ArrayList<>();
    int first = 0;
    for (int index = 0; index < view.getActsCount(); index++) {
      int seat = view.getActSeats(index);
      int size = view.getActCounts(index);
      GoatAct kind = view.getActs(index);
      int shown = kind == GoatAct.GOAT_ACT_DROP && seat != view.getSeat() ? 0 : size;
      acts.add(new Act(seat, kind, size, List.copyOf(view.getActCardsValueList().subList(first, first + shown))));
      first += shown;
    }
    return acts;
  }

  /** What was done in this trick since its lead, or since the molodka; empty before the lead. */
  public List<Act> trick() {
    if (view.getPhase() != arena.v1.Goat.GoatPhase.GOAT_PHASE_ANSWER) {
      return List.of();
    }
    List<Act> acts = acts();
    int first = acts.size() - 1;
    while (acts.get(first).kind() != GoatAct.GOAT_ACT_LEAD && acts.get(first).kind() != GoatAct.GOAT_ACT_MOLODKA) {
      first--;
    }
    return acts.subList(first, acts.size());
  }

  /** The act that takes this trick so far: the last that beat, or the lead; null before the lead. */
  public Act winning() {
    Act winning = null;
    for (Act act : trick()) {
      winning = act.kind() == GoatAct.GOAT_ACT_DROP ? winning : act;
    }
    return winning;
  }
}
