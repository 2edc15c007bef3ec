import type { RedisClient } from '@laurel/leaderboard';
import { runScript } from '@laurel/leaderboard/internals';
import { randomUUID } from 'node:crypto';
import { exclusionSources, type Exclusion, type ExclusionList, type ExclusionSource } from './exclusion';
import { scripts } from '../../scripts/scripts.generated';

/** The keys of exclusions; users are in fields. */
export const exclusionKeys = {
  /**
   * Why users are excluded, since when and by whom.
   * @redis hash: `source:user` -> reason
   * @expires never
   */
  exclusions: (prefix: string): string => `{${prefix}}:exclusions`,
  /**
   * The exclusions that were begun and may be unfinished.
   * @redis hash: user -> who moves the entries, and whether listeners know the user as `excluded` or `included`
   * @expires never
   */
  unfinished: (prefix: string): string => `{${prefix}}:exclusions:unfinished`,
};

/** Applies a change only while a field of a hash in the same slot has the expected value. */
export interface ExclusionCondition {
  readonly key: string;
  readonly field: string;
  readonly expected: string;
}

/** A change of a user's exclusions that was begun. */
export interface ExclusionChange {
  /** How listeners know the user: as before this change, and before those that were begun and not ended. */
  readonly knownAs: 'excluded' | 'included';
  /** Ends it; false: somebody has begun another change since, and ends both. */
  readonly end: () => Promise<boolean>;
}

/** The exclusions in Redis. Each method is one round trip. */
export class ExclusionRecords {
  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {}

  /** Stores an exclusion, in place of the user's earlier one of the same source. */
  async put({ userId, source, ...why }: Exclusion, condition: ExclusionCondition | null): Promise<void> {
    const [field, value] = [fieldOf(source, userId), JSON.stringify(why)];
    if (condition) await this.putWhile(condition, field, value);
    else await this.redis.hset(this.key, field, value);
  }

  /** Removes the user's exclusion of a source. */
  async remove(source: ExclusionSource, userId: string, condition: ExclusionCondition | null): Promise<void> {
    const field = fieldOf(source, userId);
    if (condition) await this.putWhile(condition, field, '');
    else await this.redis.hdel(this.key, field);
  }

  /** Removes all of a user; returns how many. */
  async removeAll(userId: string): Promise<number> {
    await this.redis.hdel(exclusionKeys.unfinished(this.prefix), userId);
    return this.redis.hdel(this.key, ...exclusionSources.map((source) => fieldOf(source, userId)));
  }

  /** The user's exclusions. */
  async of(userId: string): Promise<Exclusion[]> {
    const texts = await this.redis.hmget(this.key, ...exclusionSources.map((source) => fieldOf(source, userId)));
    return texts.flatMap((text, i) =>
      text === null ? [] : [readExclusion(exclusionSources[i] as ExclusionSource, userId, text)],
    );
  }

  /** A page of all exclusions, in no order; `next` is null at the end. */
  async page(cursor: string | null, limit: number): Promise<ExclusionList> {
    const [next, flat] = await this.redis.hscan(this.key, cursor ?? '0', 'COUNT', limit);
    const exclusions: Exclusion[] = [];
    for (let i = 0; i < flat.length; i += 2) {
      const [, source, userId] = /^(\w+):([^]*)$/.exec(flat[i] ?? '') ?? [];
      const known = exclusionSources.find((one) => one === source);
      if (known && userId !== undefined) exclusions.push(readExclusion(known, userId, flat[i + 1] ?? '{}'));
    }
    return { exclusions, next: next === '0' ? null : next };
  }

  /** Notes that a user's entries are being moved, before their exclusions are changed. */
  async begin(userId: string): Promise<ExclusionChange> {
    const keys = { unfinished: exclusionKeys.unfinished(this.prefix), exclusions: this.key };
    const fields = exclusionSources.map((source) => fieldOf(source, userId));
    const args = { user: userId, token: randomUUID(), fields };
    const note = String(await runScript(this.redis, scripts.beginExclusion, keys, args));
    return {
      knownAs: note.endsWith(' excluded') ? 'excluded' : 'included',
      end: async () => {
        const asNoted = { field: userId, expected: note, value: '' };
        return (await runScript(this.redis, scripts.replaceField, { hash: keys.unfinished }, asNoted)) === 1;
      },
    };
  }

  /** The users whose entries some process began to move, and may have crashed before the end. */
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
