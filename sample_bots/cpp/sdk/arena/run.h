// A bot's connection to the arena: one stream over gRPC, from hello to goodbye.
#pragma once

#include <cstdint>

namespace arena {

// Play until the arena says goodbye: the main program of a bot. Reads ARENA_ADDRESS (a gRPC target),
// ARENA_TOKEN, and what security() reads. Returns the exit status: 0 after a goodbye or the end of the
// stream, 1 when the arena does not let it in, the connection is lost or the bot throws (said on stderr), 2
// without an address that can be dialled. concurrent_games of bot.toml decides below the number given here.
int run(uint32_t concurrent_games = 1024);

}  // namespace arena
