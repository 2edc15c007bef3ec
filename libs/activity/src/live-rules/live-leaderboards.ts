import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { LedgerAudit } from '@laurel/leaderboard';
import { performance } from 'node:perf_hooks';
import { ActivityError, type Fault, faultsError } from '../core/errors/errors';
import type { RulesSync } from '../core/extensions/ports';
import { ledgerFeeds } from '../core/ledgers/ledger-feed';
import { Ledgers } from '../core/ledgers/ledgers';
import type { LeaderboardConfig } from '../core/options/activity.options';
import { leaderboardSchema, maxLeaderboards } from '../core/options/leaderboard-schema';
import { ACTIVITY_SETTINGS, type ActivitySettings, type LeaderboardSettings } from '../core/options/settings';
import { countsText } from '../core/options/stored-options';
import { PeriodicTasks } from '../core/periodic/periodic-tasks';
import { Lease } from '../core/redis/lease';
import { RedisConnection } from '../core/redis/redis-connection';
import { actionOfTally } from '../core/rules/rule-book';
import { grantFaults } from '../core/rules/rules-document';
import { RulesInForce } from '../core/rules/rules-in-force';
import { type Reading, readingOf } from '../core/schema/schema';
import type { LiveLeaderboard } from './leaderboards.responses';
import { RulesStore } from './rules-store';

/** How often an instance asks whether there are other leaderboards. */
const pollEveryMs = 2_000;
/** How often an instance looks whether one is to be filled. */
const fillEveryMs = 1_000;
/** How long filling waits: by then every instance records on the leaderboard. */
const settleMs = 5_000;
/** How long the filling of an instance that died is left to it. */
const leaseMs = 15_000;

const liveKeys = {
  /**
   * The leaderboards that began while the app runs, their revision and time.
   * @redis hash
   * @expires never
   */
  begun: (prefix: string): string => `{${prefix}}:leaderboards`,
  /**
   * The content that filled each leaderboard, and its revision.
   * @redis hash: name -> JSON
   * @expires never
   */
  filled: (prefix: string): string => `{${prefix}}:leaderboards:filled`,
  /**
   * The lease of the instance that fills leaderboards.
   * @redis string: its token
   * @expires 15 s after its last renewal
   */
  filling: (prefix: string): string => `{${prefix}}:leaderboards:filling`,
};

/** A leaderboard that began while the app runs. */
interface Begun {
  readonly config: LeaderboardConfig;
  /** Since when it counts what it does. */
  readonly sinceMs: number;
  /** The revision of all that did so: what it is filled for. */
  readonly revision: number;
  readonly endedAtMs: number | null;
  /** The actions that counted on no leaderboard until then: ledgers have nothing of them. */
  readonly without: readonly string[];
}

/** The state of a filled leaderboard. */
type Filled = Pick<LiveLeaderboard, 'filledAt' | 'periods'> & { readonly revision: number };

/**
 * Leaderboards that begin, change and end while the app runs, on every instance within three seconds. A grant is a fact
 * of its day, and the rules say where it counts: so one instance fills a leaderboard that begins late from the ledgers
 * that are there, while all record on it.
 */
@Injectable()
export class LiveLeaderboards implements RulesSync, OnApplicationBootstrap {
  private readonly logger = new Logger('Leaderboards');
  private readonly store: RulesStore;
  /** Of those in force here; undefined: to be read anew. */
  private stamp: string | null | undefined = null;
  private begun: readonly Begun[] = [];
  private takenAtMs = 0;
  /** Those of which it is known that they are filled. */
  private readonly known = new WeakSet<Begun>();

  constructor(
    private readonly ledgers: Ledgers,
    private readonly inForce: RulesInForce,
    private readonly connection: RedisConnection,
    private readonly tasks: PeriodicTasks,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.store = new RulesStore(connection.client, liveKeys.begun(settings.prefix));
  }

