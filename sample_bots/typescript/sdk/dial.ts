/** How a bot reaches the arena: a unix socket in the clear, anything else over TLS. It knows addresses, no frames. */

import { credentials, type ChannelCredentials } from "@grpc/grpc-js";
import { readFileSync } from "node:fs";

/** Variables of the process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What protects the connection to an address. Throws where the variables do not say how to reach the arena safely.
 *
 * ARENA_TLS_CA names a PEM file with the certificates that are trusted, instead of the system's. ARENA_INSECURE=1 turns
 * TLS off for an arena on this machine, for tests; anywhere else it would show the token to others.
 */
export function security(address: string, variables: Variables): ChannelCredentials {
  if (isPlain(address, variables)) return credentials.createInsecure();
  const file = variables["ARENA_TLS_CA"];
  if (!file) return credentials.createSsl();
  let trusted: Buffer;
  try {
    trusted = readFileSync(file);
  } catch (error) {
    throw new Error(`ARENA_TLS_CA: ${(error as Error).message}`);
  }
  return credentials.createSsl(trusted);
}

/** Whether an address is dialled without TLS. Throws for a token that would cross a network so. */
export function isPlain(address: string, variables: Variables): boolean {
  if (/^unix(-abstract)?:/.test(address)) return true;
  if (variables["ARENA_INSECURE"] !== "1") return false;
  const host = address.slice(address.lastIndexOf("/") + 1).replace(/:\d+$/, "");
  if (/^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host)) return true;
  throw new Error(`ARENA_INSECURE is for this machine only, not for ${JSON.stringify(address)}`);
}
