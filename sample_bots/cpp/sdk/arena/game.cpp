#include "arena/game.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "arena/v1/arena.pb.h"

namespace arena {
namespace {

template <class T>
T read(const Options& options, const std::string& name, const char* expected) {
  const std::string& text = options.json(name);
  try {
    return nlohmann::json::parse(text).get<T>();
  } catch (const nlohmann::json::exception&) {
    throw std::invalid_argument("option '" + name + "' is " + text + ", expected " + expected);
  }
}

Family family_of(const std::string& ruleset) {
  if (ruleset == "crow_and_pitcher") return Family::crow;
  return ruleset == "goat" ? Family::goat : Family::rook;
}

}  // namespace

const std::string& Options::json(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw std::out_of_range("this ruleset has no option '" + name + "'");
  return found->second;
}

int Options::number(const std::string& name) const { return read<int>(*this, name, "a number"); }

bool Options::flag(const std::string& name) const { return read<bool>(*this, name, "true or false"); }

std::string Options::text(const std::string& name) const { return read<std::string>(*this, name, "a text"); }

std::vector<int> Options::list(const std::string& name) const {
  return read<std::vector<int>>(*this, name, "a list of numbers");
}

std::map<int, int> Options::table(const std::string& name) const {
  std::map<int, int> found;
  for (const auto& [key, value] : read<std::map<std::string, int>>(*this, name, "an object of numbers")) {
    found[std::stoi(key)] = value;
  }
  return found;
}

int Random::below(int n) {
  // The standard's distributions differ from library to library; this one does not.
  const uint64_t bound = static_cast<uint64_t>(n);
  const uint64_t most = UINT64_MAX - UINT64_MAX % bound;
  uint64_t drawn = engine_();
  while (drawn >= most) drawn = engine_();
  return static_cast<int>(drawn % bound);
}

Game::Game(const v1::GameStart& start)
    : number(start.game()),
      ruleset(start.ruleset()),
      family(family_of(start.ruleset())),
      seat(static_cast<int>(start.seat())),
      seats(static_cast<int>(start.seats())),
      options(std::map<std::string, std::string>(start.options().begin(), start.options().end())),
      random(start.seed()) {
  if (start.has_partner()) partner = static_cast<int>(start.partner());
}

Result decode(const v1::GameOver& message) {
  Result result;
  switch (message.verdict()) {
    case v1::VERDICT_FINISHED:
      result.verdict = Verdict::finished;
      break;
    case v1::VERDICT_FORFEIT:
      result.verdict = Verdict::forfeit;
      break;
    case v1::VERDICT_VOID:
      result.verdict = Verdict::voided;
      break;
    default:
      break;
  }
  result.scores.assign(message.scores().begin(), message.scores().end());
  result.ranks.assign(message.ranks().begin(), message.ranks().end());
  if (message.has_forfeit_seat()) result.forfeit_seat = static_cast<int>(message.forfeit_seat());
  result.reason = message.reason();
  return result;
}

}  // namespace arena
