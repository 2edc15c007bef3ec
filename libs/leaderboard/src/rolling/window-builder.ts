import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { unavailable } from '../errors/errors';
import { keys } from '../keys/keys';
import type { BoardPeriod, Ledger, MemberChanges } from '../ledger';
import type { Period } from '../time/period';
import type { PackedScore } from '../board';
import { runScript, type RedisClient } from '../redis/run';
import { scripts } from '../scripts/scripts.generated';
import { served } from '../redis/served';
import { rollingKeys, type WindowName } from '../keys/rolling-keys';

export interface WindowBuilderOptions {
  readonly name: WindowName;
  /** The window's days, oldest first. */
  readonly days: readonly Period[];
  /** How the window's entries are packed. */
  readonly score: PackedScore;
}

export interface BuildOptions {
  /** How long the window is kept. */
  readonly ttlMs: number;
  /** Called every second: whether to go on. */
  readonly goOn: () => Promise<boolean>;
}

/** How many entries a script call adds: about a millisecond of work. */
const pageSize = 500;
/** How long drafts outlive a crashed process; no build takes half as long. */
const draftTtlMs = 600_000;
/** The days that are over are summed anew when as many times as long has passed as their last sum took. */
const restsFor = 20;
const goOnEveryMs = 1_000;
/** How often a window is built again because a member was erased meanwhile. */
const maxTries = 10;

/** How a build ended: complete, stopped by its caller, or useless because a member was erased meanwhile. */
type Built = 'done' | 'stopped' | 'erased';

/** The board to which others are added. */
interface Target {
  readonly shard: number;
  readonly target: string;
  readonly pulse: Pulse;
}

/** A day's board on one shard, and its packing. */
interface Source {
  readonly key: string;
  readonly score: PackedScore;
}

/** Builds a window from the boards of its days. */
export class WindowBuilder {
  /** From this moment on all days of the window are over, by any host's clock. */
  readonly overAtMs: number;
  private readonly boards: readonly BoardPeriod[];
  private readonly tags: readonly string[];
  private readonly skewMs: number;

  constructor(
    private readonly redis: RedisClient,
    private readonly ledger: Ledger,
    private readonly options: WindowBuilderOptions,
  ) {
    const { tags, clockSkewMs } = ledger.settings;
    const { name, days } = options;
    this.tags = tags;
    this.skewMs = 2 * clockSkewMs;
    this.boards = days.map((day) => ledger.periods.boardPeriod(name.board, day, name.partition));
    this.overAtMs = Math.max(...this.boards.map((board) => this.overAt(board)));
  }

  /**
   * Replaces the window by the sum of its days at `asOfMs`, which is now; false if it was stopped. If a member was
   * erased meanwhile, the script that would replace the window drops the drafts, and the build starts anew.
   * @throws LeaderboardError `unavailable` if members are erased during each of several builds.
   */
  async build(asOfMs: number, options: BuildOptions): Promise<boolean> {
    for (let tries = 0; tries < maxTries; tries++) {
      const built = await this.buildOnce(asOfMs, options);
      if (built !== 'erased') return built === 'done';
    }
    throw unavailable('Members were erased again and again while the window was put together. Try again in a moment.');
  }

  private async buildOnce(asOfMs: number, { ttlMs, goOn }: BuildOptions): Promise<Built> {
    const over = this.boards.filter((board) => this.overAt(board) <= asOfMs);
    const open = this.boards.filter((board) => !over.includes(board));
    const pulse = new Pulse(goOn);
    // Read first: a member that is erased from now on may be in the drafts.
    const changes = await Promise.all([...this.tags.keys()].map((shard) => this.ledger.excluded.changesOf(shard)));
    const bases: (Source | null)[] = [];
    for (const shard of this.tags.keys()) {
      const base = await this.baseOf(shard, { over, pulse });
      if (base === 'stopped' || base === 'erased') return base;
      bases.push(base);
    }
    const startedMs = performance.now();
    const copies = await Promise.all([...this.tags.keys()].map((shard) => this.copiesOf(shard, open)));
    const drafts: string[] = [];
    for (const shard of this.tags.keys()) {
      const draft = this.draftKey(shard);
      const base = bases[shard];
      const own = copies[shard] ?? [];
      if (!(await this.addAll(base ? [base, ...own] : own, { shard, target: draft, pulse }))) return 'stopped';
      await this.drop(shard, own);
      drafts.push(draft);
    }
    if (performance.now() - startedMs > draftTtlMs / 2) {
      throw unavailable('Putting the window together took too long: give it more shards.');
    }
    const replaced = await Promise.all(
      drafts.map((draft, shard) =>
        this.replaceWindow(draft, shard, { ttlMs, changes: changes[shard] as MemberChanges }),
      ),
    );
    return replaced.every(Boolean) ? 'done' : 'erased';
  }

  private overAt({ period }: BoardPeriod): number {
    return (period.end?.getTime() ?? Infinity) + this.skewMs;
  }

