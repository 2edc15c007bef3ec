import { invalidArgument } from '../../errors/errors';
import { checkedMember } from '../../keys/keys';
import { chunksOf } from '../../lists/lists';
import { runScript } from '../../redis/run';
import { whenAll } from '../../redis/when-all';
import { scripts } from '../../scripts/scripts.generated';
import type { BoardPeriods } from '../periods/board-periods';
import { leastShown } from '../periods/calendar';
import type { LedgerContext } from '../periods/ledger-context';

/** The most scores that one script call reads: some two milliseconds of Redis. */
const scoresACall = 2_000;

/** Counts the days in a row on which members stood on a board. */
export class Streaks {
  constructor(
    private readonly ledger: LedgerContext,
    private readonly periods: BoardPeriods,
  ) {}

  /**
   * For how many days in a row members stood on a board of days, up to the day that holds `atMs`; up to the day before
   * if that day is not over and they do not stand on it yet. At most `longest` days. One round trip; a call for each
   * shard concerned and each 2,000 days of its members.
   * @throws LeaderboardError `invalidArgument` if there is no such board, or its periods are no days.
   */
  async of(
    board: string,
    members: readonly string[],
    { atMs, longest }: { readonly atMs: number; readonly longest: number },
  ): Promise<number[]> {
    const found = this.periods.named(board);
    if (found.period !== 'day' || found.partition != null) {
      throw invalidArgument(`The board "${board}" is none of whole days.`);
    }
    members.forEach(checkedMember);
    const { redis, settings, calendar } = this.ledger;
    const last = calendar.dayOf(atMs);
    const days = Array.from({ length: longest }, (_, ago) => calendar.dayNumbered(last.number - ago)).flatMap((day) =>
      day ? [calendar.boardPeriod(found, day.period)] : [],
    );
    if (days.length === 0) return members.map(() => 0);
    const asked = {
      grace: settings.clock.now() < last.endMs ? 1 : 0,
      floors: days.map(({ score }) => Math.max(leastShown(found, score), -(2 ** 53))),
    };
    const membersACall = Math.max(1, Math.floor(scoresACall / days.length));
    return this.ledger.ofShards(members, async (shard, own) => {
      const named = { days: days.map((day) => day.keys[shard] as string) };
      const replies = await whenAll(
        chunksOf(own, membersACall).map((some) =>
          runScript(redis, scripts.readStreaks, named, { ...asked, members: some }),
        ),
      );
      return (replies as number[][]).flat();
    });
  }
}
