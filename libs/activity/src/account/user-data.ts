import { Injectable } from '@nestjs/common';
import { Extensions } from '../core/extensions/extensions';
import { Ledgers } from '../core/ledgers/ledgers';
import { Profiles } from '../core/ranks/profiles';
import { RankService } from '../core/ranks/rank.service';
import { RedisConnection } from '../core/redis/redis-connection';
import { LedgerService } from './ledger.service';

/** Collects all that is kept about a user. */
@Injectable()
export class UserData {
  constructor(
    private readonly connection: RedisConnection,
    private readonly ledgers: Ledgers,
    private readonly ledger: LedgerService,
    private readonly profiles: Profiles,
    private readonly ranks: RankService,
    private readonly extensions: Extensions,
  ) {}

  /**
   * The text of a `UserDataAnswer`, in pieces: memory holds a day of the ledger at most. The first has what is read
   * once; the others cost some round trips for each day, and a read of the archive for each 100 settled periods.
   * @param isOwn whether the user asks: who of the operators did something, and why, is left out.
   * @throws ActivityError `invalidQuery` with the path of the fault; `unavailable`.
   */
  async *json(userId: string, isOwn: boolean): AsyncGenerator<string, void> {
    const [{ standings }, [firstDay = null], profiles] = await Promise.all([
      this.ranks.everywhere(userId, { tellsExcluded: true }),
      this.connection.read(() => this.ledgers.main.firstDays.of([userId])),
      this.profiles.find([userId]),
    ]);
    const own = standings.map(({ ahead: _, top10: __, ...standing }) => standing);
    const first = { userId, user: profiles.get(userId) ?? null, firstDay, standings: own };
    yield JSON.stringify(first).slice(0, -1);
    const days = { kind: 'days', of: () => this.ledger.everyDay(userId) };
    for (const records of [...this.extensions.records, days]) {
      yield `,"${records.kind}":[`;
      let separator = '';
      for await (const one of records.of(userId, isOwn)) {
        yield separator + JSON.stringify(one);
        separator = ',\n';
      }
      yield ']';
    }
    yield '}\n';
  }
}
