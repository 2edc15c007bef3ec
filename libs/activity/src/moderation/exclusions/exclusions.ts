import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { identifierFault, maxUserIdBytes } from '../../activity/identifier';
import { RedisConnection } from '../../redis/redis-connection';
import { faultCode } from '../../redis/redis-faults';
import { runInRedis } from '../../redis/run-in-redis';
import { ActivityError, erasedError, faultsError, type Fault } from '../../errors/errors';
import { Ledgers } from '../../ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../options/settings';
import { Extensions } from '../../extensions/extensions';
import { exclusionReasons } from '../../extensions/moderation';
import {
  maxNoteBytes,
  maxOperatorBytes,
  type Exclusion,
  type ExclusionOptions,
  type ExclusionSource,
  type ExclusionState,
} from './exclusion';
import { ExclusionRecords, type ExclusionCondition } from './exclusion-records';

/** How often what another instance began and did not end is looked for. */
const lookEveryMs = 10_000;

/** How often a user's entries are brought to their place again because others say something else meanwhile. */
const maxRounds = 20;

/**
 * Keeps users off every leaderboard, in every period, live and archived: nobody sees them there, and nobody's rank has a
 * gap for them. Their points are kept, and go on being counted, beside the boards. Showing a user again puts him where he
 * would stand. Both are there for every read when the call resolves, but for first pages of other instances, which may be
 * `cacheMs` old. What a killed process left half done is finished by any other within twenty seconds.
 */
