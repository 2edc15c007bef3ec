import type { Redis } from 'ioredis';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { invalidArgument, unavailable } from '../../errors/errors';
import { keys } from '../../keys/keys';
import { type RedisClient, checkedClient } from '../../redis/redis-client';
import { runScript } from '../../redis/run';
import { mastersOf } from '../../redis/scan';
import { scripts } from '../../scripts/scripts.generated';
import { sendTogether, type Command } from '../../redis/send';
import { shardTags } from '../../keys/shard';
import { sum } from '../../lists/lists';
import { kindOf } from './moved-kinds';
import { overtaken, ShardCopy, type NamesOfTag } from './shard-copy';

/** The step of a resharding: recording continues in all but `sealing`, the short last check. */
export type ReshardingPhase = 'counting' | 'copying' | 'sealing' | 'waiting' | 'cleaning';

/** The data to move, and its target. */
export interface ReshardingOptions {
  /** The prefix of the ledger's keys, its namespace included. */
  readonly prefix: string;
  /** Into how many shards. */
  readonly shards: number;
  /** Out of how many; default: out of those that there are. */
  readonly from?: number;
  /** How long the old shards stay for instances that look every two seconds. Default ten seconds. */
  readonly graceMs?: number;
  /** Called with the progress. */
  readonly onProgress?: (phase: ReshardingPhase, done: number, total: number) => void;
  /** Stops it between two calls, as a kill does. */
  readonly signal?: AbortSignal;
}

/** The result of a resharding. */
export interface ReshardingReport {
  readonly from: number;
  readonly to: number;
  /** Copied keys and entries; those that were written meanwhile count twice. 0 if only cleaning was left. */
  readonly copied: number;
  /** How long recording waited, at the end. */
  readonly sealedMs: number;
}

/** Keep catching up while each round leaves at most this share of the last one's keys; then seal and copy the rest. */
const worthwhile = 0.7;
const replicaTimeoutMs = 5_000;

/** Moves all members of a ledger to another number of shards while recording and reading go on: docs/adr has how. */
export class Resharding {
  constructor(
    private readonly redis: RedisClient,
    private readonly options: ReshardingOptions,
  ) {
    checkedClient(redis, 'the prefix of the ledger');
    shardTags(options.shards);
  }

  /**
   * Moves all members, or continues an interrupted run: from the beginning if its members were not yet in their new
   * shards.
   * @throws LeaderboardError `invalidArgument` if there is no ledger, if it has this number of shards already, or if
   * another resharding is not finished; `unavailable` if another run takes over. Safe to repeat.
   */
  async run(): Promise<ReshardingReport> {
    const begun = await this.begin();
    const { run, from, to } = begun;
    const { prefix, signal } = this.options;
    const copy = new ShardCopy(this.redis, { prefix, from, to, run, signal });
    let report: ReshardingReport = { from, to, copied: 0, sealedMs: 0 };
    if (begun.step === 'copying') report = { ...report, ...(await this.copyAll(copy, run)) };
    else await this.open(copy);
    await this.wait();
    await this.clean(copy);
    await this.pass(run, 'done');
    return report;
  }

  private async copyAll(copy: ShardCopy, run: string) {
    await copy.turn(copy.targets, 'filling');
    await copy.turn(copy.sources, 'copying');
    // From here every write is noted for re-copying, even across a failover.
    await this.replicated();
    let [copied, sealedMs] = [0, 0];
    for (let isWhole = false; !isWhole;) {
      const round = await this.copyRound(copy);
      copied += round.copied;
      sealedMs += round.sealedMs;
      isWhole = round.isWhole;
    }
    const flippedAtMs = performance.now();
    await this.pass(run, 'cleaning');
    // A failover that forgot it would leave new shards that are written to, and that the next run takes for empty.
    await this.replicated();
    await this.open(copy);
    this.tell('sealing', 1, 1);
    return { copied, sealedMs: sealedMs + performance.now() - flippedAtMs };
  }

  /** Old shards take nothing any more, new ones do: what was refused meanwhile is sent to these. */
  private async open(copy: ShardCopy): Promise<void> {
    await copy.turn(copy.sources, 'sealed');
    await copy.turn(copy.targets, 'open');
    await this.replicated();
  }

  /** Copies all and seals the old shards. New ones must have kept their masters: a replica may lack the last writes. */
  private async copyRound(copy: ShardCopy) {
    let copied = 0;
    let owners = await this.owners();
    const total = await this.emptyTargets(copy);
    for (let before: string | null = null; before !== owners; owners = await this.owners()) {
      // Keys that went from one master to another meanwhile may have been passed over on both.
      before = owners;
      copied += await this.copyOnce(copy, total);
    }
    const all = async (step: 'copying' | 'sealed') => {
      const counts = await Promise.all(copy.sources.map((tag) => copy.copyWritten(tag, step)));
      copied += sum(counts);
    };
    for (let left = await copy.written(), before = Infinity; left < before * worthwhile; left = await copy.written()) {
      before = left;
      this.options.signal?.throwIfAborted();
      await all('copying');
    }
    this.tell('sealing', 0, 1);
    const sealedAtMs = performance.now();
    let isWhole = false;
    try {
      await copy.turn(copy.sources, 'sealed');
      while ((await copy.written()) > 0) await all('sealed');
      await this.replicated();
      isWhole = (await this.owners()) === owners;
    } finally {
      // Recording goes on where it was, until this is done again.
      if (!isWhole) await copy.turn(copy.sources, 'copying').catch(() => undefined);
    }
    return { isWhole, copied, sealedMs: performance.now() - sealedAtMs };
  }

