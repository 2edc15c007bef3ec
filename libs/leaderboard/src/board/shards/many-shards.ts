import { sum } from '../../lists/lists';
import { scripts } from '../../scripts/scripts.generated';
import { systemClock } from '../../time/clock';
import { beforeLine, type Bound } from '../order/bound';
import { boardOrder, type Line } from '../order/line';
import { BoardShards } from './board-shards';
import { untilWhole, type Attempt } from './merge';
import type { Around, Near, Nearness, Placed, Standing } from './shard-lines';

/** What was read of a member: its window, and how far the board goes. */
interface ReadAround extends Attempt {
  readonly size: number;
  readonly own: Line;
  /** How many lines stand ahead of the member's. */
  readonly ownAhead: number;
  readonly head: readonly Line[];
}

/** The first lines of a board as they were read for an earlier standing. */
interface KeptHead {
  readonly lines: readonly Line[];
  readonly count: number;
  readonly readAtMs: number;
}

/** A board in several shards: the member's own says where it stands, and then all are asked what is around it. */
export abstract class ManyShards extends BoardShards {
  private kept: KeptHead | undefined;

  /** Two round trips, a third for the last `radius` members; again where the member's line moves meanwhile. */
  async around(member: string, radius: number): Promise<Around> {
    const window = await this.readAround(member, radius, 0);
    return { window, size: window && window.size };
  }

  /** As many round trips as {@link around}. The line at `index` may be as old as the options allow. */
  async standing(member: string, radius: number, index: number): Promise<Standing> {
    const kept = this.headOf(index + 1);
    const readAtMs = this.nowMs();
    const window = await this.readAround(member, radius, kept ? 0 : index + 1);
    if (!window) return this.withoutMember(index);
    const { size, own, ownAhead, head } = window;
    if (!kept) this.kept = { lines: head.slice(0, index + 1), count: index + 1, readAtMs };
    const marked = (kept ?? head)[index] ?? null;
    // A line that was read earlier must not stand where the member's of now cannot see it.
    const isAhead = marked !== null && boardOrder(this.options.order)(marked, own) < 0;
    if (!kept || isAhead === index < ownAhead) return { size, window, marked };
    return { size, window, marked: (await this.at(index, 1)).lines[0] ?? null };
  }

  /** The member's line, and how many of its own shard stand ahead of it; of lexical boards 0. One round trip. */
  private async ownLine(member: string): Promise<Placed | null> {
    const { keys, vectorKeys, order, minScore, shardOf } = this.options;
    if (vectorKeys) {
      const [line] = await this.find([member]);
      return line ? { line, ahead: 0 } : null;
    }
    const own = { shard: keys[shardOf(member)] as string };
    const reply = (await this.sender.run(scripts.readMember, own, { order, member })) as [string, number] | null;
    if (!reply || Number(reply[0]) < minScore) return null;
    return { line: { score: Number(reply[0]), element: member }, ahead: reply[1] };
  }

  /** What of each shard stands nearest to a bound. */
  protected async near(bound: Bound, nearness: Nearness): Promise<readonly Near[]> {
    return (await this.nearEach([bound], nearness))[0] ?? [];
  }

  private readAround(member: string, radius: number, first: number): Promise<ReadAround | null> {
    return untilWhole(async () => {
      const own = await this.ownLine(member);
      if (!own) return null;
      const bound = beforeLine(own.line);
      const full = 2 * radius + 1;
      // Near the top the window is filled up from below.
      const asked = { before: radius, behind: own.ahead < radius ? full : radius + 1, first };
      const near = await this.near(bound, asked);
      const found = this.windowOf(near, own.line, radius);
      if (found.before <= asked.before && found.behind <= asked.behind) return found;
      return this.windowOf(await this.near(bound, { before: full, behind: full, first }), own.line, radius);
    });
  }

  /** The window, and how many lines of it stand ahead of the member's and from it on: shards may have given fewer. */
  private windowOf(near: readonly Near[], own: Line, radius: number) {
    const size = sum(near.map((of) => of.size));
    const ahead = sum(near.map((of) => of.ahead));
    const width = Math.min(2 * radius + 1, size);
    const start = Math.max(0, Math.min(ahead - radius, size - width));
    const before = ahead - start;
    const compare = boardOrder(this.options.order);
    const lines = near.flatMap((of) => of.lines).sort(compare);
    const drop = sum(near.map((of) => of.ahead - of.start)) - before;
    const { element, score } = lines[drop + before] ?? {};
    return {
      size,
      ahead: start,
      lines: lines.slice(drop, drop + width),
      isWhole: element === own.element && score === own.score,
      own,
      ownAhead: ahead,
      head: near.flatMap((of) => of.head).sort(compare),
      before,
      behind: width - before,
    };
  }

  private async withoutMember(index: number): Promise<Standing> {
    const heads = await this.heads(index + 1);
    const lines = heads.flatMap((head) => head.lines).sort(boardOrder(this.options.order));
    return { size: sum(heads.map(({ size }) => size)), window: null, marked: lines[index] ?? null };
  }

  private headOf(count: number): readonly Line[] | undefined {
    const { headMaxAgeMs = 0 } = this.options;
    const ageMs = this.kept ? this.nowMs() - this.kept.readAtMs : -1;
    return this.kept && this.kept.count >= count && ageMs >= 0 && ageMs < headMaxAgeMs ? this.kept.lines : undefined;
  }

  private nowMs(): number {
    return (this.options.clock ?? systemClock).now();
  }
}