  /** Starts to look for those of other instances; a command, which stores no settings, leaves filling to the app. */
  onApplicationBootstrap(): void {
    this.tasks.task('leaderboards', () => this.store.inTurn(() => this.useLatest())).every(pollEveryMs);
    if (this.settings.storesSettings) this.tasks.task('filling', () => this.fill()).every(fillEveryMs);
  }

  /** Two round trips. The ledgers are prepared then. */
  sync(): Promise<void> {
    return this.store.inTurn(async () => {
      this.stamp = undefined;
      await this.takeLatest();
    });
  }

  /** All of them, in the order in which they began. One round trip. @throws ActivityError `unavailable` */
  async list(): Promise<LiveLeaderboard[]> {
    const stored = await this.connection.read((client) => client.hgetall(this.key('filled')));
    const fields = new Map(Object.entries(stored));
    return this.begun.map(({ config, sinceMs, revision, endedAtMs, without }) => {
      const { revision: of, ...filled } = JSON.parse(fields.get(config.name) ?? '{}') as Filled;
      const endedAt = endedAtMs === null ? null : isoOf(endedAtMs);
      return {
        ...{ name: config.name, config, without, since: isoOf(sinceMs), endedAt },
        ...(of === revision ? filled : { filledAt: null, periods: [] }),
      };
    });
  }

  /**
   * Begins a leaderboard, or changes the one of that name: here at once, on other instances within about three seconds.
   * Where it counts something else than before, its open periods are filled anew. Safe to repeat.
   * @throws ActivityError `invalidLeaderboard` with a fault for each value that is not allowed; `unavailable`.
   */
  async begin(given: unknown): Promise<void> {
    const reading = this.read(given, this.inForce.book.actions);
    if ('faults' in reading) throw faultsError('invalidLeaderboard', reading.faults);
    const [wanted, posted] = [reading.output, given as LeaderboardConfig];
    const { name, period } = wanted;
    // Its weeks stay as they are, whatever the app's begin with after a restart.
    const config = period === 'week' ? { weekStart: this.settings.weekStart, ...posted } : posted;
    const refuse = (path: string, message: string) => faultsError('invalidLeaderboard', [{ path, message }]);
    const nowMs = this.settings.clock.now();
    const today = this.ledgers.main.periods.dayOf(nowMs).key;
    if (config.contest && config.contest.to < today) throw refuse('contest.to', `must be ${today} or a day after it`);
    const kept = this.ledgers.main.settings.partitionKeys;
    const isNew = (key: string | null) => key !== null && !kept.includes(key);
    const byKey = isNew(wanted.partition) ? 'partition' : wanted.where.some((one) => isNew(one.partition)) && 'where';
    if (byKey)
      throw refuse(byKey, `must name keys by which another leaderboard counts: ${kept.join(', ') || 'none does'}`);
    await this.change(async (begun, revision) => {
      const former = begun.find((one) => one.config.name === name);
      if (former && former.endedAtMs !== null) throw refuse('name', `is "${name}", which has ended: use another`);
      if (!former && (await this.ledgers.main.periods.isKnown(name))) {
        throw refuse('name', `is "${name}": there is data of a leaderboard of this name; use another`);
      }
      if (former && former.config.partition !== config.partition)
        throw refuse('partition', 'must be what it was: use another name for other partitions');
      const isOver = ({ begun: live, config: { contest } }: LeaderboardSettings) =>
        live && (live.endedAtMs !== null || (contest && contest.to < today));
      const others = this.settings.leaderboards.filter((one) => one.name !== name && !isOver(one));
      if (others.length >= maxLeaderboards) {
        throw refuse('name', `would be one of ${others.length + 1}: end another first, ${maxLeaderboards} may run`);
      }
      const isAsBefore = this.settings.leaderboards.some((one) => one.name === name && countsAs(one, wanted));
      const counts = (action: string) =>
        others.some(({ hasOwnLedger, actions }) => !hasOwnLedger && (!actions || actions.includes(action)));
      const without = (wanted.actions ?? this.inForce.book.actions).filter((action) => !counts(action));
      const next: Begun =
        former && isAsBefore ? { ...former, config } : { config, sinceMs: nowMs, revision, endedAtMs: null, without };
      return former ? begun.map((one) => (one === former ? next : one)) : [...begun, next];
    });
  }

