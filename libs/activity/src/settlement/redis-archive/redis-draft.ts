import type { RedisClient } from '@laurel/leaderboard';
import { runScript } from '@laurel/leaderboard/internals';
import type { ArchivedEntry, ArchiveDraft, SettledPeriod, SettledTitle } from '../archive/standings-archive';
import { expiryOf, type Retention } from '../archive/archive-retention';
import { archiveKeys } from './archive-keys';
import { chunkSize, IndexWriter, writeChunk, writeTitle } from './standings-format';
import { StoredStandings, type StoredPlace } from './stored-standings';
import { scripts } from '../../scripts/scripts.generated';

/** How long a draft outlives its writer's last sign of life. */
export const draftLeaseMs = 60_000;

/** Fields of the index that one call appends to: a tenth of a millisecond of Redis. */
const fieldsACall = 48;

/** Users who do not show that are looked for at once. */
const usersAtOnce = 64;

/** How often a draft looks up who does not show because that changes meanwhile. */
const maxLooks = 20;

/** Where and how a draft is written. */
export interface DraftPlace {
  readonly prefix: string;
  /** The shards' tags: the draft is spread over their slots. */
  readonly tags: readonly string[];
  readonly draft: string;
  readonly bucketBits: number;
  /** How long the period is kept. */
  readonly retention: Retention;
}

/** What the archive keeps of a period beside what it tells. */
export interface StoredPeriod extends SettledPeriod, StoredPlace {
  /** When its entries expire; null: never. */
  readonly expireAtMs: number | null;
}

/** Standings on their way into Redis. One call of bounded size is under way at a time. */
export class RedisDraft implements ArchiveDraft {
  private readonly index: IndexWriter;
  private gathered: ArchivedEntry[] = [];
  private chunks = 0;
  private keptAtMs = performance.now();
  private underWay: Promise<void> = Promise.resolve();

  constructor(
    private readonly redis: RedisClient,
    private readonly place: DraftPlace,
  ) {
    this.index = new IndexWriter(place.bucketBits);
  }

  async append(entries: readonly ArchivedEntry[]): Promise<void> {
    const chunks: ArchivedEntry[][] = [];
    let isFull = false;
    for (const entry of entries) {
      this.gathered.push(entry);
      if (this.gathered.length === chunkSize) {
        chunks.push(this.gathered);
        this.gathered = [];
      }
      if (this.index.add(entry.userId, entry.place)) {
        isFull = true;
        await this.afterwards(() => this.writeIndex());
      }
    }
    // The page before is written while the caller reads the next: no more than two are in memory.
    await this.underWay;
    if (chunks.length > 0 || isFull) this.start(() => this.writeChunks(chunks));
  }

  async entitle(titles: readonly SettledTitle[]): Promise<void> {
    if (titles.length === 0) return;
    await this.keep();
    const { prefix, draft } = this.place;
    const fields = titles.flatMap(({ place, title }) => [place, writeTitle(title)]);
    await this.redis.hset(archiveKeys.titles(prefix, draft), ...fields);
  }

  async commit(period: SettledPeriod): Promise<boolean> {
    const last = this.gathered.length > 0 ? [this.gathered] : [];
    this.gathered = [];
    await this.afterwards(() => this.writeChunks(last));
    await this.afterwards(() => this.writeIndex());
    const { prefix, tags, draft, bucketBits, retention } = this.place;
    const expireAtMs = expiryOf(retention, period);
    if (expireAtMs !== null) {
      const keys = [...this.partKeys(), archiveKeys.titles(prefix, draft)];
      await Promise.all(keys.map((key) => this.redis.pexpireat(key, expireAtMs)));
    }
    const stored: StoredPeriod = { ...period, draft, shards: tags.length, bucketBits, expireAtMs };
    const keys = {
      periods: archiveKeys.periods(prefix, period.leaderboard),
      order: archiveKeys.order(prefix, period.leaderboard),
      drafts: archiveKeys.drafts(prefix),
      lease: archiveKeys.draftLease(prefix, draft),
      leaderboards: archiveKeys.leaderboards(prefix),
      version: archiveKeys.hiddenVersion(prefix),
    };
    const args = {
      draft,
      period: period.period,
      facts: JSON.stringify(stored),
      startMs: period.startMs,
      leaderboard: period.leaderboard,
    };
    let committed: unknown = -2;
    for (let looks = 0; committed === -2 && looks < maxLooks; looks++) {
      const known = await this.hideHidden(stored, expireAtMs);
      committed = await runScript(this.redis, scripts.commitStandings, keys, { ...args, known });
    }
    if (committed === 1) return true;
    await this.abandon();
    if (committed === 0) return false;
    if (committed === -2) throw new Error('Users were hidden and shown again and again while the draft was committed.');
    throw new Error('The draft was given up for dead before it was committed.');
  }

