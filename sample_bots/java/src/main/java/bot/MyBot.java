package bot;

import arena.sdk.Arena;
import arena.sdk.Bot;
import arena.sdk.Choose;
import arena.sdk.Move;
import arena.sdk.Played;
import arena.sdk.RookRules;
import arena.sdk.RookTurn;
import arena.sdk.Turn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Plays 1-High Partnership (and, less well, the other games of the Rook family): bids what its best trump suit should
 * capture, draws trumps, cashes cards that nothing can beat, and gives counters to its partner. Elsewhere it plays at
 * random.
 */
public final class MyBot extends Bot {

  public static void main(String[] arguments) {
    Arena.run(MyBot::new);
  }

  /** The lowest bid while it is below what the hand should capture; never over the partner. */
  @Override
  public Move bid(RookTurn turn) {
    List<Move> bids = turn.moves().stream().filter(move -> move.kind() == Move.Kind.BID).toList();
    boolean mayPass = bids.size() < turn.moves().size();
    if (bids.isEmpty() || (mayPass && turn.bidder() == turn.partner())) {
      return turn.moves().get(0);
    }
    double guess = strength(turn, turn.hand(), bestTrump(turn)) * total(turn);
    turn.note(String.format("trump %s, worth %.0f", turn.game().family().suitText(bestTrump(turn)), guess));
    return mayPass && bids.get(0).number() > guess ? Move.PASS : bids.get(0);
  }

  /** Keeps trumps and sure winners; is rid of short suits first, and rather of blanks than of counters. */
  @Override
  public Move discard(RookTurn turn) {
    Choose choose = turn.choose();
    int trump = bestTrump(turn);
    Comparator<Integer> byWorth = Comparator.comparingDouble(card -> keep(turn, card, trump));
    return choose.of(choose.cards().stream().sorted(byWorth).limit(choose.size()).toList());
  }

  @Override
  public Move trump(RookTurn turn) {
    return Move.trump(bestTrump(turn));
  }

  @Override
  public Move play(RookTurn turn) {
    return Move.play(turn.trick().isEmpty() ? lead(turn) : follow(turn));
  }

  /** Every other game: any legal move, drawn from the game's own generator, so that a game can be played again. */
  @Override
  public Move anyMove(Turn turn) {
    var random = turn.game().random();
    Choose choose = turn.choose();
    if (choose == null) {
      return turn.moves().get(random.nextInt(turn.moves().size()));
    }
    List<Integer> cards = new ArrayList<>(choose.cards());
    Collections.shuffle(cards, random);
    return choose.of(cards.subList(0, choose.size()));
  }

  // The hand

  /** The share of a hand's points that the team should capture with this trump. */
  static double strength(RookTurn turn, List<Integer> hand, int trump) {
    RookRules rules = turn.rules();
    double strength = 0.34;
    for (int card : hand) {
      int above = higher(turn, card, rules.cards(), trump) - higher(turn, card, hand, trump);
      if (rules.suit(card, trump) == trump) {
        strength += 0.013 + 0.045 / (1 + above);
      } else if (above <= 2) {
        strength += 0.034 / ((1 + above) * (1 + above));
      }
      strength += 0.0006 * turn.points(card) + (card >= RookRules.ROOK ? 0.045 : 0);
    }
    for (int suit = 0; suit < 4; suit++) {
      strength += suit == trump ? 0 : 0.03 * Math.max(0, 2 - length(hand, suit));
    }
    return strength;
  }

  /** The suit with which the hand is strongest. */
  static int bestTrump(RookTurn turn) {
    Comparator<Integer> byStrength = Comparator.comparingDouble(suit -> strength(turn, turn.hand(), suit));
    return IntStream.range(0, 4).boxed().max(byStrength).orElseThrow();
  }

  /** How much a card is worth keeping when the declarer discards. */
  private static double keep(RookTurn turn, int card, int trump) {
    RookRules rules = turn.rules();
    if (rules.suit(card, trump) == trump) {
      return 100 + rules.power(card, trump);
    }
    int above = higher(turn, card, rules.cards(), trump) - higher(turn, card, turn.hand(), trump);
    if (above == 0) {
      return 50;
    }
    return 2 * length(turn.hand(), card >> 4) + 0.3 * rules.power(card, trump) - 0.4 * turn.points(card);
  }

