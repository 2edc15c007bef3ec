import type { RedisClient } from '@laurel/leaderboard';
import { runScript } from '@laurel/leaderboard/internals';
import { randomUUID } from 'node:crypto';
import { exclusionSources, type Exclusion, type ExclusionSource } from './exclusion';
import { scripts } from '../../scripts/scripts.generated';

/** Every key of what is known of exclusions; users stand in fields. */
export const exclusionKeys = {
  /**
   * Why users are excluded, since when and by whom.
   * @redis hash: `source:user` -> reason
   * @expires never
   */
  exclusions: (prefix: string): string => `{${prefix}}:exclusions`,
  /**
   * The exclusions that were begun and may be unfinished.
   * @redis hash: user -> the instance that moves the entries
   * @expires never
   */
  unfinished: (prefix: string): string => `{${prefix}}:exclusions:unfinished`,
};

/** Said or taken back only while a field of a hash of the same slot is this: another who changes that field ends it. */
export interface ExclusionCondition {
  readonly key: string;
  readonly field: string;
  readonly expected: string;
}

/** Who is kept off the leaderboards, and why, as Redis keeps it for good. One round trip each. */
export class ExclusionRecords {
  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {}

  /** Keeps a reason; one of the same source gives way to it. */
  async put({ userId, source, ...why }: Exclusion, condition: ExclusionCondition | null): Promise<void> {
    const [field, value] = [fieldOf(source, userId), JSON.stringify(why)];
    if (condition) await this.putWhile(condition, field, value);
    else await this.redis.hset(this.key, field, value);
  }

  /** Drops the reason of a source. */
  async drop(source: ExclusionSource, userId: string, condition: ExclusionCondition | null): Promise<void> {
    const field = fieldOf(source, userId);
    if (condition) await this.putWhile(condition, field, '');
    else await this.redis.hdel(this.key, field);
  }

  /** Drops all of a user; says how many. */
  async dropAll(userId: string): Promise<number> {
    await this.redis.hdel(exclusionKeys.unfinished(this.prefix), userId);
    return this.redis.hdel(this.key, ...exclusionSources.map((source) => fieldOf(source, userId)));
  }

  /** The user's reasons. */
  async of(userId: string): Promise<Exclusion[]> {
    const texts = await this.redis.hmget(this.key, ...exclusionSources.map((source) => fieldOf(source, userId)));
    return texts.flatMap((text, i) =>
      text === null ? [] : [readExclusion(exclusionSources[i] as ExclusionSource, userId, text)],
    );
  }

  /** A page of all reasons, of one source where it is named, in no order; the cursor is null at the end. */
  async page(
    cursor: string | null,
    limit: number,
  ): Promise<{ readonly exclusions: Exclusion[]; readonly next: string | null }> {
    const [next, flat] = await this.redis.hscan(this.key, cursor ?? '0', 'COUNT', limit);
    const exclusions: Exclusion[] = [];
    for (let i = 0; i < flat.length; i += 2) {
      const [, source, userId] = /^(\w+):([^]*)$/.exec(flat[i] ?? '') ?? [];
      const known = exclusionSources.find((one) => one === source);
      if (known && userId !== undefined) exclusions.push(readExclusion(known, userId, flat[i + 1] ?? '{}'));
    }
    return { exclusions, next: next === '0' ? null : next };
  }

  /** Notes that a user's entries are about to be moved; the answer ends it. */
  async begin(userId: string): Promise<() => Promise<void>> {
    const token = randomUUID();
    const key = exclusionKeys.unfinished(this.prefix);
    await this.redis.hset(key, userId, token);
    return async () => {
      await runScript(this.redis, scripts.replaceField, { hash: key }, { field: userId, expected: token, value: '' });
    };
  }

  /** The users whose entries somebody began to move, and may have died at it. */
  unfinished(): Promise<string[]> {
    return this.redis.hkeys(exclusionKeys.unfinished(this.prefix));
  }

  private async putWhile({ key, field, expected }: ExclusionCondition, own: string, value: string): Promise<void> {
    const named = { condition: key, hash: this.key };
    await runScript(this.redis, scripts.putFieldWhile, named, { conditionField: field, expected, field: own, value });
  }

  private get key(): string {
    return exclusionKeys.exclusions(this.prefix);
  }
}

function fieldOf(source: ExclusionSource, userId: string): string {
  return `${source}:${userId}`;
}

function readExclusion(source: ExclusionSource, userId: string, text: string): Exclusion {
  const { reason, since, by, note } = JSON.parse(text) as Omit<Exclusion, 'userId' | 'source'>;
  return { userId, reason, source, since, by, note };
}