  async abandon(): Promise<void> {
    await this.underWay.catch(() => undefined);
    const { prefix, draft } = this.place;
    // Without its lease it can no longer be committed; if it was, it is no draft any more.
    await this.redis.del(archiveKeys.draftLease(prefix, draft));
    if ((await this.redis.sismember(archiveKeys.drafts(prefix), draft)) === 0) return;
    await dropDraft(this.redis, this.place);
  }

  /** Marks the places of those who do not show; gives the version by which they do not. */
  private async hideHidden(stored: StoredPeriod, expireAtMs: number | null): Promise<string> {
    const { prefix } = this.place;
    const known = await this.redis.get(archiveKeys.hiddenVersion(prefix));
    if (known === null) return '';
    const users = await this.redis.smembers(archiveKeys.hiddenUsers(prefix));
    const standings = new StoredStandings(this.redis, prefix, stored);
    await standings.showAll(expireAtMs);
    for (let first = 0; first < users.length; first += usersAtOnce) {
      await this.keep();
      const some = users.slice(first, first + usersAtOnce);
      await Promise.all(some.map((userId) => standings.hide(userId, expireAtMs)));
    }
    return known;
  }

  private async afterwards(work: () => Promise<void>): Promise<void> {
    await this.underWay;
    await work();
  }

  private start(work: () => Promise<void>): void {
    this.underWay = work();
    // It is awaited with the next page: until then its failure is not unheard.
    this.underWay.catch(() => undefined);
  }

  /** Chunks lie on the parts in turn. */
  private async writeChunks(chunks: readonly ArchivedEntry[][]): Promise<void> {
    await this.keep();
    const byPart = new Map<string, (string | number)[]>();
    for (const entries of chunks) {
      const key = this.partKey(this.chunks);
      const fields = byPart.get(key) ?? [];
      fields.push(`c${this.chunks}`, writeChunk(entries));
      byPart.set(key, fields);
      this.chunks += 1;
    }
    await Promise.all([...byPart].map(([key, fields]) => this.redis.hset(key, ...fields)));
  }

  /** Buckets lie on the parts in turn. Written in small calls, one after another: others read meanwhile. */
  private async writeIndex(): Promise<void> {
    const byPart = new Map<string, (string | Buffer)[]>();
    for (const [bucket, bytes] of this.index.take()) {
      const key = this.partKey(bucket);
      const args = byPart.get(key) ?? [];
      args.push(`b${bucket}`, bytes);
      byPart.set(key, args);
    }
    for (const [key, args] of byPart) {
      for (let from = 0; from < args.length; from += 2 * fieldsACall) {
        await this.keep();
        await runScript(
          this.redis,
          scripts.appendFields,
          { hash: key },
          { fields: args.slice(from, from + 2 * fieldsACall) },
        );
      }
    }
  }

  /** Shows now and then that its writer lives. */
  private async keep(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.keptAtMs < draftLeaseMs / 6) return;
    this.keptAtMs = nowMs;
    const { prefix, draft } = this.place;
    const kept = await this.redis.pexpire(archiveKeys.draftLease(prefix, draft), draftLeaseMs);
    if (kept === 0) throw new Error('The draft was given up for dead while it was written.');
  }

  private partKey(number: number): string {
    const { prefix, tags, draft } = this.place;
    return archiveKeys.part(prefix, tags[number % tags.length] as string, draft);
  }

  private partKeys(): string[] {
    const { prefix, tags, draft } = this.place;
    return tags.map((tag) => archiveKeys.part(prefix, tag, draft));
  }
}

/** Drops what a draft has written, then the draft: where this is cut short, it is done again. */
export async function dropDraft(
  redis: RedisClient,
  { prefix, tags, draft }: Pick<DraftPlace, 'prefix' | 'tags' | 'draft'>,
): Promise<void> {
  await Promise.all(tags.map((tag) => redis.unlink(archiveKeys.part(prefix, tag, draft))));
  await redis.unlink(archiveKeys.hidden(prefix, draft), archiveKeys.titles(prefix, draft));
  await redis.srem(archiveKeys.drafts(prefix), draft);
}
