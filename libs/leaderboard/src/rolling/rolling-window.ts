import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import { unavailable } from '../errors/errors';
import { keys, nameAfterTag } from '../keys/keys';
import { rollingKeys, type WindowName } from '../keys/rolling-keys';
import type { BoardPeriod, Ledger } from '../ledger';
import type { PackedScore } from '../board';
import { type RedisClient, runScript } from '../redis/run';
import { scripts } from '../scripts/scripts.generated';
import { sendTogether, type Command } from '../redis/send';
import { served } from '../redis/served';
import type { Period } from '../time/period';

export interface RollingWindowOptions {
  readonly name: WindowName;
  /** The window's days, oldest first. */
  readonly days: readonly Period[];
  /** How the window's entries are packed. */
  readonly score: PackedScore;
  readonly refreshMs: number;
}

/** How long a crashed process keeps others from building. A lease: if it ends, two build, and the later one stays. */
const lockMs = 3_000;
/** How often a waiting process checks whether the window is built. */
const pollMs = 20;
/** The longest that a reader waits. */
const patienceMs = 30_000;
/** How old a window may be whose days are over: these change rarely. */
const pastLifeMs = 600_000;
/** How many entries a script call adds: about a millisecond of work. */
const pageSize = 500;
/** How long drafts outlive a crashed process; no build takes half as long. */
const draftTtlMs = 600_000;
/** The days that are over are summed anew when as many times as long has passed as their last sum took. */
const restsFor = 20;
const goOnEveryMs = 1_000;
/** How often a window is built again because a member was erased meanwhile. */
const maxTries = 10;

/** How a build ended: complete, stopped as its lock was lost, or useless because a member was erased meanwhile. */
type Built = 'done' | 'stopped' | 'erased';

/** A board on one shard, and its packing. */
interface Source {
  readonly key: string;
  readonly score: PackedScore;
}

/** A window of one board's days: the sum of their boards, kept young enough for reads, whichever process builds it. */
export class RollingWindow {
  private readonly boards: readonly BoardPeriod[];
  private readonly tags: readonly string[];
  /** The token of the lock's owner. */
  private readonly token = randomUUID();
  private asOfMs = -Infinity;
  private lifeMs: number;
  private refreshing: Promise<void> | undefined;
  private renewedAtMs = 0;

  constructor(
    private readonly redis: RedisClient,
    private readonly ledger: Ledger,
    private readonly options: RollingWindowOptions,
  ) {
    const { name, days, refreshMs } = options;
    this.tags = ledger.settings.tags;
    this.boards = days.map((day) => ledger.periods.boardPeriod(name.board, day, name.partition));
    this.lifeMs = refreshMs;
  }

  /** Resolves when the window can be read; at once, usually. */
  async ensure(): Promise<void> {
    const ageMs = this.ledger.settings.clock.now() - this.asOfMs;
    if (ageMs >= this.lifeMs || ageMs < 0) return this.refresh();
    // Refreshes in the background; if that fails, the next reader of a stale window gets the error.
    if (ageMs >= this.lifeMs * 0.75) this.refresh().catch(() => undefined);
  }

