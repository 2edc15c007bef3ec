import type { RedisClient } from '@laurel/leaderboard';
import { runScript } from '@laurel/leaderboard/internals';
import { randomUUID } from 'node:crypto';
import { type FieldIs, putWhile } from '../owned-records';
import {
  exclusionSources,
  type Exclusion,
  type ExclusionList,
  type ExclusionSource,
  type ExclusionWhy,
} from './exclusion';
import { scripts } from '../../scripts/scripts.generated';

/** The keys of exclusions; users are in fields. */
export const exclusionKeys = (prefix: string) => ({
  /**
   * Why users are excluded, since when and by whom.
   * @redis hash: `source:user` -> reason
   * @expires never
   */
  exclusions: `{${prefix}}:exclusions`,
  /**
   * The exclusions that were begun and may be unfinished.
   * @redis hash: user -> who moves the entries, and whether listeners know the user as `excluded` or `included`
   * @expires never
   */
  unfinished: `{${prefix}}:exclusions:unfinished`,
});

/** A change of a user's exclusions that was begun. */
export interface ExclusionChange {
  /** Whether listeners know the user as excluded: as before this change and those that were begun and not ended. */
  readonly wasExcluded: boolean;
  /** Ends it; false: somebody has begun another change since, and ends both. */
  readonly end: () => Promise<boolean>;
}

/** The exclusions in Redis. Each method is one round trip. */
export class ExclusionRecords {
  private readonly keys: ReturnType<typeof exclusionKeys>;

  constructor(
    private readonly redis: RedisClient,
    prefix: string,
  ) {
    this.keys = exclusionKeys(prefix);
  }

  /** Stores the user's exclusion of a source, in place of an earlier one, or removes it. */
  async set(userId: string, source: ExclusionSource, why: ExclusionWhy | null, condition?: FieldIs): Promise<void> {
    const [key, field, value] = [this.keys.exclusions, fieldOf(source, userId), why ? JSON.stringify(why) : ''];
    if (condition) await putWhile(this.redis, condition, { key, field, value });
    else if (why) await this.redis.hset(key, field, value);
    else await this.redis.hdel(key, field);
  }

  /** Removes all of a user; returns how many. */
  async removeAll(userId: string): Promise<number> {
    await this.redis.hdel(this.keys.unfinished, userId);
    return this.redis.hdel(this.keys.exclusions, ...fieldsOf(userId));
  }

  /** The user's exclusions. */
  async of(userId: string): Promise<Exclusion[]> {
    const fields = fieldsOf(userId);
    const texts = await this.redis.hmget(this.keys.exclusions, ...fields);
    return texts.flatMap((text, i) => readExclusion(fields[i] ?? '', text));
  }

  /** A page of all exclusions, in no order; `next` is null at the end. */
  async page(cursor: string | null, limit: number): Promise<ExclusionList> {
    const [next, flat] = await this.redis.hscan(this.keys.exclusions, cursor ?? '0', 'COUNT', limit);
    const exclusions = flat.flatMap((field, i) => (i % 2 === 0 ? readExclusion(field, flat[i + 1] ?? null) : []));
    return { exclusions, next: next === '0' ? null : next };
  }

  /** Notes that a user's entries are being moved, before their exclusions are changed. */
  async begin(userId: string): Promise<ExclusionChange> {
    const args = { user: userId, token: randomUUID(), fields: fieldsOf(userId) };
    const expected = String(await runScript(this.redis, scripts.beginExclusion, { ...this.keys }, args));
    const note = { key: this.keys.unfinished, field: userId };
    return {
      wasExcluded: expected.endsWith(' excluded'),
      end: () => putWhile(this.redis, { ...note, expected }, { ...note, value: '' }),
    };
  }

  /** The users whose entries some process began to move, and may have crashed before the end. */
  unfinished(): Promise<string[]> {
    return this.redis.hkeys(this.keys.unfinished);
  }
}

function fieldOf(source: ExclusionSource, userId: string): string {
  return `${source}:${userId}`;
}

function fieldsOf(userId: string): string[] {
  return exclusionSources.map((source) => fieldOf(source, userId));
}

/** The exclusion of a field, if it has one. */
function readExclusion(field: string, text: string | null): Exclusion[] {
  if (text === null) return [];
  const [source, userId] = [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1)];
  const { reason, since, by, note } = JSON.parse(text) as ExclusionWhy;
  return [{ userId, reason, source: source as ExclusionSource, since, by, note }];
}
