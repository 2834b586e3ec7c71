package arena.sdk;

import arena.v1.ArenaOuterClass;
import arena.v1.ArenaOuterClass.CardSet;
import java.util.List;
import java.util.Locale;

/**
 * One decision. Moves are equal if they mean the same, wherever they were made.
 *
 * @param kind what is done
 * @param cards the card of a play; the cards of a discard, lead, beat or drop, ascending; else empty
 * @param number the points of a bid, the suit number of a trump; else 0
 */
public record Move(Kind kind, List<Integer> cards, int number) {

  /** What a move does. */
  public enum Kind {
    PLAY,
    BID,
    PASS,
    TRUMP,
    DISCARD,
    LEAD,
    BEAT,
    DROP,
    MOLODKA,
    /** Newer than this SDK; it may still be chosen. */
    UNKNOWN;

    /** The kind as the arena writes it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Pass; also: decline a molodka. */
  public static final Move PASS = new Move(Kind.PASS, List.of(), 0);

  /** Call molodka. */
  public static final Move MOLODKA = new Move(Kind.MOLODKA, List.of(), 0);

  /** Play this card. */
  public static Move play(int card) {
    return new Move(Kind.PLAY, List.of(card), 0);
  }

  /** Bid these points. */
  public static Move bid(int points) {
    return new Move(Kind.BID, List.of(), points);
  }

  /** Name this suit trump. */
  public static Move trump(int suit) {
    return new Move(Kind.TRUMP, List.of(), suit);
  }

  /** Discard these cards. */
  public static Move discard(List<Integer> cards) {
    return of(Kind.DISCARD, cards);
  }

  /** Lead these cards of one suit. */
  public static Move lead(List<Integer> cards) {
    return of(Kind.LEAD, cards);
  }

  /** Beat with these cards. */
  public static Move beat(List<Integer> cards) {
    return of(Kind.BEAT, cards);
  }

  /** Drop these cards face down. */
  public static Move drop(List<Integer> cards) {
    return of(Kind.DROP, cards);
  }

  /** A move of several cards, in any order. */
  static Move of(Kind kind, List<Integer> cards) {
    return new Move(kind, cards.stream().sorted().toList(), 0);
  }

  /** The first card of the move: of a play its only one. */
  public int card() {
    return cards.get(0);
  }

  /** A move from its message; of a kind newer than this SDK an unknown one, which may still be chosen. */
  public static Move decode(ArenaOuterClass.Move message) {
    return switch (message.getKindCase()) {
      case PLAY -> play(message.getPlay());
      case BID -> bid(message.getBid());
      case PASS -> PASS;
      case NAME_TRUMP -> trump(message.getNameTrump());
      case DISCARD -> discard(message.getDiscard().getCardsList());
      case LEAD -> lead(message.getLead().getCardsList());
      case BEAT -> beat(message.getBeat().getCardsList());
      case DROP -> drop(message.getDrop().getCardsList());
      case MOLODKA -> MOLODKA;
      case KIND_NOT_SET -> new Move(Kind.UNKNOWN, List.of(), 0);
    };
  }

  /** The message of a move. */
  public ArenaOuterClass.Move encode() {
    var message = ArenaOuterClass.Move.newBuilder();
    switch (kind) {
      case PLAY -> message.setPlay(card());
      case BID -> message.setBid(number);
      case PASS -> message.setPass(true);
      case TRUMP -> message.setNameTrump(number);
      case DISCARD -> message.setDiscard(set());
      case LEAD -> message.setLead(set());
      case BEAT -> message.setBeat(set());
      case DROP -> message.setDrop(set());
      case MOLODKA -> message.setMolodka(true);
      case UNKNOWN -> throw new IllegalArgumentException("a move of an unknown kind cannot be written");
    }
    return message.build();
  }

  private CardSet set() {
    return CardSet.newBuilder().addAllCards(cards).build();
  }
}
