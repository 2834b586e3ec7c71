// The recorded frames, in a file of the arena's repository: a folder that was copied out of it has them only
// where the environment says ARENA_VECTORS.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace arena {

// The lines of the file; none when there is no such file.
std::optional<std::vector<nlohmann::json>> read_vectors();

// The bytes of a line's frame.
std::string bytes_of(const nlohmann::json& line);

}  // namespace arena
