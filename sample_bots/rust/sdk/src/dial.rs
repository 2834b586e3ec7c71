//! How a bot reaches the arena: a unix socket in the clear, anything else over TLS. It knows addresses, no frames.

use std::env;

use tonic::transport::Endpoint;

use crate::table::BotError;

/// The way to an address, and what protects it.
///
/// ARENA_TLS_CA names a PEM file with the certificates that are trusted, instead of the system's. ARENA_INSECURE=1 turns
/// TLS off for an arena on this machine, for tests; anywhere else it would show the token to others.
pub(crate) fn endpoint(address: &str) -> Result<Endpoint, BotError> {
    if is_plain(address, &variable("ARENA_INSECURE"))? {
        return made(uri("http", address));
    }
    secure(made(uri("https", address))?, &variable("ARENA_TLS_CA"))
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

fn made(uri: String) -> Result<Endpoint, BotError> {
    Endpoint::from_shared(uri.clone()).map_err(|error| BotError(format!("cannot dial {uri:?}: {error}")))
}

#[cfg(feature = "tls")]
fn secure(endpoint: Endpoint, file: &str) -> Result<Endpoint, BotError> {
    use tonic::transport::{Certificate, ClientTlsConfig};
    let mut config = ClientTlsConfig::new();
    if file.is_empty() {
        config = config.with_native_roots();
    } else {
        let trusted = std::fs::read(file).map_err(|error| BotError(format!("ARENA_TLS_CA: {file:?}: {error}")))?;
        config = config.ca_certificate(Certificate::from_pem(trusted));
    }
    endpoint.tls_config(config).map_err(|error| BotError(format!("ARENA_TLS_CA: {file:?}: {error}")))
}

#[cfg(not(feature = "tls"))]
fn secure(_endpoint: Endpoint, _file: &str) -> Result<Endpoint, BotError> {
    Err(BotError("this bot was built without TLS; build it with: cargo build --release --features tls".to_string()))
}

/// Whether an address is dialled without TLS; an error for a token that would cross a network so.
fn is_plain(address: &str, insecure: &str) -> Result<bool, BotError> {
    if address.starts_with("unix:") {
        return Ok(true);
    }
    if insecure != "1" {
        return Ok(false);
    }
    let target = address.rsplit('/').next().unwrap_or_default();
    let host = target.rsplit_once(':').map_or(target, |(host, _)| host);
    let numbers = host.strip_prefix("127.").is_some_and(|rest| rest.chars().all(|c| c == '.' || c.is_ascii_digit()));
    if numbers || host == "localhost" || host == "[::1]" {
        return Ok(true);
    }
    Err(BotError(format!("ARENA_INSECURE is for this machine only, not for {address:?}")))
}

/// What tonic takes for a gRPC target: unix sockets as they are, anything else over HTTP.
fn uri(scheme: &str, address: &str) -> String {
    if address.starts_with("unix:") {
        return address.to_string();
    }
    let host = address.strip_prefix("dns:").unwrap_or(address);
    format!("{scheme}://{}", host.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_of_grpc_become_what_tonic_takes() {
        assert_eq!(uri("http", "unix:/run/arena/seat.sock"), "unix:/run/arena/seat.sock");
        assert_eq!(uri("http", "127.0.0.1:4711"), "http://127.0.0.1:4711");
        assert_eq!(uri("https", "dns:///localhost:4711"), "https://localhost:4711");
    }

    #[test]
    fn only_a_unix_socket_or_this_machine_is_dialled_in_the_clear() {
        assert!(is_plain("unix:/run/arena/seat.sock", "").unwrap());
        for address in ["127.0.0.1:1", "localhost:1", "dns:///localhost:1", "[::1]:1"] {
            assert!(!is_plain(address, "").unwrap(), "{address}");
            assert!(is_plain(address, "1").unwrap(), "{address}");
        }
        for address in ["arena.example.org:1", "127.evil.example:1", "dns:///arena.example.org:1"] {
            assert!(is_plain(address, "1").is_err(), "{address}");
        }
    }
}
