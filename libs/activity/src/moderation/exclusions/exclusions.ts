import { runScript } from '@laurel/leaderboard/internals';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { ActivityError } from '../../core/errors/errors';
import { Extensions } from '../../core/extensions/extensions';
import { Ledgers } from '../../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { PeriodicTasks } from '../../core/periodic/periodic-tasks';
import { AppEvents } from '../../core/recording/app-events';
import { checkUserId } from '../../core/activity/checks';
import { RedisConnection } from '../../core/redis/redis-connection';
import { runInRedis } from '../../core/redis/run-in-redis';
import { scripts } from '../../scripts/scripts.generated';
import { finishAbandoned } from '../abandoned';
import { readBody } from '../checks';
import { UserExcludedEvent, UserIncludedEvent } from '../moderation-events';
import { type FieldIs, putWhile } from '../owned-records';
import {
  type Exclusion,
  exclusionKeys,
  type ExclusionList,
  ExclusionOptions,
  type ExclusionSource,
  type ExclusionState,
  type ExclusionWhy,
  fieldOf,
  fieldsOf,
  readExclusion,
  ScanQuery,
} from './exclusion';

/** How often a user's entries are moved again because their exclusions changed meanwhile. */
const maxRounds = 20;

/**
 * Excludes users from every leaderboard, in every period, live and archived. They are not shown, and leave no gap in
 * the ranks of others. Their points are stored separately and continue to count; a user who is included again has the
 * rank of their points. When the call resolves, every read shows the change, except first pages and settled periods on
 * other instances, which may be `cacheMs` old. If a process crashes before it has finished, another one finishes within
 * twenty seconds.
 */
@Injectable()
export class Exclusions implements OnApplicationBootstrap {
  private readonly keys: Readonly<Record<'exclusions' | 'unfinished', string>>;

  constructor(
    private readonly connection: RedisConnection,
    private readonly ledgers: Ledgers,
    private readonly extensions: Extensions,
    private readonly events: AppEvents,
    private readonly tasks: PeriodicTasks,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.keys = exclusionKeys(settings.prefix);
  }

  /** Starts to poll for what another process has not finished. */
  onApplicationBootstrap(): void {
    finishAbandoned(this.tasks, 'exclusions', {
      unfinished: () => this.connection.client.hkeys(this.keys.unfinished),
      finish: (userId) => unlessErased(() => this.change(userId, () => Promise.resolve())),
    });
  }

  /**
   * Excludes a user from the leaderboards, with or without points. About seven round trips to each ledger, and the
   * archive's. Safe to repeat: reason, note and operator are replaced.
   * @throws ActivityError `invalidQuery` with the path of each fault; `erased`; `unavailable`.
   */
  async exclude(userId: string, options: ExclusionOptions = {}): Promise<ExclusionState> {
    const { reason = 'banned', by = null, note = null } = readBody(ExclusionOptions, options);
    return this.set(userId, 'operator', { reason, since: this.now(), by, note });
  }

  /**
   * Removes the exclusion that {@link exclude} made. While the directory, the review queue or the user has another one,
   * the returned state is still `excluded`.
   * @throws ActivityError as {@link exclude}.
   */
  async include(userId: string): Promise<ExclusionState> {
    return this.set(userId, 'operator', null);
  }

  /**
   * Hides a user who does not want to be on the leaderboards. Exclusions by operators are independent: neither ends the
   * other. Costs as much as {@link exclude}.
   * @throws ActivityError as {@link exclude}.
   */
  async optOut(userId: string): Promise<ExclusionState> {
    return this.set(userId, 'user', { reason: 'optedOut', since: this.now(), by: null, note: null });
  }

  /** Ends what {@link optOut} began. @throws ActivityError as {@link exclude}. */
  async optIn(userId: string): Promise<ExclusionState> {
    return this.set(userId, 'user', null);
  }

  /** Whether a user is excluded from the leaderboards, and why. One round trip. @throws ActivityError `unavailable` */
  async find(userId: string): Promise<ExclusionState> {
    checkUserId(userId);
    const fields = fieldsOf(userId);
    const texts = await this.connection.read((client) => client.hmget(this.keys.exclusions, ...fields));
    const exclusions = texts.flatMap((text, i) => readExclusion(fields[i] ?? '', text));
    return { userId, excluded: exclusions.length > 0, exclusions };
  }

  /**
   * All exclusions, in no order. A page has about `limit` of them, 1 to 1,000, default 100; those that change between
   * two pages may be missed. One round trip.
   * @throws ActivityError `invalidQuery`, `unavailable`.
   */
  async list(query: ScanQuery = {}): Promise<ExclusionList> {
    const { limit = 100, cursor = '0' } = readBody(ScanQuery, query);
    const scan = () => this.connection.client.hscan(this.keys.exclusions, cursor, 'COUNT', limit);
    const [next, flat] = await this.connection.read(scan);
    const exclusions = flat.flatMap((field, i) => (i % 2 === 0 ? readExclusion(field, flat[i + 1] ?? null) : []));
    return { exclusions, next: next === '0' ? null : next };
  }