  /**
   * Ends a leaderboard: it takes no more points, and its period is settled as any other. One that was never written to
   * is gone. Safe to repeat.
   * @throws ActivityError `unknownLeaderboard` where none of this name began while the app runs; `invalidLeaderboard`
   * where a rule names one that would be gone; `unavailable`.
   */
  async end(name: string): Promise<void> {
    await this.change(async (begun) => {
      const ended = begun.find(({ config }) => config.name === name);
      if (!ended) {
        throw new ActivityError('unknownLeaderboard', `No leaderboard "${name}" began while the app runs.`);
      }
      if (ended.endedAtMs !== null) return begun;
      const endedAtMs = this.settings.clock.now();
      if (await this.ledgers.main.periods.isKnown(name)) {
        return begun.map((one) => (one === ended ? { ...ended, endedAtMs } : one));
      }
      const others = this.settings.leaderboards.filter((one) => one.name !== name);
      const faults = grantFaults(this.inForce.book.rules, others);
      if (faults.length > 0) throw faultsError('invalidLeaderboard', faults);
      return begun.filter((one) => one !== ended);
    });
  }

  private change(make: (begun: readonly Begun[], revision: number) => Promise<readonly Begun[]>): Promise<void> {
    return this.connection.read(() =>
      this.store.inTurn(async () => {
        for (;;) {
          await this.useLatest();
          const { document, revision } = await this.store.read();
          const text = JSON.stringify(await make(begunIn(document), revision + 1));
          const ms = this.settings.clock.now();
          if (await this.store.put(text, { ms, expected: revision })) return this.useLatest();
        }
      }),
    );
  }

  /** Brings this instance, and what Redis has of settings, to those that are in force. */
  private async useLatest(): Promise<void> {
    const { stamp } = this;
    await this.takeLatest();
    if (stamp === this.stamp) return;
    try {
      await this.ledgers.main.prepare({ stores: this.settings.storesSettings });
    } catch (error) {
      this.stamp = undefined;
      throw error;
    }
  }

  private async takeLatest(): Promise<void> {
    const stamp = await this.store.stamp();
    if (stamp === this.stamp) return;
    const stored = stamp === null ? null : await this.store.read();
    this.take(begunIn(stored?.document ?? null));
    this.stamp = stored?.stamp ?? null;
  }

  /** All at once: no turn of the event loop sees a part of it. */
  private take(begun: readonly Begun[]): void {
    if (begun.length + this.begun.length === 0) return;
    const { settings, ledgers } = this;
    const usable = begun.flatMap((one) => this.settingsOf(one) ?? []);
    settings.inForce.leaderboards = [...settings.leaderboards.filter((one) => !one.begun), ...usable];
    ledgers.add(usable);
    this.inForce.recount(ledgerFeeds(settings));
    this.begun = begun;
    this.takenAtMs = performance.now();
    this.logger.log(`Beside those of the options: ${usable.map(({ name }) => name).join(', ') || 'none'}.`);
  }

  /** Null: this instance cannot have it, as its options have one of this name. */
  private settingsOf({ config, endedAtMs }: Begun): LeaderboardSettings | null {
    // Rules that were put in force may know of more actions than those of the options.
    const known = [...this.inForce.book.actions, ...this.settings.leaderboardDefaults.actions];
    const reading = this.read(config, [...known, ...(config.actions ?? [])]);
    if ('output' in reading) return Object.freeze({ ...reading.output, begun: { endedAtMs } });
    const faults = reading.faults.map(({ path, message }) => `${path} ${message}`);
    this.logger.error(`The leaderboard "${config.name}" is not here: ${faults.join('; ')}`);
    return null;
  }