  /** The sum of the days that are over on one shard; null where there are none. */
  private async baseOf(
    shard: number,
    { over, pulse }: { readonly over: readonly BoardPeriod[]; readonly pulse: Pulse },
  ): Promise<Source | null | 'stopped' | 'erased'> {
    const last = over.at(-1);
    if (!last) return null;
    const { name, score } = this.options;
    const key = rollingKeys.base(name, this.tags[shard] as string, last.period.key);
    // It outlives its use: it must not go while it is read.
    if ((await served(this.redis, key, () => this.redis.pttl(key))) > draftTtlMs) return { key, score };
    const startedMs = performance.now();
    const into = { shard, target: this.draftKey(shard), pulse };
    const { erasures } = await this.ledger.excluded.changesOf(shard);
    // Boards are read by index, and what changes them meanwhile shifts the indexes. Copies do not change.
    for (const board of over) {
      const copies = await this.copiesOf(shard, [board]);
      if (!(await this.addAll(copies, into))) return 'stopped';
      await this.drop(shard, copies);
    }
    const ttlMs = Math.ceil(draftTtlMs + restsFor * (performance.now() - startedMs));
    const own = {
      draft: into.target,
      board: key,
      windows: this.windowsKey(shard),
      changes: keys.changes(name.prefix, this.tags[shard] as string),
      replaced: this.draftKey(shard),
    };
    const replaced = await runScript(this.redis, scripts.replaceBoard, own, { ttlMs, erasures });
    return replaced === 1 ? { key, score } : 'erased';
  }

  /** Drops copies that are no longer needed. */
  private async drop(shard: number, copies: readonly Source[]): Promise<void> {
    if (copies.length === 0) return;
    const dropped = copies.map(({ key }) => key);
    const names = dropped.map((key) => key.slice(key.indexOf('}:') + 2));
    const windows = this.windowsKey(shard);
    await served(this.redis, windows, () => this.redis.unlink(...dropped));
    await served(this.redis, windows, () => this.redis.zrem(windows, ...names));
  }

  /** Copies of days on one shard, and of their excluded entries, all as of one moment. */
  private async copiesOf(shard: number, open: readonly BoardPeriod[]): Promise<Source[]> {
    if (open.length === 0) return [];
    const sources = open.flatMap((board) => sourcesOf(board, shard));
    const copies = sources.map(({ score }) => ({ key: this.draftKey(shard), score }));
    const pairs = sources.flatMap(({ key }, i) => [key, copies[i]?.key as string]);
    const copied = (await runScript(
      this.redis,
      scripts.copyBoards,
      { windows: this.windowsKey(shard), boards: pairs },
      { ttlMs: draftTtlMs },
    )) as number[];
    return copies.filter((_, i) => copied[i] === 1);
  }

  /** Adds boards to another, page by page; false if it was stopped. */
  private async addAll(sources: readonly Source[], { shard, target, pulse }: Target): Promise<boolean> {
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
        if (!(await pulse.goesOn())) return false;
        const page = { start, count: pageSize, ...layouts };
        count = (await runScript(this.redis, scripts.addBoard, { source: key, target, windows }, page)) as number;
      }
    }
    return true;
  }

  /** False if members were erased since these changes: nothing was replaced. */
  private async replaceWindow(
    draft: string,
    shard: number,
    { ttlMs, changes: { erasures } }: { readonly ttlMs: number; readonly changes: MemberChanges },
  ): Promise<boolean> {
    const { name } = this.options;
    const tag = this.tags[shard] as string;
    const own = {
      draft,
      board: rollingKeys.board(name, tag),
      aside: rollingKeys.aside(name, tag),
      excluded: keys.excluded(name.prefix, tag),
      windows: this.windowsKey(shard),
      changes: keys.changes(name.prefix, tag),
      replaced: this.draftKey(shard),
    };
    return (await runScript(this.redis, scripts.replaceWindow, own, { ttlMs, erasures })) === 1;
  }

  private windowsKey(shard: number): string {
    return keys.windows(this.options.name.prefix, this.tags[shard] as string);
  }

  private draftKey(shard: number): string {
    return rollingKeys.draft(this.options.name, this.tags[shard] as string, randomUUID());
  }
}

/** Shown and excluded entries: a window is built from both, and loses the excluded ones at the end. */
function sourcesOf({ keys: boards, asideKeys, score }: BoardPeriod, shard: number): Source[] {
  return [boards, asideKeys].map((ofShards) => ({ key: ofShards[shard] as string, score }));
}

/** Asks once a second whether to go on. */
class Pulse {
  private askedAtMs = performance.now();

  constructor(private readonly goOn: () => Promise<boolean>) {}

  async goesOn(): Promise<boolean> {
    if (performance.now() - this.askedAtMs < goOnEveryMs) return true;
    this.askedAtMs = performance.now();
    return this.goOn();
  }
}
