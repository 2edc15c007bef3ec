import type { RedisClient } from '@laurel/leaderboard';

/**
 * The lease of the instance that settles periods.
 * @redis string: its token
 * @expires 15 s after its last renewal
 */
export function settlingKey(prefix: string): string {
  return `{${prefix}}:settling`;
}

/**
 * While the key exists, an instance with title rules settles periods: those without rules leave periods to it.
 * @redis string
 * @expires an hour after such an instance last looked
 */
export function titlingKey(prefix: string): string {
  return `{${prefix}}:titling`;
}

/**
 * Whether settled standings are boards in Redis (`redis`) or in an archive of the app's (`app`).
 * @redis string
 * @expires never
 */
export function archiveKindKey(prefix: string): string {
  return `{${prefix}}:archive:kind`;
}

/** How long what is known of a period that is never done with is kept. */
const keptMs = 366 * 86_400_000;

/** How long what is known of one that is done with is kept. */
const doneKeptMs = 86_400_000;

/** Every key that says how far the announcing of settled periods is. What is of free length comes last. */
export const progressKeys = {
  /**
   * The names of the listeners that must acknowledge each settled period.
   * @redis set
   * @expires never
   */
  listeners: (prefix: string): string => `{${prefix}}:settled-listeners`,
  /**
   * How far the archiving and announcing of a period is.
   * @redis hash
   * @expires 366 days; a day after it is done
   */
  period: (prefix: string, board: string, period: string): string => `{${prefix}}:announced:${board}:${period}`,
  /**
   * While the key exists, the period waits before it is announced again to a listener that did not acknowledge it.
   * @redis string: how often it was announced
   * @expires ten minutes at most
   */
  pause: (prefix: string, listener: string, board: string, period: string): string =>
    `{${prefix}}:put-off:${listener}:${board}:${period}`,
  /**
   * The lease of the instance that announces to a listener.
   * @redis string: its token
   * @expires 15 s after its last renewal
   */
  announcing: (prefix: string, listener: string): string => `{${prefix}}:announcing:${listener}`,
};

/** A period of a board, and the prefix of its ledger. */
export interface ProgressOf {
  readonly prefix: string;
  readonly leaderboard: string;
  readonly period: string;
}

/** How far a period is that has closed and is not done with, as Redis has it: any instance goes on from there. */
export class PeriodProgress {
  constructor(
    private readonly redis: RedisClient,
    private readonly of: ProgressOf,
  ) {}

  /** One round trip. */
  async read(): Promise<ProgressRead> {
    return new ProgressRead(await this.redis.hgetall(this.key));
  }

  /** Notes that all of it is in the archive. One round trip. */
  async archived(): Promise<void> {
    await this.redis.multi().hset(this.key, 'archived', 1).pexpire(this.key, keptMs).exec();
  }

  /** Notes how many users were erased before a partition of it began to be read. One round trip. */
  async reading(part: string, erasures: number): Promise<void> {
    await this.redis.multi().hset(this.key, `reading ${part}`, erasures).pexpire(this.key, keptMs).exec();
  }

  /** Notes that a listener has acknowledged a partition of it, or all. One round trip. */
  async heard(listener: string, part?: string): Promise<void> {
    await this.redis.hset(this.key, part === undefined ? `heard ${listener}` : `heard ${listener} ${part}`, 1);
  }

  /** Notes that a listener did not acknowledge, and is told again after a pause; gives the pause. Two round trips. */
  async putOff(listener: string, pauseOf: (tries: number) => number): Promise<number> {
    const tries = await this.redis.hincrby(this.key, `tries ${listener}`, 1);
    const pauseMs = pauseOf(tries);
    await this.redis.set(this.pauseKey(listener), String(tries), 'PX', pauseMs);
    return pauseMs;
  }

  /** Whether it is to be announced to a listener later. One round trip. */
  async isPutOff(listener: string): Promise<boolean> {
    return (await this.redis.exists(this.pauseKey(listener))) === 1;
  }

  /**
   * Forgets it in a day, as it is done with: until then an instance that still takes it for due finds what was
   * acknowledged. One round trip.
   */
  async end(): Promise<void> {
    await this.redis.pexpire(this.key, doneKeptMs);
  }

  private get key(): string {
    return progressKeys.period(this.of.prefix, this.of.leaderboard, this.of.period);
  }

  private pauseKey(listener: string): string {
    return progressKeys.pause(this.of.prefix, listener, this.of.leaderboard, this.of.period);
  }
}

/** A period's progress, as it was read. */
export class ProgressRead {
  constructor(private readonly fields: Readonly<Record<string, string>>) {}

  get isArchived(): boolean {
    return 'archived' in this.fields;
  }

  /** Whether a listener has acknowledged a partition of it, or all. */
  hasHeard(listener: string, part?: string): boolean {
    return (part === undefined ? `heard ${listener}` : `heard ${listener} ${part}`) in this.fields;
  }

  /** Null: a part that was archived by an instance of before, or none. */
  erasuresBefore(part: string): number | null {
    const noted = this.fields[`reading ${part}`];
    return noted === undefined ? null : Number(noted);
  }
}
