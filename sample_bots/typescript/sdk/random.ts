/** A generator of random numbers with a seed: the same seed gives the same numbers on every machine. */

const MASK = (1n << 64n) - 1n;

/** xoshiro128** by Blackman and Vigna, its state filled from the seed by splitmix64. */
export class Random {
  readonly #state = new Uint32Array(4);

  /** `seed` has 64 bits; what is above them does not count. */
  constructor(seed: bigint) {
    let mixed = seed & MASK;
    for (let place = 0; place < 4; place += 2) {
      mixed = (mixed + 0x9e3779b97f4a7c15n) & MASK;
      let word = mixed;
      word = ((word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
      word = ((word ^ (word >> 27n)) * 0x94d049bb133111ebn) & MASK;
      word ^= word >> 31n;
      this.#state[place] = Number(word & 0xffffffffn);
      this.#state[place + 1] = Number(word >> 32n);
    }
  }

  /** A whole number of 32 bits. */
  bits(): number {
    const state = this.#state;
    const result = Math.imul(turned(Math.imul(state[1]!, 5), 7), 9) >>> 0;
    const shifted = state[1]! << 9;
    state[2]! ^= state[0]!;
    state[3]! ^= state[1]!;
    state[1]! ^= state[2]!;
    state[0]! ^= state[3]!;
    state[2]! ^= shifted;
    state[3] = turned(state[3]!, 11);
    return result;
  }

  /** A number from 0 to under 1. */
  number(): number {
    return ((this.bits() >>> 5) * 67108864 + (this.bits() >>> 6)) / 9007199254740992;
  }

  /** A whole number from 0 to `limit` - 1, all equally likely; `limit` from 1 to 2^32. */
  below(limit: number): number {
    if (!Number.isInteger(limit) || limit < 1 || limit > 2 ** 32) {
      throw new RangeError(`below(${limit}): expected a whole number from 1 to 2^32`);
    }
    const even = 2 ** 32 - (2 ** 32 % limit); // numbers from here on would favour some
    let drawn = this.bits();
    while (drawn >= even) drawn = this.bits();
    return drawn % limit;
  }

  /** One of the items. Throws a RangeError where there are none. */
  choice<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** Some of the items, each at most once, in random order. */
  sample<T>(items: readonly T[], size: number): T[] {
    if (size > items.length) throw new RangeError(`sample of ${size}: there are ${items.length}`);
    const rest = [...items];
    for (let place = 0; place < size; place += 1) {
      const other = place + this.below(rest.length - place);
      [rest[place], rest[other]] = [rest[other]!, rest[place]!];
    }
    return rest.slice(0, size);
  }
}

function turned(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