@Injectable()
export class Exclusions implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Exclusions.name);
  private readonly records: ExclusionRecords;
  private timer: NodeJS.Timeout | undefined;
  private underWay: Promise<void> | undefined;
  /** By whom unfinished work was seen at the look before: what is still there at the next has been left. */
  private seen: ReadonlySet<string> = new Set();
  private moves = 0;

  constructor(
    private readonly connection: RedisConnection,
    private readonly ledgers: Ledgers,
    private readonly extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.records = new ExclusionRecords(connection.client, settings.prefix);
    const version = () => this.moves;
    extensions.moderation = {
      get version() {
        return version();
      },
      checksNewUsers: false,
      checkNewUsers: () => Promise.resolve(),
      isExcluded: async (userId) => (await this.find(userId)).excluded,
    };
  }

  /** Begins to look for what another process began and did not end, whether or not it settles periods. */
  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.look(), lookEveryMs);
    this.timer.unref();
  }

  /** Ends the looking, and waits for what is under way. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.underWay;
  }

  /** Changes with every user whom this process has excluded or shown again: copies of standings made before are stale. */
  get version(): number {
    return this.moves;
  }

  /**
   * Keeps a user off the leaderboards, whether or not he has any points yet. Some five round trips to each ledger and the
   * archive's work. Safe to repeat: the reason, note and operator are then replaced.
   * @throws ActivityError `invalidQuery` with the path of each fault; `erased`; `unavailable`.
   */
  async exclude(userId: string, options: ExclusionOptions = {}): Promise<ExclusionState> {
    checkUserId(userId);
    checkOptions(options);
    const { reason = 'banned', by = null, note = null } = options;
    return this.say({ userId, reason, source: 'operator', since: this.now(), by, note });
  }

  /**
   * Takes back what {@link exclude} said. The user stays off the leaderboards as long as the directory or the review queue
   * has its own reason: the answer tells.
   * @throws ActivityError as {@link exclude}.
   */
  include(userId: string): Promise<ExclusionState> {
    checkUserId(userId);
    return this.unsay('operator', userId);
  }

  /** Whether a user is kept off the leaderboards, and why. One round trip. @throws ActivityError `unavailable` */
  async find(userId: string): Promise<ExclusionState> {
    checkUserId(userId);
    const exclusions = await this.connection.read(() => this.records.of(userId));
    return { userId, excluded: exclusions.length > 0, exclusions };
  }

  /**
   * All reasons for which users are kept off, in no order. A page has about `limit` (1 to 1,000, default 100) of them; what
   * is kept off or shown again meanwhile may be told or not. One round trip.
   * @throws ActivityError `invalidQuery`, `unavailable`.
   */
  async list(
    query: { readonly limit?: number; readonly cursor?: string } = {},
  ): Promise<{ readonly exclusions: readonly Exclusion[]; readonly next: string | null }> {
    const { limit = 100, cursor = null } = query;
    const faults: Fault[] = [];
    if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) {
      faults.push({ path: 'limit', message: 'must be a whole number from 1 to 1000' });
    }
    if (cursor !== null && !isScanCursor(cursor)) {
      faults.push({ path: 'cursor', message: 'must be the `next` of the page before' });
    }
    if (faults.length > 0) throw faultsError('invalidQuery', faults);
    return this.connection.read(() => this.records.page(cursor, limit));
  }

  /** Keeps a reason of any source, and the user off the leaderboards. */
  say(exclusion: Exclusion, condition: ExclusionCondition | null = null): Promise<ExclusionState> {
    return this.change(exclusion.userId, () => this.records.put(exclusion, condition));
  }

  /** Takes back the reason of one source. */
  unsay(source: ExclusionSource, userId: string, condition: ExclusionCondition | null = null): Promise<ExclusionState> {
    return this.change(userId, () => this.records.drop(source, userId, condition));
  }

  /** Drops all that is known of a user's exclusions; says of how many reasons. His entries stay where they are. */
  async forget(userId: string): Promise<number> {
    this.moves += 1;
    return this.records.dropAll(userId);
  }

  /** The time as records have it. */
  now(): string {
    return new Date(this.settings.clock.now()).toISOString();
  }

  private async change(userId: string, change: () => Promise<unknown>): Promise<ExclusionState> {
    return runInRedis(this.connection, async () => {
      await this.assertNotErased(userId);
      const end = await this.records.begin(userId);
      await change();
      const exclusions = await this.settle(userId);
      await end();
      // An erasure that began meanwhile may have looked for what was written here before it was.
      await this.assertNotErased(userId);
      return { userId, excluded: exclusions.length > 0, exclusions };
    });
  }

  /** @throws ActivityError `erased`: then nothing is kept of the user. */
  private async assertNotErased(userId: string): Promise<void> {
    const erased = await this.ledgers.main.erasedAmong([userId]);
    if (!erased.has(userId)) return;
    await this.forget(userId);
    await this.extensions.past?.hide(userId, false);
    throw erasedError();
  }

  /**
   * Brings a user's entries where the records say that they belong. Of any number who do so at once the last is right.
   * @throws ActivityError `unavailable` where the records change again and again meanwhile: any instance finishes it later.
   */
  private async settle(userId: string): Promise<Exclusion[]> {
    for (let round = 0; round < maxRounds; round++) {
      const exclusions = await this.records.of(userId);
      const place = exclusions.length > 0 ? 'aside' : 'onBoards';
      let isDone = true;
      for (const ledger of this.ledgers.all) isDone = (await ledger.move(userId, place)) && isDone;
      await this.extensions.past?.hide(userId, place === 'aside');
      this.moves += 1;
      const now = await this.records.of(userId);
      if (isDone && now.length > 0 === exclusions.length > 0) return now;
    }
    throw new ActivityError(
      'unavailable',
      'The user was excluded and included again and again meanwhile: what was said last takes effect within twenty seconds.',
    );
  }

  private look(): void {
    if (this.underWay || !this.connection.isReady) return;
    this.underWay = this.finishOthers()
      .catch((error: unknown) => this.logger.error(`Finishing exclusions failed: ${faultCode(error)}`))
      .finally(() => {
        this.underWay = undefined;
      });
  }

  private async finishOthers(): Promise<void> {
    const unfinished = await this.records.unfinished();
    const left = unfinished.filter((userId) => this.seen.has(userId));
    this.seen = new Set(unfinished);
    for (const userId of left) {
      await unlessErased(() => this.change(userId, () => Promise.resolve()));
    }
  }
}

/** Runs what concerns a user, and nothing where they were erased. */
export async function unlessErased(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ActivityError && error.code === 'erased')) throw error;
  }
}

function checkUserId(userId: string): void {
  const message = identifierFault(userId, maxUserIdBytes);
  if (message !== null) throw faultsError('invalidQuery', [{ path: 'userId', message }]);
}

function checkOptions({ reason, by, note }: ExclusionOptions): void {
  const faults: Fault[] = [];
  if (reason !== undefined && !exclusionReasons.includes(reason)) {
    faults.push({ path: 'reason', message: `must be one of ${exclusionReasons.join(', ')}` });
  }
  for (const [path, text, max] of [
    ['by', by, maxOperatorBytes],
    ['note', note, maxNoteBytes],
  ] as const) {
    const message = text === undefined ? null : identifierFault(text, max);
    if (message !== null) faults.push({ path, message });
  }
  if (faults.length > 0) throw faultsError('invalidQuery', faults);
}

/** A place in a scan, as Redis gives them: 64 bits. */
function isScanCursor(text: string): boolean {
  return /^\d{1,20}$/.test(text) && BigInt(text) < 2n ** 64n;
}
