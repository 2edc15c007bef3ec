import type { RedisClient } from '@laurel/leaderboard';
import { runScript } from '@laurel/leaderboard/internals';
import { createHash, randomUUID } from 'node:crypto';
import type { RulesSource } from '../rules/rules-in-force';
import { scripts } from '../scripts/scripts.generated';

/** The rules that were put in force for all instances. */
export interface StoredRules {
  /** Unique, even where Redis has lost its data and counts revisions from 0 again. */
  readonly stamp: string;
  readonly revision: number;
  /** JSON; null where they were withdrawn. */
  readonly document: string | null;
  readonly source: RulesSource;
  readonly since: Date;
}

/** How a document is put in force. */
interface PutRules {
  readonly source: RulesSource;
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

/**
 * While the key exists, an instance has the file of rules with this digest.
 * @redis string
 * @expires 15 s after such an instance last said so
 */
export function rulesFileKey(prefix: string, digest: string): string {
  return `{${prefix}}:rules:file:${digest}`;
}

const fileHeldMs = 15_000;

function digestOf(document: string): string {
  return createHash('sha256').update(document).digest('base64url');
}

/** The rules in Redis that are in force for all instances. A method is one round trip, if it says nothing else. */
export class RulesStore {
  private readonly key: string;

  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {
    this.key = rulesKey(prefix);
  }

  /** The stamp of those in force; null: none were ever put. */
  stamp(): Promise<string | null> {
    return this.redis.hget(this.key, 'stamp');
  }

  async read(): Promise<StoredRules> {
    const fields = ['stamp', 'revision', 'document', 'source', 'sinceMs'];
    const [stamp, revision, document, source, sinceMs] = await this.redis.hmget(this.key, ...fields);
    return {
      stamp: stamp ?? '',
      revision: Number(revision ?? 0),
      document: document || null,
      source: source as RulesSource,
      since: new Date(Number(sinceMs)),
    };
  }

  /**
   * Puts a document in force; null withdraws it. A document in force already keeps its revision.
   * @returns false where another revision is in force than `expected`; null: any may be.
   */
  async put(document: string | null, { source, ms, expected }: PutRules): Promise<boolean> {
    return (await this.run(document ?? '', { source, ms, expected: expected ?? -1 })) !== -1;
  }

  /**
   * Notes that this instance has a file. False: another one is in force, of which no instance has said so for 15 s. Two
   * round trips at most.
   */
  async holdFile(document: string): Promise<boolean> {
    const own = digestOf(document);
    const [, [inForce, source]] = await Promise.all([
      this.redis.set(rulesFileKey(this.prefix, own), '', 'PX', fileHeldMs),
      this.redis.hmget(this.key, 'file', 'source'),
    ]);
    if (source !== 'file' || !inForce || inForce === own) return true;
    return (await this.redis.exists(rulesFileKey(this.prefix, inForce))) === 1;
  }

  /** Puts a file's document in force, unless it was the last file that was put. */
  async putFile(document: string, nowMs: number): Promise<void> {
    await this.run(document, { source: 'file', ms: nowMs, expected: -1, file: digestOf(document) });
  }

  private async run(
    document: string,
    put: Omit<PutRules, 'expected'> & { readonly expected: number; readonly file?: string },
  ): Promise<number> {
    const named = { document, stamp: randomUUID(), ...put, file: put.file };
    return Number(await runScript(this.redis, scripts.putRules, { rules: this.key }, named));
  }
}