  private read(given: unknown, actions: readonly string[]): Reading<LeaderboardSettings> {
    const { leaderboardDefaults: defaults, leaderboards } = this.settings;
    const reading = readingOf(leaderboardSchema({ ...defaults, actions }), given, '', 'body');
    if ('faults' in reading) return reading;
    const config = given as LeaderboardConfig;
    // Another ledger, weeks that are counted anew by a restart, and what no other instance has.
    const called = typeof config.visibility === 'function' ? config.visibility : undefined;
    const own = { points: config.points, weeksFrom: config.weeksFrom, visibility: called };
    const ofOptions = Object.entries(own).flatMap(([path, value]) => (value === undefined ? [] : path));
    const message = 'is for leaderboards of the options: leave it out';
    const faults: Fault[] = ofOptions.map((path) => ({ path, message }));
    const { name, hasOwnLedger, timezone, tallies } = reading.output;
    if (!tallies.every((tally) => defaults.actions.includes(actionOfTally(tally))))
      faults.push({ path: 'tallies', message: `must name actions of the options: ${defaults.actions.join(', ')}` });
    if (hasOwnLedger && config.points === undefined) {
      faults.push({ path: 'timezone', message: `is "${timezone}": leave it out, for that of the module` });
    }
    if (leaderboards.some((one) => one.name === name && !one.begun)) {
      faults.push({ path: 'name', message: `is "${name}": the options have a leaderboard of this name; use another` });
    }
    return faults.length > 0 ? { faults } : reading;
  }

  /** Has one instance fill what is not filled yet. One that dies leaves it to another, which begins anew. */
  private async fill(): Promise<void> {
    const due = this.begun.filter((one) => one.endedAtMs === null && !this.known.has(one));
    if (due.length === 0 || performance.now() - this.takenAtMs < settleMs) return;
    const unfilled = (await this.list()).flatMap(({ name, filledAt }) => (filledAt === null ? [name] : []));
    const open = due.filter(({ config }) => unfilled.includes(config.name));
    for (const one of due) if (!open.includes(one)) this.known.add(one);
    if (open.length === 0) return;
    const { client } = this.connection;
    const lease = await Lease.take(client, this.key('filling'), leaseMs);
    if (!lease) return;
    try {
      const { periods, differences, healed } = await new LedgerAudit(client, this.ledgers.main, {
        heals: true,
        includes: (board) => open.some(({ config }) => config.name === board),
        signal: AbortSignal.any([lease.lost, this.tasks.stopped]),
      }).run();
      lease.assertHeld();
      if (healed < differences) this.logger.warn('Some users are not filled in: see what "laurel verify" finds.');
      const filledAt = isoOf(this.settings.clock.now());
      for (const { config, revision } of open) {
        const own = periods.filter(({ board }) => board === config.name).map(({ period, from }) => ({ period, from }));
        const filled: Filled = { revision, filledAt, periods: own };
        await client.hset(this.key('filled'), config.name, JSON.stringify(filled));
        this.logger.log(`The leaderboard "${config.name}" is filled.`);
      }
    } finally {
      await lease.release();
    }
  }

  private key(kind: keyof typeof liveKeys): string {
    return liveKeys[kind](this.settings.prefix);
  }
}

const isoOf = (ms: number) => new Date(ms).toISOString();

function begunIn(document: string | null): readonly Begun[] {
  return document === null ? [] : (JSON.parse(document) as readonly Begun[]);
}

/** Whether both count the same in the same periods, and the same of these are open. */
function countsAs(one: LeaderboardSettings, other: LeaderboardSettings): boolean {
  const textOf = ({ spec, latenessMs, retentionMs, tallies, ...counted }: LeaderboardSettings) =>
    JSON.stringify([spec, latenessMs, retentionMs, tallies, countsText(counted)]);
  return textOf(one) === textOf(other);
}