  private async copyOnce(copy: ShardCopy, total: number): Promise<number> {
    let copied = 0;
    for await (const page of copy.names(copy.sources)) {
      const counts = await Promise.all(page.map((names) => copy.copy(names)));
      copied += sum(counts);
      this.tell('copying', Math.min(copied, total), total);
    }
    return copied;
  }

  /** Which masters of a Cluster have which slots, as each of them knows it. */
  private async owners(): Promise<string> {
    if (!this.redis.isCluster) return '';
    const told = await this.ofMasters(async (master) => {
      const runs = await master.cluster('SLOTS');
      return JSON.stringify(runs.map(([first, last, owner]) => [first, last, owner]).sort());
    });
    return [...new Set(told)].sort().join();
  }

  /** Drops what an earlier run left where members move to; tells how much there is to be copied. */
  private async emptyTargets(copy: ShardCopy): Promise<number> {
    let total = 0;
    for await (const page of copy.names([...copy.sources, ...copy.targets])) {
      for (const names of page) {
        if (copy.targets.includes(names.tag)) await copy.drop(names, 'filling');
        else total += await this.count(names);
      }
      this.tell('counting', 0, total);
    }
    return total;
  }

  private async count({ tag, names }: NamesOfTag): Promise<number> {
    const { prefix } = this.options;
    const sets = names.filter((name) => kindOf(name) === 'members');
    const sizes = sets.map((name): Command => ['zcard', keys.named(prefix, tag, name)]);
    const single = names.filter((name) => ['member', 'mark'].includes(kindOf(name) ?? '')).length;
    return single + sum((await sendTogether(this.redis, sizes)) as number[]);
  }

  private async clean(copy: ShardCopy): Promise<void> {
    let dropped = 0;
    for await (const page of copy.names(copy.sources)) {
      for (const names of page) dropped += await copy.drop(names, 'sealed');
      this.tell('cleaning', dropped, dropped);
    }
  }

  /** Waits until instances that look every two seconds have heard. */
  private async wait(): Promise<void> {
    const { graceMs = 10_000, signal } = this.options;
    const stepMs = 500;
    for (let doneMs = 0; doneMs < graceMs; doneMs += stepMs) {
      this.tell('waiting', doneMs, graceMs);
      await delay(Math.min(stepMs, graceMs - doneMs), undefined, signal && { signal });
    }
    this.tell('waiting', graceMs, graceMs);
  }

  /** What was copied is on a replica of each master that has any: a failover to it does not lose it. */
  private async replicated(): Promise<void> {
    await this.ofMasters(async (master) => {
      const info = await master.info('replication');
      const replicas = Number(/^connected_slaves:(\d+)/m.exec(info)?.[1] ?? 0);
      if (replicas === 0 || Number(await master.call('WAIT', '1', String(replicaTimeoutMs))) > 0) return;
      throw new Error(`no replica had what was copied within ${replicaTimeoutMs} ms`);
    });
  }

  /** @throws LeaderboardError `unavailable` where one of them does not do it: one that is gone, for one. */
  private async ofMasters<Told>(ask: (master: Redis) => Promise<Told>): Promise<Told[]> {
    try {
      return await Promise.all(mastersOf(this.redis).map(ask));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw unavailable(`A master of Redis did not answer (${why}): run it again.`, { cause });
    }
  }

  private async begin() {
    const { prefix, shards, from } = this.options;
    const own = { layout: keys.layout(prefix) };
    const reply = await runScript(this.redis, scripts.beginResharding, own, { to: shards, from: from ?? '' });
    const [step = '', ...rest] = reply as readonly string[];
    if (step === 'copying' || step === 'cleaning') {
      const [run = '', was, to] = rest;
      return { step, run, from: Number(was), to: Number(to) };
    }
    if (step === 'none') throw invalidArgument(`There is no data under the prefix "${prefix}".`);
    if (step === 'same')
      throw invalidArgument(`The data under the prefix "${prefix}" lies in ${shards} shards already.`);
    const [was = '', to = ''] = rest;
    throw invalidArgument(
      to === ''
        ? `The data under the prefix "${prefix}" lies in ${was} shards.`
        : `The data under the prefix "${prefix}" is on its way from ${was} to ${to} shards: finish that first.`,
    );
  }

  private async pass(run: string, step: 'cleaning' | 'done'): Promise<void> {
    const layout = keys.layout(this.options.prefix);
    if ((await runScript(this.redis, scripts.passResharding, { layout }, { run, step })) === 1) return;
    throw overtaken();
  }

  private tell(phase: ReshardingPhase, done: number, total: number): void {
    this.options.signal?.throwIfAborted();
    this.options.onProgress?.(phase, done, total);
  }
}
