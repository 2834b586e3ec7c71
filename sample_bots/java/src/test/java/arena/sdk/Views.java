package arena.sdk;

import static arena.sdk.Events.numbers;
import static arena.sdk.Events.orNull;
import static arena.sdk.Events.texts;

import arena.v1.Crow.CrowView;
import arena.v1.Goat.GoatResult;
import arena.v1.Goat.GoatView;
import arena.v1.Rook.RookResult;
import arena.v1.Rook.RookView;
import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Locale;

/** Views as data, with cards as texts, in the form of the recorded frames. */
final class Views {

  private Views() {}

  static JsonObject data(Turn turn) {
    if (turn instanceof RookTurn rook) {
      return rook(rook);
    }
    return turn instanceof CrowTurn crow ? crow(crow) : goat((GoatTurn) turn);
  }

  private static JsonObject rook(RookTurn turn) {
    RookView view = turn.view();
    JsonObject data = new JsonObject();
    data.addProperty("seat", view.getSeat());
    data.addProperty("phase", word(view.getPhase(), "ROOK_PHASE_"));
    data.addProperty("hand_number", view.getHandNumber());
    data.addProperty("redeals", view.getRedeals());
    data.addProperty("dealer", view.getDealer());
    data.add("hand", cards(turn, turn.hand()));
    data.add("bid_seats", numbers(view.getBidSeatsList()));
    data.add("bid_points", numbers(view.getBidPointsList()));
    data.addProperty("bid", view.getBid());
    data.add("bidder", orNull(turn.bidder()));
    data.add("nest", cards(turn, view.getNestValueList()));
    data.add("discard", cards(turn, view.getDiscardValueList()));
    data.add("trump", JsonNull.INSTANCE);
    if (turn.trump() != Game.NONE) {
      data.addProperty("trump", Family.ROOK.suitText(turn.trump()));
    }
    data.add("played", cards(turn, Played.cards(turn.tricks().stream().flatMap(List::stream).toList())));
    data.add("leaders", numbers(view.getLeadersList()));
    data.add("captured", numbers(view.getCapturedList()));
    data.add("scores", numbers(view.getScoresList()));
    JsonArray results = new JsonArray();
    for (RookResult each : view.getResultsList()) {
      JsonObject result = new JsonObject();
      result.add("declarer", orNull(each.hasDeclarer() ? each.getDeclarer() : Game.NONE));
      result.addProperty("bid", each.getBid());
      result.add("captured", numbers(each.getCapturedList()));
      results.add(result);
    }
    data.add("results", results);
    return data;
  }

  private static JsonObject crow(CrowTurn turn) {
    CrowView view = turn.view();
    JsonObject data = new JsonObject();
    data.addProperty("seat", view.getSeat());
    data.addProperty("round", view.getRound());
    data.addProperty("dealer", view.getDealer());
    data.add("hand", cards(turn, turn.hand()));
    data.add("pitchers", numbers(view.getPitchersList()));
    data.add("played", cards(turn, view.getPlayedValueList()));
    data.add("leaders", numbers(view.getLeadersList()));
    data.add("round_scores", numbers(view.getRoundScoresList()));
    data.add("scores", numbers(view.getScoresList()));
    data.add("results", numbers(view.getResultsList()));
    return data;
  }

  private static JsonObject goat(GoatTurn turn) {
    GoatView view = turn.view();
    List<GoatTurn.Act> acts = turn.acts();
    JsonObject data = new JsonObject();
    data.addProperty("seat", view.getSeat());
    data.addProperty("phase", word(view.getPhase(), "GOAT_PHASE_"));
    data.addProperty("deal_number", view.getDealNumber());
    data.addProperty("dealer", view.getDealer());
    data.addProperty("leader", view.getLeader());
    data.add("hand", cards(turn, turn.hand()));
    data.addProperty("trump", Family.GOAT.suitText(turn.trump()));
    data.addProperty("trump_card", turn.text(view.getTrumpCardValue()));
    data.addProperty("stock", view.getStock());
    data.add("act_seats", numbers(acts.stream().map(GoatTurn.Act::seat).toList()));
    data.add("acts", texts(acts.stream().map(act -> word(act.kind(), "GOAT_ACT_")).toList()));
    data.add("act_counts", numbers(acts.stream().map(GoatTurn.Act::size).toList()));
    data.add("act_cards", cards(turn, acts.stream().flatMap(act -> act.cards().stream()).toList()));
    data.add("received", cards(turn, view.getReceivedValueList()));
    data.add("points", numbers(view.getPointsList()));
    data.add("tricks", numbers(view.getTricksList()));
    data.add("defeats", numbers(view.getDefeatsList()));
    JsonArray results = new JsonArray();
    for (GoatResult each : view.getResultsList()) {
      JsonObject result = new JsonObject();
      result.add("points", numbers(each.getPointsList()));
      result.add("defeats", numbers(each.getDefeatsList()));
      results.add(result);
    }
    data.add("results", results);
    return data;
  }

  private static JsonArray cards(Turn turn, List<Integer> cards) {
    return texts(cards.stream().map(turn::text).toList());
  }

  private static String word(Enum<?> value, String prefix) {
    return value.name().substring(prefix.length()).toLowerCase(Locale.ROOT);
  }
}
