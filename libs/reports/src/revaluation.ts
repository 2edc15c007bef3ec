import { Period, type Ledger, type Transition } from '@laurel/leaderboard';
import { chunksOf, isCounted } from '@laurel/leaderboard/internals';
import { Inject, Injectable } from '@nestjs/common';
import {
  ACTIVITY_SETTINGS,
  type ActivitySettings,
  Ledgers,
  RedisConnection,
  RulesInForce,
  dayIn,
  faultsError,
  pointsOf,
  runInRedis,
} from '@laurel/activity/internals';

/** The days to revalue. */
export interface RevaluationOptions {
  /** `2026-11-01`: the first of them, in the time zone of each leaderboard. */
  readonly from: string;
  /** Stops it: what is done stays, and the next call goes on. */
  readonly signal?: AbortSignal;
}

/** What a revaluation did. */
export class RevaluationReport {
  /** Users with ledgers of these days. @example 1234 */
  readonly users: number;
  /** Of them, those of whom some grant asks for something else now. @example 321 */
  readonly changed: number;
  /** By how much the users' own points changed together, by the module's own ledger. @example 987 */
  readonly points: number;
}

/** Users who are read and judged at once. */
const pageSize = 50;

/** Lets what was recorded ask for the points of the rules in force. */
@Injectable()
export class Revaluation {
  constructor(
    private readonly ledgers: Ledgers,
    private readonly rules: RulesInForce,
    private readonly connection: RedisConnection,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * Lets all that users were granted since a day ask for what the rules in force give for it at its moment, and their
   * limits judge it: open boards move by the difference, owners' points too; settled ones stay. An action without a
   * rule is worth nothing. Adjustments, and how often an action counts, stay. Recording goes on meanwhile; safe to be
   * repeated and interrupted. Scans all keys of Redis; a few round trips for each 50 users.
   * @throws ActivityError `unavailable`; `invalidQuery` where `from` is no day, or one to come.
   */
  async run(options: RevaluationOptions): Promise<RevaluationReport> {
    const report = await runInRedis(this.connection, () => this.revalue(options));
    options.signal?.throwIfAborted();
    return report;
  }

  private async revalue({ from, signal }: RevaluationOptions): Promise<RevaluationReport> {
    const { clock, clockSkewMs } = this.settings;
    const [users, changed] = [new Set<string>(), new Set<string>()];
    let points = 0;
    const report = () => ({
      ...{ users: users.size, changed: changed.size },
      points: pointsOf(points, this.rules.book.decimals),
    });
    for (const [number, ledger] of this.ledgers.all.entries()) {
      const { timezone } = ledger.settings;
      const first = dayIn('from', from, timezone);
      const last = Period.of('day', new Date(clock.now() + clockSkewMs), timezone);
      if (first.start > last.start)
        throw faultsError('invalidQuery', [{ path: 'from', message: 'must not be a day to come' }]);
      const seen = new Set<string>();
      for await (const page of ledger.history.members(first, last)) {
        const unseen = [...new Set(page)].filter((userId) => !seen.has(userId));
        for (const some of chunksOf(unseen, pageSize)) {
          if (signal?.aborted) return report();
          const days = await ledger.history.ofMembers(some, first, last, true);
          const asked = some.flatMap((userId, i) =>
            (days[i] ?? []).map(({ date }) => this.asked(ledger, number, userId, date)),
          );
          const results = await ledger.apply(asked);
          results.forEach((result, i) => {
            if (result.outcome === 'granted') changed.add(asked[i]?.member ?? '');
            if (number === 0) points += result.points;
          });
          for (const userId of some) {
            users.add(userId);
            seen.add(userId);
          }
        }
      }
    }
    return report();
  }

  private asked({ settings: { timezone } }: Ledger, number: number, member: string, date: string): Transition {
    const { book } = this.rules;
    const occurredAtMs = Period.parse('day', date, timezone).start.getTime();
    const worth: Transition['worth'] = (field, { ms, partitions }) => {
      const entry = book.find(book.actionOfField(field));
      const isMeant = entry && isCounted(entry.rule.where, partitions);
      const worth = isMeant ? entry.at(ms)[number] : null;
      return { points: 0, ...worth?.share, gift: worth?.ownerPoints ?? null };
    };
    return { kind: 'revalue', member, field: 'revalue', points: 0, occurredAtMs, worth };
  }
}
