import type { RedisClient } from '@laurel/leaderboard';
import { runScript } from '@laurel/leaderboard/internals';
import { randomUUID } from 'node:crypto';
import { scripts } from '../scripts/scripts.generated';

/** The rules that were put in force for all instances. */
export interface StoredRules {
  /** Unique, even where Redis has lost its data and counts revisions from 0 again. */
  readonly stamp: string;
  readonly revision: number;
  /** JSON; null where they were withdrawn. */
  readonly document: string | null;
  readonly since: Date;
}

/**
 * The rules and limits in force for all instances, their revision and time.
 * @redis hash
 * @expires never
 */
export function rulesKey(prefix: string): string {
  return `{${prefix}}:rules`;
}

/** A document in Redis that is in force for all instances. A method is one round trip, if it says nothing else. */
export class RulesStore {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly redis: RedisClient,
    private readonly key: string,
  ) {}

  /** The stamp of those in force; null: none were ever put. */
  stamp(): Promise<string | null> {
    return this.redis.hget(this.key, 'stamp');
  }

  async read(): Promise<StoredRules> {
    const fields = ['stamp', 'revision', 'document', 'sinceMs'];
    const [stamp, revision, document, sinceMs] = await this.redis.hmget(this.key, ...fields);
    return {
      stamp: stamp ?? '',
      revision: Number(revision ?? 0),
      document: document || null,
      since: new Date(Number(sinceMs)),
    };
  }

  /**
   * Puts a document in force; null withdraws it. A document in force already keeps its revision.
   * @returns false where another revision is in force than `expected`; null: any may be.
   */
  async put(
    document: string | null,
    { ms, expected }: { readonly ms: number; readonly expected: number | null },
  ): Promise<boolean> {
    const named = { document: document ?? '', stamp: randomUUID(), ms, expected: expected ?? -1 };
    return Number(await runScript(this.redis, scripts.putRules, { rules: this.key }, named)) !== -1;
  }

  /** Does pieces of work with it one after the other, whatever becomes of those before. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}
