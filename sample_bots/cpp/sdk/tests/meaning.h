// What frames mean, as the JSON of the recorded vectors; and frames made from such JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "arena/v1/arena.pb.h"

namespace arena {

// The events of a frame from the arena, in order. Games are known from their GameStart, or by the family of
// the view.
nlohmann::json meaning(const v1::ArenaFrame& frame);

// A frame from a bot that says these events.
v1::BotFrame frame_of(const nlohmann::json& events);

}  // namespace arena