  /** Sets or removes the exclusion of any source, and moves the user's entries where they belong. */
  set(userId: string, source: ExclusionSource, why: ExclusionWhy | null, condition?: FieldIs): Promise<ExclusionState> {
    checkUserId(userId);
    const { client } = this.connection;
    const [key, field, value] = [this.keys.exclusions, fieldOf(source, userId), why ? JSON.stringify(why) : ''];
    return this.change(userId, () => {
      if (condition) return putWhile(client, condition, { key, field, value });
      return why ? client.hset(key, field, value) : client.hdel(key, field);
    });
  }

  /** Removes all records of a user, but moves no entries; returns how many exclusions there were. */
  async erase(userId: string): Promise<number> {
    this.extensions.exclusionChanges += 1;
    await this.connection.client.hdel(this.keys.unfinished, userId);
    return this.connection.client.hdel(this.keys.exclusions, ...fieldsOf(userId));
  }

  /** The time as records have it. */
  now(): string {
    return new Date(this.settings.clock.now()).toISOString();
  }

  /** The user's exclusions, as `UserRecords` have them. */
  async *told(userId: string, isOwn: boolean): AsyncGenerator<object, void> {
    const { exclusions } = await this.find(userId);
    for (const { reason, source, since, by, note } of exclusions)
      yield { reason, source, since, ...(!isOwn && { by, note }) };
  }

  private async change(userId: string, change: () => Promise<unknown>): Promise<ExclusionState> {
    return runInRedis(this.connection, async () => {
      await this.assertNotErased(userId);
      const { client } = this.connection;
      // Noted before anything is changed, with how listeners know the user: any process may have to end it.
      const args = { user: userId, token: randomUUID(), fields: fieldsOf(userId) };
      const expected = String(await runScript(client, scripts.beginExclusion, { ...this.keys }, args));
      await change();
      const exclusions = await this.moveEntries(userId);
      // Somebody who has begun another change since ends both.
      const note = { key: this.keys.unfinished, field: userId };
      const isLast = await putWhile(client, { ...note, expected }, { ...note, value: '' });
      // An erasure that began meanwhile may have looked for what was written here before it was.
      await this.assertNotErased(userId);
      const wasExcluded = expected.endsWith(' excluded');
      const excluded = exclusions.length > 0;
      if (isLast && excluded && !wasExcluded) {
        this.events.announce(UserExcludedEvent.eventName, new UserExcludedEvent(userId, exclusions));
      } else if (isLast && !excluded && wasExcluded) {
        this.events.announce(UserIncludedEvent.eventName, new UserIncludedEvent(userId));
      }
      return { userId, excluded, exclusions };
    });
  }

  /** @throws ActivityError `erased`: then nothing is kept of the user. */
  private async assertNotErased(userId: string): Promise<void> {
    const erased = await this.ledgers.main.erasure.among([userId]);
    if (!erased.has(userId)) return;
    await this.erase(userId);
    await this.extensions.past?.hide(userId, false);
    throw erasedError();
  }

  /**
   * Moves a user's entries where the records say that they belong; of several processes that do so at once, the last
   * one is right.
   * @throws ActivityError `unavailable` where the records change again and again: any instance finishes the move later.
   */
  private async moveEntries(userId: string): Promise<readonly Exclusion[]> {
    for (let round = 0; round < maxRounds; round++) {
      const { excluded: isExcluded } = await this.find(userId);
      let isDone = true;
      for (const ledger of this.ledgers.all) {
        isDone = (await ledger.excluded.move(userId, isExcluded ? 'aside' : 'onBoards')) && isDone;
      }
      await this.extensions.past?.hide(userId, isExcluded);
      this.extensions.exclusionChanges += 1;
      const { excluded, exclusions } = await this.find(userId);
      if (isDone && excluded === isExcluded) return exclusions;
    }
    throw new ActivityError(
      'unavailable',
      "Concurrent changes of this user's exclusions: the last one takes effect within 20 seconds.",
    );
  }
}

/** Runs work on a user, and ignores that they were erased. */
export async function unlessErased(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ActivityError && error.code === 'erased')) throw error;
  }
}

/** The error of a call about an erased user. */
export function erasedError(): ActivityError {
  return new ActivityError(
    'erased',
    'The user was erased, and nothing is kept of them. To let the same id in again, send it to POST /activity/readmissions first.',
  );
}
