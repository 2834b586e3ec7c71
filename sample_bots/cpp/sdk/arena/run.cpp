#include "arena/run.h"

#include <grpcpp/create_channel.h>

#include <cstdlib>

#include "arena/dial.h"
#include "arena/table.h"
#include "arena/v1/arena.grpc.pb.h"

namespace arena {
namespace {

using Stream = grpc::ClientReaderWriter<v1::BotFrame, v1::ArenaFrame>;

// Answer frames until the goodbye or the end of the stream, whichever is first.
void play(Table& table, Stream& stream, const v1::BotFrame& hello) {
  bool open = stream.Write(hello);  // when a write fails there may still be a goodbye to read
  v1::ArenaFrame frame;
  while (!table.goodbye() && stream.Read(&frame)) {
    for (const v1::BotFrame& reply : table.take(frame)) open = open && stream.Write(reply);
  }
}

}  // namespace

int run(uint32_t concurrent_games) {
  const char* address = std::getenv("ARENA_ADDRESS");
  const char* token = std::getenv("ARENA_TOKEN");
  if (address == nullptr || *address == '\0') {
    log("this program plays when the arena starts it: ARENA_ADDRESS is not set, a gRPC target was expected\n"
        "fix: play it with \"arena play GAME FOLDER\", or check it with \"arena bot check FOLDER\"");
    return 2;
  }
  setenv("GRPC_VERBOSITY", "ERROR", 0);  // its notices would stand among the bot's own lines
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetInt("grpc.enable_http_proxy", 0);
  std::shared_ptr<grpc::ChannelCredentials> transport;
  try {
    transport = security(address);
  } catch (const std::exception& error) {
    log(error.what());
    return 2;
  }
  const auto channel = grpc::CreateCustomChannel(address, transport, arguments);
  const auto stub = v1::Arena::NewStub(channel);
  grpc::ClientContext context;
  const auto stream = stub->Play(&context);
  Table table;
  try {
    play(table, *stream, Table::hello(token != nullptr ? token : "", concurrent_games));
  } catch (const std::exception& error) {
    log(std::string("the bot failed: ") + error.what());
    context.TryCancel();
    return 1;
  }
  if (table.goodbye()) {
    stream->WritesDone();
    context.TryCancel();  // nothing more is said
    if (table.goodbye()->empty() || *table.goodbye() == "done") return 0;
    log("the arena sent this bot away: " + *table.goodbye());
    return 1;
  }
  const grpc::Status status = stream->Finish();
  if (status.ok()) return 0;
  log("the connection to the arena at '" + std::string(address) + "' ended: code " +
      std::to_string(status.error_code()) + ": " + status.error_message());
  return 1;
}

}  // namespace arena
