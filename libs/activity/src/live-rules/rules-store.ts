import type { RedisClient } from '@laurel/leaderboard';
import { runScript } from '@laurel/leaderboard/internals';
import { createHash, randomUUID } from 'node:crypto';
import type { RulesSource } from '../rules/rules-in-force';
import { scripts } from '../scripts/scripts.generated';

/** What was put in force for all instances. */
export interface KeptRules {
  /** Tells it from all others, even where Redis lost its data and counts anew. */
  readonly stamp: string;
  readonly revision: number;
  /** JSON; null where it was withdrawn. */
  readonly document: string | null;
  readonly source: RulesSource;
  readonly since: Date;
}

/** How a document is put in force. */
interface PutRules {
  readonly source: RulesSource;
  /** The time. */
  readonly ms: number;
  readonly expected: number | null;
}

/**
 * The rules and limits in force for all instances, their revision, source and time.
 * @redis hash
 * @expires never
 */
export function rulesKey(prefix: string): string {
  return `{${prefix}}:rules`;
}

/** The rules that all instances share, in Redis: the latest that was put there is in force. */
export class RulesStore {
  private readonly key: string;

  constructor(
    private readonly redis: RedisClient,
    prefix: string,
  ) {
    this.key = rulesKey(prefix);
  }

  /** Which one is in force, by its stamp; null: none was ever put. One round trip. */
  stamp(): Promise<string | null> {
    return this.redis.hget(this.key, 'stamp');
  }

  /** One round trip. */
  async read(): Promise<KeptRules> {
    const [stamp, revision, document, source, sinceMs] = await this.redis.hmget(
      this.key,
      'stamp',
      'revision',
      'document',
      'source',
      'sinceMs',
    );
    return {
      stamp: stamp ?? '',
      revision: Number(revision ?? 0),
      document: document || null,
      source: source as RulesSource,
      since: new Date(Number(sinceMs)),
    };
  }

  /**
   * Puts a document in force; null withdraws it. What is in force already keeps its revision. One round trip.
   * @param expected the revision that is to be in force before; null: any.
   * @returns whether that was so.
   */
  async put(document: string | null, { source, ms, expected }: PutRules): Promise<boolean> {
    return (await this.run(document ?? '', { source, ms, expected: expected ?? -1 })) !== -1;
  }

  /** Puts a file's document in force, unless that is the file which was last put. One round trip. */
  async putFile(document: string, nowMs: number): Promise<void> {
    const file = createHash('sha256').update(document).digest('base64url');
    await this.run(document, { source: 'file', ms: nowMs, expected: -1, file });
  }

  private async run(
    document: string,
    put: Omit<PutRules, 'expected'> & { readonly expected: number; readonly file?: string },
  ): Promise<number> {
    const { source, ms, expected, file } = put;
    const revision = await runScript(
      this.redis,
      scripts.putRules,
      { rules: this.key },
      { document, stamp: randomUUID(), source, ms, expected, file },
    );
    return Number(revision);
  }
}
