import { type ActivityChange, ActivityService, type Outcome } from '@laurel/activity';
import type { DayDifference, DayTakeover, SourceAction, SourceDay } from '../../takeover/day-takeover';
import { Takeovers } from '../../takeover/takeovers';
import type { Period, RedisClient } from '@laurel/leaderboard';
import { chunksOf } from '@laurel/leaderboard/internals';
import type { OpenActivity } from '../../application/open-activity';
import { OutcomeCounts } from '../../output/outcome-counts';
import { actionIn, compact, isCancelled, type PaicodingKeys } from './keys';
import type { Sums } from './sums';

/** The result of taking over the days of paicoding's users. */
export class DayCounts {
  readonly outcomes = new OutcomeCounts();
  /** Actions that stood already. */
  unchanged = 0;
  /** Fields that no rule of the app's takes, or that are unknown. */
  leftOut = 0;
  /** Of a dry run. */
  grants = 0;
  revokes = 0;
}

/** How the days are taken over. */
export interface DaysOptions {
  readonly source: RedisClient;
  readonly keys: PaicodingKeys;
  readonly keyPrefix: string;
  readonly articlePrefix: string;
  readonly switchedAtMs: number;
  readonly isDryRun: boolean;
}

/** The users whose hashes are read at once. */
const usersAtOnce = 50;

/** The content of one user's hash. */
interface PaicodingDay extends SourceDay {
  /** The points that it gives paicoding's boards, in all and by {@link nameOf} an action. */
  readonly sum: number;
  readonly points: ReadonlyMap<string, number>;
}

function nameOf({ action, subject }: SourceAction): string {
  return `${action} ${subject}`;
}

/** Takes over the hashes of paicoding's users: each field is an activity of its day. */
export class PaicodingDays {
  readonly counts = new DayCounts();
  private readonly activities: ActivityService;
  private readonly takeovers: Takeovers;

  constructor(
    app: OpenActivity,
    private readonly options: DaysOptions,
  ) {
    this.activities = app.get(ActivityService);
    this.takeovers = app.get(Takeovers);
  }

  /** Takes one day over; adds to `sums`, under its day and its month, the points of what stands by that. */
  async take(day: Period, sums: Sums, signal: AbortSignal): Promise<void> {
    const { keys, articlePrefix, switchedAtMs } = this.options;
    const isRevocable: Parameters<Takeovers['ofDay']>[0]['isRevocable'] = (action) =>
      isCancelled(action, articlePrefix);
    const takeover = this.takeovers.ofDay({ day, switchedAtMs, isRevocable });
    const users = keys.days.get(day.key) ?? [];
    for (const some of chunksOf(users, usersAtOnce)) {
      signal.throwIfAborted();
      await this.takeUsers(day, takeover, await this.read(day, some), sums);
    }
    const known = new Set(users);
    // With the last of a user's actions that day, paicoding deletes the hash.
    for await (const members of this.takeovers.membersOf(day)) {
      signal.throwIfAborted();
      const gone = members.filter((userId) => !known.has(userId));
      for (const some of chunksOf(gone, usersAtOnce)) {
        await this.takeUsers(
          day,
          takeover,
          some.map((userId) => ({ userId, actions: [], sum: 0, points: new Map<string, number>() })),
          sums,
        );
      }
    }
  }

  private async takeUsers(
    day: Period,
    takeover: DayTakeover,
    days: readonly PaicodingDay[],
    sums: Sums,
  ): Promise<void> {
    const add = (userId: string, points: number) => {
      for (const period of points === 0 ? [] : [day.key, day.key.slice(0, 7)]) sums.add(period, userId, points);
    };
    const { isDryRun } = this.options;
    const differences = await takeover.compare(days);
    for (const { userId, standing, points } of differences) {
      this.counts.unchanged += standing;
      if (!isDryRun) add(userId, points);
    }
    const changes = differences.flatMap((difference) => this.changesOf(difference));
    if (isDryRun) return days.forEach(({ userId, sum }) => add(userId, sum));
    const byUser = new Map(days.map(({ userId, points }) => [userId, points]));
    for (const some of chunksOf(changes, 500)) {
      const outcomes = await this.activities.apply(some);
      this.counts.outcomes.add(outcomes);
      some.forEach((change, i) => {
        const { outcome, points } = outcomes[i] as Outcome;
        // Paicoding's boards still show points that the app has ended itself since: they must not return.
        const isEnded = outcome === 'notGranted' || outcome === 'duplicate';
        const ofHash = byUser.get(change.userId)?.get(nameOf(change)) ?? 0;
        if (!change.revoke) add(change.userId, isEnded ? ofHash : points);
      });
    }
  }

  private changesOf({ grants, revokes }: DayDifference): readonly ActivityChange[] {
    const { counts, activities } = this;
    const taken = grants.filter((change) => activities.faultsOf([change]).length === 0);
    counts.leftOut += grants.length - taken.length;
    counts.grants += taken.length;
    counts.revokes += revokes.length;
    return [...taken, ...revokes];
  }

  private read(day: Period, users: readonly string[]): Promise<PaicodingDay[]> {
    const { source, keyPrefix, articlePrefix } = this.options;
    return Promise.all(
      users.map(async (userId) => {
        const fields = Object.entries(await source.hgetall(`${keyPrefix}${userId}${compact(day.key)}`));
        const known = fields.flatMap(([field, points]) => {
          const action = actionIn(field, articlePrefix);
          return action === null ? [] : [{ action, points: Number(points) }];
        });
        this.counts.leftOut += fields.length - known.length;
        return {
          userId,
          actions: known.map(({ action }) => action),
          sum: fields.reduce((sum, [, points]) => sum + Number(points), 0),
          points: new Map(known.map(({ action, points }) => [nameOf(action), points])),
        };
      }),
    );
  }
}
