import type { Score } from '../order/order';
import type { BoardShards } from './board-shards';
import { walk } from './walk';

const linesAPage = 1_000;

/** The exact sum of a board's scores, of each dimension its own. One round trip for each 1,000 lines of a shard. */
export async function sumOfScores<S extends Score>(shards: BoardShards<S>): Promise<S> {
  const { layout } = shards;
  const sums = Array.from({ length: Math.max(1, layout.dimensions) }, () => new ExactSum());
  for (let shard = 0; shard < shards.count; shard++) {
    for await (const lines of walk(shards, [[shard]], linesAPage)) {
      for (const line of lines) {
        const score: Score = layout.read(line).score;
        if (typeof score === 'number') sums[0]?.add(score);
        else score.forEach((number, d) => sums[d]?.add(number));
      }
    }
  }
  const values = sums.map(({ value }) => value);
  return (layout.dimensions > 0 ? values : values[0]) as S;
}

/** 2^1074: every finite double is a whole number of these parts of 1. */
const partBits = 1_074n;
const memory = new DataView(new ArrayBuffer(8));

/** The sum of doubles as if with unlimited precision, rounded once, at the end: no order of adding changes it. */
export class ExactSum {
  /** Whole numbers are added here as long as that is exact. */
  private whole = 0;
  /** The rest of the sum, in parts of 2^-1074. */
  private parts = 0n;
  /** Infinities, and NaN where both met. */
  private beyond = 0;

  add(number: number): void {
    const whole = this.whole + number;
    if (Number.isSafeInteger(number) && Number.isSafeInteger(whole)) this.whole = whole;
    else if (Number.isFinite(number)) this.parts += inParts(number);
    else this.beyond += number;
  }

  /** The double nearest to the sum, the even one of two equally near; infinite beyond the range of doubles. */
  get value(): number {
    if (this.beyond !== 0) return this.beyond;
    const sum = this.parts + (BigInt(this.whole) << partBits);
    const size = sum < 0n ? -sum : sum;
    // Of 64 leading bits the last one stands for all that follow: that is all that rounding asks.
    const dropped = BigInt(Math.max(0, size.toString(16).length * 4 - 64));
    const kept = size >> dropped;
    const sticky = kept << dropped === size ? kept : kept | 1n;
    // Beyond 2^1000 is beyond the range: there the power itself must stay finite.
    const rounded = Number(sticky) * 2 ** Math.min(Number(dropped - partBits), 1_000);
    return sum < 0n ? -rounded : rounded;
  }
}

/** A finite double in parts of 2^-1074. */
function inParts(number: number): bigint {
  memory.setFloat64(0, number);
  const bits = memory.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const size = exponent === 0n ? fraction : (fraction | 0x10_0000_0000_0000n) << (exponent - 1n);
  return number < 0 ? -size : size;
}