  // The tricks

  /** Trumps while the declarer's opponents have some, then cards that win, then the cheapest. */
  private static int lead(RookTurn turn) {
    RookRules rules = turn.rules();
    int trump = turn.trump();
    List<Integer> unseen = turn.unseen();
    boolean trumpsOut = unseen.stream().anyMatch(card -> rules.suit(card, trump) == trump);
    List<Integer> masters = turn.cards().stream().filter(card -> higher(turn, card, unseen, trump) == 0).toList();
    List<Integer> trumps = masters.stream().filter(card -> rules.suit(card, trump) == trump).toList();
    List<Integer> plain = masters.stream().filter(card -> !trumps.contains(card)).toList();
    if (turn.ours() && trumpsOut && !trumps.isEmpty()) {
      return highest(turn, trumps);
    }
    if (!plain.isEmpty()) {
      return dearest(turn, plain);
    }
    return cheapest(turn, turn.cards());
  }

  /** Feeds a partner who wins, takes a trick that is worth it, else throws what is cheapest. */
  private static int follow(RookTurn turn) {
    RookRules rules = turn.rules();
    int trump = turn.trump();
    List<Integer> unseen = turn.unseen();
    Played winning = turn.winning();
    boolean last = turn.trick().size() == 3;
    if (winning.seat() == turn.partner()) {
      boolean safe = last || unseen.stream().noneMatch(card -> rules.beats(card, winning.card(), trump));
      return safe ? dearest(turn, turn.cards()) : cheapest(turn, turn.cards());
    }
    int pot = turn.points(Played.cards(turn.trick()));
    List<Integer> wins = turn.cards().stream().filter(card -> rules.beats(card, winning.card(), trump)).toList();
    List<Integer> sure = wins.stream().filter(card -> last || higher(turn, card, unseen, trump) == 0).toList();
    if (!sure.isEmpty()) {
      int card = last ? dearest(turn, sure) : cheapest(turn, sure);
      if (rules.suit(card, trump) != trump || pot + turn.points(card) >= 5) {
        return card;
      }
    }
    return pot >= 10 && !wins.isEmpty() ? highest(turn, wins) : cheapest(turn, turn.cards());
  }

  /** How many of these cards are of a card's suit and above it. */
  private static int higher(RookTurn turn, int card, List<Integer> cards, int trump) {
    RookRules rules = turn.rules();
    int suit = rules.suit(card, trump);
    int power = rules.power(card, trump);
    return (int) cards.stream().filter(c -> rules.suit(c, trump) == suit && rules.power(c, trump) > power).count();
  }

  /** The card of the fewest points, of equal ones the weakest. */
  private static int cheapest(RookTurn turn, List<Integer> cards) {
    Comparator<Integer> byPoints = Comparator.comparingInt(turn::points);
    return cards.stream().min(byPoints.thenComparing(power(turn))).orElseThrow();
  }

  /** The card of the most points, of equal ones the weakest. */
  private static int dearest(RookTurn turn, List<Integer> cards) {
    Comparator<Integer> byPoints = Comparator.comparingInt(turn::points);
    return cards.stream().max(byPoints.thenComparing(power(turn).reversed())).orElseThrow();
  }

  private static int highest(RookTurn turn, List<Integer> cards) {
    return cards.stream().max(power(turn)).orElseThrow();
  }

  private static Comparator<Integer> power(RookTurn turn) {
    return Comparator.comparingInt(card -> turn.rules().power(card, turn.trump()));
  }

  private static int length(List<Integer> hand, int suit) {
    return (int) hand.stream().filter(card -> card >> 4 == suit).count();
  }

  /** Points of a hand, bonuses included. */
  private static int total(RookTurn turn) {
    return turn.points(turn.rules().cards()) + turn.game().option("trick_bonus") + turn.game().option("last_bonus");
  }
}