  private refresh(): Promise<void> {
    this.refreshing ??= this.refreshOnce().finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  private async refreshOnce(): Promise<void> {
    const lock = this.keyOfFirst(rollingKeys.lock);
    const deadlineMs = performance.now() + patienceMs;
    while (performance.now() < deadlineMs) {
      if (await this.adopt()) return;
      if ((await served(this.redis, lock, () => this.redis.set(lock, this.token, 'PX', lockMs, 'NX'))) === 'OK') {
        try {
          // Another process may have built the window while it held the lock.
          if ((await this.adopt()) || (await this.build())) return;
        } finally {
          await this.hold(0);
        }
      }
      await delay(pollMs);
    }
    throw unavailable('The window could not be put together in time.');
  }

  /** Uses the window that another process built, if it is young enough. */
  private async adopt(): Promise<boolean> {
    const stored = await served(this.redis, this.keyOfFirst(rollingKeys.asOf), (key) => this.redis.get(key));
    if (stored === null) return false;
    const asOfMs = Number(stored);
    const lifeMs = this.lifeAt(asOfMs);
    if (this.ledger.settings.clock.now() - asOfMs >= lifeMs * 0.75) return false;
    this.asOfMs = asOfMs;
    this.lifeMs = lifeMs;
    return true;
  }

  /**
   * Replaces the window by the sum of its days now; false if the lock was lost: another process builds it then. If a
   * member was erased meanwhile, the script that would replace the window drops the draft, and the build starts anew.
   * @throws LeaderboardError `unavailable` if members are erased during each of several builds.
   */
  private async build(): Promise<boolean> {
    const asOfMs = this.ledger.settings.clock.now();
    const lifeMs = this.lifeAt(asOfMs);
    // The key with the age must expire before the boards do.
    const ttlMs = 2 * lifeMs + 60_000;
    for (let tries = 0; tries < maxTries; tries++) {
      const built = await this.buildOnce(asOfMs, ttlMs + 60_000);
      if (built === 'erased') continue;
      if (built === 'stopped') return false;
      await served(this.redis, this.keyOfFirst(rollingKeys.asOf), (key) =>
        this.redis.set(key, String(asOfMs), 'PX', ttlMs),
      );
      this.asOfMs = asOfMs;
      this.lifeMs = lifeMs;
      return true;
    }
    throw unavailable('Members were erased again and again while the window was put together. Try again in a moment.');
  }

  private async buildOnce(asOfMs: number, ttlMs: number): Promise<Built> {
    const over = this.boards.filter((board) => this.overAt(board) <= asOfMs);
    const open = this.boards.filter((board) => !over.includes(board));
    const shards = [...this.tags.keys()];
    this.renewedAtMs = performance.now();
    // Read first: a member that is erased from now on may be in the drafts.
    const erasures = await Promise.all(shards.map((shard) => this.ledger.excluded.erasuresOf(shard)));
    const bases: (Source | null)[] = [];
    for (const shard of shards) {
      const base = await this.baseOf(shard, over);
      if (base === 'stopped' || base === 'erased') return base;
      bases.push(base);
    }
    const startedMs = performance.now();
    const copies = await Promise.all(shards.map((shard) => this.copiesOf(shard, open)));
    const drafts: string[] = [];
    for (const shard of shards) {
      const draft = this.draftKey(shard);
      const base = bases[shard];
      const own = copies[shard] ?? [];
      if (!(await this.addAll(shard, base ? [base, ...own] : own, draft))) return 'stopped';
      await this.drop(shard, own);
      drafts.push(draft);
    }
    if (performance.now() - startedMs > draftTtlMs / 2) {
      throw unavailable('Putting the window together took too long: give it more shards.');
    }
    const { name } = this.options;
    const replaced = await Promise.all(
      drafts.map((draft, shard) => {
        const tag = this.tags[shard] as string;
        const shown = { draft, board: rollingKeys.board(name, tag), aside: rollingKeys.aside(name, tag) };
        const excluded = keys.excluded(name.prefix, tag);
        return this.replace(shard, { ...shown, excluded }, { ttlMs, erasures: erasures[shard] as string });
      }),
    );
    return replaced.every(Boolean) ? 'done' : 'erased';
  }

  /** The sum of the days that are over on one shard; null where there are none. */
  private async baseOf(shard: number, over: readonly BoardPeriod[]): Promise<Source | null | 'stopped' | 'erased'> {
    const last = over.at(-1);
    if (!last) return null;
    const { name, score } = this.options;
    const board = rollingKeys.base(name, this.tags[shard] as string, last.period.key);
    // It outlives its use: it must not go while it is read.
    if ((await served(this.redis, board, () => this.redis.pttl(board))) > draftTtlMs) return { key: board, score };
    const startedMs = performance.now();
    const draft = this.draftKey(shard);
    const erasures = await this.ledger.excluded.erasuresOf(shard);
    // Boards are read by index, and what changes them meanwhile shifts the indexes. Copies do not change.
    for (const one of over) {
      const copies = await this.copiesOf(shard, [one]);
      if (!(await this.addAll(shard, copies, draft))) return 'stopped';
      await this.drop(shard, copies);
    }
    const ttlMs = Math.ceil(draftTtlMs + restsFor * (performance.now() - startedMs));
    return (await this.replace(shard, { draft, board }, { ttlMs, erasures })) ? { key: board, score } : 'erased';
  }

  /** Drops copies that are no longer needed. */
  private async drop(shard: number, copies: readonly Source[]): Promise<void> {
    if (copies.length === 0) return;
    const dropped = copies.map(({ key }) => key);
    const unlist: Command = ['zrem', this.windowsKey(shard), ...dropped.map(nameAfterTag)];
    await sendTogether(this.redis, [['unlink', ...dropped], unlist]);
  }

  /** Copies of days on one shard, and of their excluded entries, all as of one moment. */
  private async copiesOf(shard: number, open: readonly BoardPeriod[]): Promise<Source[]> {
    if (open.length === 0) return [];
    // A window is built from both, and loses the excluded ones at the end.
    const sources = open.flatMap(({ keys: shown, asideKeys, score }) =>
      [shown, asideKeys].map((ofShards) => ({ key: ofShards[shard] as string, score })),
    );
    const copies = sources.map(({ score }) => ({ key: this.draftKey(shard), score }));
    const boards = sources.flatMap(({ key }, i) => [key, copies[i]?.key as string]);
    const own = { windows: this.windowsKey(shard), boards };
    const copied = (await runScript(this.redis, scripts.copyBoards, own, { ttlMs: draftTtlMs })) as number[];
    return copies.filter((_, i) => copied[i] === 1);
  }

  /** Adds boards to another, page by page; false if the lock was lost. */
  private async addAll(shard: number, sources: readonly Source[], target: string): Promise<boolean> {
    const windows = this.windowsKey(shard);
    const into = this.options.score;
    for (const { key, score } of sources) {
      const layouts = {
        sourceOriginMs: score.originMs,
        sourceTickMs: score.tickMs,
        sourceUnit: score.unit,
        targetOriginMs: into.originMs,
        targetTickMs: into.tickMs,
        targetUnit: into.unit,
        ttlMs: draftTtlMs,
      };
      for (let start = 0, count = pageSize; count === pageSize; start += count) {
        if (!(await this.goesOn())) return false;
        const page = { start, count: pageSize, ...layouts };
        count = (await runScript(this.redis, scripts.addBoard, { source: key, target, windows }, page)) as number;
      }
    }
    return true;
  }

  /** False if members were erased since the draft was begun: nothing was replaced. */
  private async replace(
    shard: number,
    named: { readonly draft: string; readonly board: string; readonly excluded?: string; readonly aside?: string },
    args: { readonly ttlMs: number; readonly erasures: string },
  ): Promise<boolean> {
    const changes = keys.changes(this.options.name.prefix, this.tags[shard] as string);
    const own = { ...named, windows: this.windowsKey(shard), changes, replaced: this.draftKey(shard) };
    return (await runScript(this.redis, scripts.replaceWindow, own, args)) === 1;
  }

  /** Whether the lock is held still: asked, and held for longer, once a second. */
  private async goesOn(): Promise<boolean> {
    if (performance.now() - this.renewedAtMs < goOnEveryMs) return true;
    this.renewedAtMs = performance.now();
    return this.hold(lockMs);
  }

  /** Holds the lock from now on for so long, 0: no longer; false if it was lost. */
  private async hold(ttlMs: number): Promise<boolean> {
    const lock = this.keyOfFirst(rollingKeys.lock);
    return (await runScript(this.redis, scripts.holdLock, { lock }, { token: this.token, ttlMs })) === 1;
  }

  private lifeAt(asOfMs: number): number {
    const { refreshMs } = this.options;
    const isPast = this.boards.every((board) => this.overAt(board) <= asOfMs);
    return isPast ? Math.max(pastLifeMs, refreshMs) : refreshMs;
  }

  /** From this moment on the day is over, by any host's clock. */
  private overAt({ period }: BoardPeriod): number {
    return (period.end?.getTime() ?? Infinity) + 2 * this.ledger.settings.clockSkewMs;
  }

  /** The shard whose keys hold the window's lock and age. */
  private keyOfFirst(keyOf: (name: WindowName, tag: string) => string): string {
    return keyOf(this.options.name, this.tags[0] as string);
  }

  private windowsKey(shard: number): string {
    return keys.windows(this.options.name.prefix, this.tags[shard] as string);
  }

  private draftKey(shard: number): string {
    return rollingKeys.draft(this.options.name, this.tags[shard] as string, randomUUID());
  }
}
