#include "arena/dial.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>

namespace arena {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Whether an address is on this machine.
bool loopback(const std::string& address) {
  const std::string target = address.substr(address.rfind('/') + 1);  // of all of it where there is none
  return std::regex_match(target, std::regex(R"((localhost|127\.[0-9.]+|\[::1\]):[0-9]+)"));
}

}  // namespace

std::shared_ptr<grpc::ChannelCredentials> security(const std::string& address) {
  if (address.rfind("unix:", 0) == 0 || address.rfind("unix-abstract:", 0) == 0) {
    return grpc::InsecureChannelCredentials();
  }
  if (variable("ARENA_INSECURE") == "1") {
    if (!loopback(address)) {
      throw std::runtime_error("ARENA_INSECURE is for this machine only, not for '" + address + "'");
    }
    return grpc::InsecureChannelCredentials();
  }
  grpc::SslCredentialsOptions options;
  const std::string file = variable("ARENA_TLS_CA");
  if (!file.empty()) {
    std::ifstream trusted(file);
    if (!trusted) throw std::runtime_error("ARENA_TLS_CA: '" + file + "' cannot be read");
    options.pem_root_certs.assign(std::istreambuf_iterator<char>(trusted), {});
  }
  return grpc::SslCredentials(options);
}

}  // namespace arena
