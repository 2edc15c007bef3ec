import type { RedisClient } from '@laurel/leaderboard';
import {
  chunksOf,
  type ColdLedger,
  type ColdLedgers,
  type ColdPlace,
  type ColdQuestion,
} from '@laurel/leaderboard/internals';
import { scanKeys } from '@laurel/leaderboard/internals';
import { createHash } from 'node:crypto';

/** The keys of cold ledgers, both of one member in one slot; a Cluster has them spread over 256. */
const coldKeys = {
  /**
   * One member's ledgers that are too old for their own keys, compressed: some 20 bytes a grant.
   * @redis hash: number of the day -> ledger, deflated
   * @expires never; each ledger when the cold store keeps it no longer
   */
  ledgers: (prefix: string, bucket: string, member: string): string => `{${prefix}:cold-${bucket}}:cold:${member}`,
  /**
   * By what one member's cold ledgers are found.
   * @redis hash: number of the day -> 4 bytes for each field
   * @expires as the ledgers
   */
  digests: (prefix: string, bucket: string, member: string): string => `{${prefix}:cold-${bucket}}:digests:${member}`,
};

const digestBytes = 4;
const membersAtOnce = 100;

/**
 * Cold ledgers in Redis itself, for an app without another store: a fifth of what they take as ledgers. A question
 * about a field reads what all of the member's cold days are found by, 4 bytes a grant.
 */
export class RedisColdLedgers implements ColdLedgers {
  /** @param prefix of the ledger whose old days these are. */
  constructor(
    private readonly redis: RedisClient,
    private readonly prefix: string,
  ) {}

  /** Two commands a member. */
  async put(ledgers: readonly ColdLedger[]): Promise<void> {
    const byMember = new Map<string, ColdLedger[]>();
    for (const one of ledgers) byMember.set(one.member, [...(byMember.get(one.member) ?? []), one]);
    await Promise.all(
      [...byMember].map(async ([member, own]) => {
        const keys = this.keysOf(member);
        // A ledger that is there is found.
        await this.redis.hset(keys.digests, ...own.flatMap(({ day, digests }) => [String(day), bytesOf(digests)]));
        await this.redis.hset(keys.ledgers, ...own.flatMap(({ day, body }) => [String(day), body]));
      }),
    );
  }

  /** One command a ledger, all at once. */
  get(places: readonly ColdPlace[]): Promise<(Buffer | null)[]> {
    return Promise.all(
      places.map(({ member, day }) => this.redis.hgetBuffer(this.keysOf(member).ledgers, String(day))),
    );
  }

  /** One command a question, all at once. */
  days(questions: readonly ColdQuestion[]): Promise<number[][]> {
    return Promise.all(
      questions.map(async ({ member, digests }) => {
        const keys = this.keysOf(member);
        if (!digests) return (await this.redis.hkeys(keys.ledgers)).map(Number);
        const wanted = digests.map((digest) => bytesOf([digest]));
        const found = Object.entries(await this.redis.hgetallBuffer(keys.digests));
        return found.filter(([, held]) => wanted.some((one) => holds(held, one))).map(([day]) => Number(day));
      }),
    );
  }

  /** Looks at every key of Redis. */
  async *members(): AsyncIterable<readonly string[]> {
    for await (const keys of scanKeys(this.redis, `{${this.prefix}:cold-*}:cold:*`)) {
      const members = keys.flatMap((key) => this.memberIn(key) ?? []);
      if (members.length > 0) yield members;
    }
  }

  async remove(places: readonly ColdPlace[]): Promise<void> {
    await Promise.all(
      places.map(async ({ member, day }) => {
        const keys = this.keysOf(member);
        await this.redis.hdel(keys.ledgers, String(day));
        await this.redis.hdel(keys.digests, String(day));
      }),
    );
  }

  /** Looks at every key of Redis, and at the days of each member. */
  async removeBefore(day: number): Promise<number> {
    let removed = 0;
    for await (const page of this.members()) {
      for (const members of chunksOf(page, membersAtOnce)) {
        const days = await this.days(members.map((member) => ({ member })));
        const old = members.flatMap((member, i) =>
          (days[i] ?? []).filter((one) => one < day).map((one) => ({ member, day: one })),
        );
        await this.remove(old);
        removed += old.length;
      }
    }
    return removed;
  }

  /** Three commands. */
  async erase(member: string): Promise<number> {
    const keys = this.keysOf(member);
    const there = await this.redis.hlen(keys.ledgers);
    await this.redis.unlink(keys.ledgers);
    await this.redis.unlink(keys.digests);
    return there;
  }

  private keysOf(member: string) {
    const bucket = bucketOf(member);
    return {
      ledgers: coldKeys.ledgers(this.prefix, bucket, member),
      digests: coldKeys.digests(this.prefix, bucket, member),
    };
  }

  /** Null: a key of another prefix may fit the pattern. */
  private memberIn(key: string): string | null {
    const start = `{${this.prefix}:cold-`;
    const member = key.slice(start.length + 'ff}:cold:'.length);
    return key === this.keysOf(member).ledgers ? member : null;
  }
}

function bucketOf(member: string): string {
  return createHash('sha1').update(member).digest('hex').slice(0, 2);
}

function bytesOf(digests: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(digests.length * digestBytes);
  for (const [i, digest] of digests.entries()) bytes.writeInt32BE(digest, i * digestBytes);
  return bytes;
}

function holds(held: Buffer, digest: Buffer): boolean {
  for (let at = held.indexOf(digest); at >= 0; at = held.indexOf(digest, at + 1)) {
    if (at % digestBytes === 0) return true;
  }
  return false;
}
