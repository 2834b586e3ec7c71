/**
 * The messages of the protocol as TypeScript sees them, and frames to and from bytes.
 *
 * What they mean is written in `protos/arena/v1/*.proto`, which are read when the program starts; the fields have the
 * same names here, in camel case. Fields that are newer than these files are ignored.
 */

import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";

/** A card: `suit << 4 | rank`. */
export type Card = number;

export interface ArenaFrame {
  readonly events: readonly ArenaEvent[];
}

/** Exactly one is there; none of them where the event is newer than this SDK. */
export interface ArenaEvent {
  readonly welcome?: Welcome | null;
  readonly gameStart?: GameStart | null;
  readonly turn?: TurnMessage | null;
  readonly rejected?: Rejected | null;
  readonly gameOver?: GameOver | null;
  readonly goodbye?: Goodbye | null;
}

export interface Welcome {
  readonly version: string;
  readonly limits?: { readonly frameBytes: number; readonly noteBytes: number; readonly gameNoteBytes: number } | null;
}

/** The 64 bits of a number, as the decoder gives them. */
export interface Bits {
  readonly low: number;
  readonly high: number;
}

export interface GameStart {
  readonly game: number;
  readonly ruleset: string;
  /** Each value is JSON. */
  readonly options: Readonly<Record<string, string>>;
  readonly seat: number;
  readonly seats: number;
  readonly partner?: number | null;
  readonly clock?: { readonly bankMs: number; readonly incrementMs: number; readonly capMs: number } | null;
  readonly seed: Bits;
}

export interface TurnMessage {
  readonly game: number;
  readonly turn: number;
  readonly rook?: RookView | null;
  readonly crow?: CrowView | null;
  readonly goat?: GoatView | null;
  readonly legal: LegalMessage;
  readonly limitMs?: number | null;
  readonly bankMs?: number | null;
}

export interface LegalMessage {
  readonly moves: readonly MoveMessage[];
  readonly choose?: { readonly kind: number; readonly count: number; readonly cards: readonly Card[] } | null;
}

interface CardSet {
  readonly cards: readonly Card[];
}

/** Exactly one is there. */
export interface MoveMessage {
  readonly play?: Card;
  readonly bid?: number;
  readonly pass?: boolean;
  readonly nameTrump?: number;
  readonly discard?: CardSet | null;
  readonly lead?: CardSet | null;
  readonly beat?: CardSet | null;
  readonly drop?: CardSet | null;
  readonly molodka?: boolean;
  /** Name of the one that is there. */
  readonly kind?: string;
}

export interface Rejected {
  readonly game: number;
  readonly turn: number;
  readonly reason: string;
}

export interface GameOver {
  readonly game: number;
  readonly verdict: number;
  readonly scores: readonly number[];
  readonly ranks: readonly number[];
  readonly forfeitSeat?: number | null;
  readonly reason: string;
}

export interface Goodbye {
  readonly reason: string;
}

/** The Rook family: all that a seat knows. Where a field may be absent it is null. */
export interface RookView {
  readonly seat: number;
  /** 1 auction, 2 discard, 3 trump, 4 play. */
  readonly phase: number;
  readonly handNumber: number;
  readonly redeals: number;
  readonly dealer: number;
  readonly hand: readonly Card[];
  readonly bidSeats: readonly number[];
  /** 0 is a pass. */
  readonly bidPoints: readonly number[];
  readonly bid: number;
  readonly bidder: number | null;
  readonly nest: readonly Card[];
  readonly discard: readonly Card[];
  readonly trump: number | null;
  readonly played: readonly Card[];
  readonly leaders: readonly number[];
  readonly captured: readonly number[];
  readonly scores: readonly number[];
  readonly results: readonly {
    readonly declarer: number | null;
    readonly bid: number;
    readonly captured: readonly number[];
  }[];
}

/** The Crow and the Pitcher: all that a seat knows. */
export interface CrowView {
  readonly seat: number;
  readonly round: number;
  readonly dealer: number;
  readonly hand: readonly Card[];
  /** The last one is this trick's. */
  readonly pitchers: readonly number[];
  readonly played: readonly Card[];
  readonly leaders: readonly number[];
  readonly roundScores: readonly number[];
  readonly scores: readonly number[];
  readonly results: readonly number[];
}

/** Goat: all that a seat knows. */
export interface GoatView {
  readonly seat: number;
  /** 1 ask, 2 lead, 3 answer. */
  readonly phase: number;
  readonly dealNumber: number;
  readonly dealer: number;
  readonly leader: number;
  readonly hand: readonly Card[];
  readonly trump: number;
  readonly trumpCard: Card;
  readonly stock: number;
  readonly actSeats: readonly number[];
  /** 1 lead, 2 beat, 3 drop, 4 molodka, 5 decline. */
  readonly acts: readonly number[];
  readonly actCounts: readonly number[];
  readonly actCards: readonly Card[];
  readonly received: readonly Card[];
  readonly points: readonly number[];
  readonly tricks: readonly number[];
  readonly defeats: readonly number[];
  readonly results: readonly { readonly points: readonly number[]; readonly defeats: readonly number[] }[];
}

export interface Hello {
  versions: readonly string[];
  token: string;
  sdk: string;
  concurrentGames: number;
}

/** The answer to a turn: `choice`, an index into the legal moves, or `move`. What is 0 or empty is left out. */
export interface Reply {
  game: number;
  turn?: number;
  choice?: number;
  move?: MoveMessage;
  note?: string;
}

export type BotEvent = { hello: Hello } | { reply: Reply };

/** Every message and enum of the protocol, for whoever wants to look at it as data. */
export const protocol: protobuf.Root = load();

const arenaFrame = protocol.lookupType("arena.v1.ArenaFrame");
const botFrame = protocol.lookupType("arena.v1.BotFrame");

/** A frame from the arena. Throws where the bytes are none. */
export function decodeFrame(bytes: Uint8Array): ArenaFrame {
  return arenaFrame.decode(bytes) as unknown as ArenaFrame; // made by the decoder from the .proto files
}

/** A frame for the arena. */
export function encodeFrame(events: readonly BotEvent[]): Buffer {
  return botFrame.encode({ events }).finish() as Buffer; // on Node the writer makes a Buffer
}

/** The whole number of 64 bits without a sign. */
export function wholeNumber(bits: Bits): bigint {
  return (BigInt(bits.high >>> 0) << 32n) | BigInt(bits.low >>> 0);
}

/** Numbers of an enum's values by name, without the prefix that all its names have. */
export function enumValues(name: string, prefix: string): Map<string, number> {
  const { values } = protocol.lookupEnum(`arena.v1.${name}`);
  return new Map(Object.entries(values).map(([key, value]) => [key.slice(prefix.length), value]));
}

function load(): protobuf.Root {
  const root = new protobuf.Root();
  // The folder stands beside the source; the compiled file lies one folder deeper.
  root.resolvePath = (_origin, target) => fileURLToPath(new URL(`../../sdk/protos/${target}`, import.meta.url));
  root.loadSync("arena/v1/arena.proto").resolveAll();
  return root;
}
