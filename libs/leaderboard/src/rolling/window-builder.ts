import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { LeaderboardError } from '../errors';
import { keys } from '../keys';
import type { BoardPeriod } from '../ledger/calendar';
import type { Ledger } from '../ledger/ledger';
import type { Period } from '../period';
import { sendTogether } from '../reads/send';
import type { PackedScore } from '../score/packed';
import { runScript, type RedisClient } from '../scripts/run';
import { scripts } from '../scripts/scripts.generated';
import { rollingKeys, type WindowName } from './rolling-keys';

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
  /** Asked every second: whether to go on. */
  readonly goOn: () => Promise<boolean>;
}

/** How many entries a script call adds: about a millisecond of work. */
const pageSize = 500;
/** How long what is being put together outlives a process that died over it; no build takes half as long. */
const draftTtlMs = 600_000;
/** How long the sum of the closed days is kept after it was last needed. */
const baseTtlMs = 3_600_000;
const goOnEveryMs = 1_000;

/** A day's board on one shard, and what it is packed in. */
interface Source {
  readonly key: string;
  readonly score: PackedScore;
}

/** Puts a window together from the boards of its days. */
export class WindowBuilder {
  /** From this moment on no day of it changes, by any host's clock. */
  readonly closesAtMs: number;
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
    this.boards = days.map((day) => ledger.boardPeriod(name.board, day, name.partition));
    this.closesAtMs = Math.max(...this.boards.map(({ closesAtMs }) => closesAtMs)) + this.skewMs;
  }

  /** Replaces the window by what its days hold at `asOfMs`, which is now; false where it was told not to go on. */
  async build(asOfMs: number, { ttlMs, goOn }: BuildOptions): Promise<boolean> {
    const closed = this.boards.filter(({ closesAtMs }) => closesAtMs + this.skewMs <= asOfMs);
    const open = this.boards.filter((board) => !closed.includes(board));
    const pulse = new Pulse(goOn);
    const erasures = await this.ledger.erasures();
    const bases: (Source | null)[] = [];
    for (const shard of this.tags.keys()) {
      const base = await this.baseOf(shard, { closed, pulse });
      if (base === 'stopped') return false;
      bases.push(base);
    }
    const startedMs = performance.now();
    const copies = await Promise.all([...this.tags.keys()].map((shard) => this.copiesOf(shard, open)));
    const drafts: string[] = [];
    for (const shard of this.tags.keys()) {
      const draft = this.draftKey(shard);
      const base = bases[shard];
      const own = copies[shard] ?? [];
      if (!(await this.addAll(base ? [base, ...own] : own, { target: draft, pulse }))) return false;
      if (own.length > 0) await this.redis.unlink(...own.map(({ key }) => key));
      drafts.push(draft);
    }
    if (performance.now() - startedMs > draftTtlMs / 2) {
      throw new LeaderboardError('unavailable', 'Putting the window together took too long: give it more shards.');
    }
    if ((await this.ledger.erasures()) !== erasures) {
      // Somebody was erased whom the drafts may still hold.
      await Promise.all(drafts.map((draft) => this.redis.unlink(draft)));
      return this.build(asOfMs, { ttlMs, goOn });
    }
    await Promise.all(drafts.map((draft, shard) => this.replaceWindow(draft, shard, ttlMs)));
    return true;
  }

  /** The sum of the closed days on one shard; null where they are empty. */
  private async baseOf(
    shard: number,
    { closed, pulse }: { readonly closed: readonly BoardPeriod[]; readonly pulse: Pulse },
  ): Promise<Source | null | 'stopped'> {
    const last = closed.at(-1);
    if (!last) return null;
    const { name, score } = this.options;
    const key = rollingKeys.base(name, this.tags[shard] as string, last.period.key);
    if ((await this.redis.pexpire(key, baseTtlMs)) === 1) return { key, score };
    const sources = await this.existing(closed.flatMap((board) => sourcesOf(board, shard)));
    if (sources.length === 0) return null;
    let draft = this.draftKey(shard);
    const changes = await this.ledger.changes();
    if (!(await this.addAll(sources, { target: draft, pulse }))) return 'stopped';
    // Boards are read by place: whoever was moved beside them meanwhile moved others' places. Copies do not change.
    if ((await this.ledger.changes()) !== changes) {
      await this.redis.unlink(draft);
      draft = this.draftKey(shard);
      if (!(await this.addCopies(closed, shard, { target: draft, pulse }))) return 'stopped';
    }
    await this.replaceBase(draft, shard, last.period.key);
    return { key, score };
  }

  /** Adds boards to another, each as it is at one moment; false where it was told to stop. */
  private async addCopies(
    boards: readonly BoardPeriod[],
    shard: number,
    into: { readonly target: string; readonly pulse: Pulse },
  ): Promise<boolean> {
    for (const board of boards) {
      const copies = await this.copiesOf(shard, [board]);
      if (!(await this.addAll(copies, into))) return false;
      if (copies.length > 0) await this.redis.unlink(...copies.map(({ key }) => key));
    }
    return true;
  }

  private async existing(sources: readonly Source[]): Promise<Source[]> {
    const found = await sendTogether(
      this.redis,
      sources.map(({ key }) => ['exists', key] as const),
    );
    return sources.filter((_, i) => found[i] === 1);
  }

  /** Copies of the open days on one shard, and of the sets beside them, all as of one moment. */
  private async copiesOf(shard: number, open: readonly BoardPeriod[]): Promise<Source[]> {
    if (open.length === 0) return [];
    const sources = open.flatMap((board) => sourcesOf(board, shard));
    const copies = sources.map(({ score }) => ({ key: this.draftKey(shard), score }));
    const pairs = sources.flatMap(({ key }, i) => [key, copies[i]?.key as string]);
    const copied = (await runScript(
      this.redis,
      scripts.copyBoards,
      { boards: pairs },
      { ttlMs: draftTtlMs },
    )) as number[];
    return copies.filter((_, i) => copied[i] === 1);
  }

  /** Adds boards to another, page by page; false where it was told to stop. */
  private async addAll(
    sources: readonly Source[],
    { target, pulse }: { readonly target: string; readonly pulse: Pulse },
  ): Promise<boolean> {
    const into = this.options.score;
    for (const { key, score } of sources) {
      const layouts = {
        sourceOriginMs: score.originMs,
        sourceTickMs: score.tickMs,
        sourceUnit: score.unit,
        targetOriginMs: into.originMs,
        targetTickMs: into.tickMs,
        targetUnit: into.unit,
        maxPoints: into.maxPoints,
        ttlMs: draftTtlMs,
      };
      for (let start = 0, count = pageSize; count === pageSize; start += count) {
        if (!(await pulse.goesOn())) return false;
        const page = { start, count: pageSize, ...layouts };
        count = (await runScript(this.redis, scripts.addBoard, { source: key, target }, page)) as number;
        if (count < 0) {
          throw new LeaderboardError(
            'scoreOutOfRange',
            `The points of someone in the window up to ${this.options.name.day} are more than ${into.maxPoints}.`,
          );
        }
      }
    }
    return true;
  }

  private async replaceBase(draft: string, shard: number, closed: string): Promise<void> {
    const { name } = this.options;
    const tag = this.tags[shard] as string;
    const own = {
      draft,
      board: rollingKeys.base(name, tag, closed),
      windows: keys.windows(name.prefix, tag),
      replaced: this.draftKey(shard),
    };
    const args = { ttlMs: baseTtlMs, name: rollingKeys.listedBase(name, closed) };
    await runScript(this.redis, scripts.replaceBoard, own, args);
  }

  private async replaceWindow(draft: string, shard: number, ttlMs: number): Promise<void> {
    const { name } = this.options;
    const tag = this.tags[shard] as string;
    const own = {
      draft,
      board: rollingKeys.board(name, tag),
      aside: rollingKeys.aside(name, tag),
      excluded: keys.excluded(name.prefix, tag),
      windows: keys.windows(name.prefix, tag),
      replaced: this.draftKey(shard),
    };
    await runScript(this.redis, scripts.replaceWindow, own, { ttlMs, name: rollingKeys.listed(name) });
  }

  private draftKey(shard: number): string {
    return rollingKeys.draft(this.options.name, this.tags[shard] as string, randomUUID());
  }
}

/** Everyone: a window is put together with those who are excluded, and they are taken out of it at the end. */
function sourcesOf({ keys: boards, asideKeys, score }: BoardPeriod, shard: number): Source[] {
  return [boards, asideKeys].map((ofShards) => ({ key: ofShards[shard] as string, score }));
}

/** Asks every now and then whether to go on. */
class Pulse {
  private askedAtMs = performance.now();

  constructor(private readonly goOn: () => Promise<boolean>) {}

  async goesOn(): Promise<boolean> {
    if (performance.now() - this.askedAtMs < goOnEveryMs) return true;
    this.askedAtMs = performance.now();
    return this.goOn();
  }
}
