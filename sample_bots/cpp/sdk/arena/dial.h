// How a bot reaches the arena: a unix socket in the clear, anything else over TLS. It knows addresses, no frames.
#pragma once

#include <grpcpp/security/credentials.h>

#include <memory>
#include <string>

namespace arena {

// What protects the connection to an address.
//
// ARENA_TLS_CA names a PEM file with the certificates that are trusted, instead of the system's. ARENA_INSECURE=1 turns
// TLS off for an arena on this machine, for tests; anywhere else it would show the token to others. Throws
// std::runtime_error where these do not say how to reach the arena safely.
std::shared_ptr<grpc::ChannelCredentials> security(const std::string& address);

}  // namespace arena
