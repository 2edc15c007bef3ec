import { ReplyError } from 'ioredis';
import { LeaderboardError, settingsMismatch, shardCountMismatch, unavailable } from '../../errors/errors';
import { keys } from '../../keys/keys';
import { isCounted, type CountedWeeks } from '../../time/period-spec';
import { sendTogether, type Command } from '../../redis/send';
import { type RedisClient, runScript } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import { dayMs } from '../../time/days';
import type { LedgerSettings } from '../model/ledger-options';
import { mismatches, type Mismatch } from './settings-mismatch';
import { layoutFields, readLayout, sinceField, storedBoard, unpackedField, type LayoutFields } from './stored-settings';

/**
 * The format of the data in Redis. A release raises it if the release before can no longer read or write its keys; two
 * releases of one format may run side by side.
 */
const keyFormat = '1';

/** A day that is older is noted when it is written; clocks and zones differ by less. */
const daysBeforeStart = 35;

/** How often settings are compared anew because another instance stored its own meanwhile. */
const mostTries = 10;

/** Stores in Redis the settings that a ledger's data was made with, and compares them, so that no data is misread. */
export class SettingsStore {
  private readonly key: string;

  constructor(
    private readonly redis: RedisClient,
    private readonly settings: LedgerSettings,
  ) {
    this.key = keys.layout(settings.prefix);
  }

  /** The stored settings. One round trip. */
  read(): Promise<LayoutFields> {
    return readLayout(this.redis, this.settings.prefix);
  }

  /**
   * Compares the stored settings with these, and stores the missing ones. No round trip if none is missing, else one.
   * @param stores false: nothing is stored, and every board must stand there.
   * @returns the stored settings before anything was stored now, and whether nothing had ever been written.
   * @throws LeaderboardError `shardCountMismatch`, `formatMismatch`, `settingsMismatch`
   */
  async agree(read: LayoutFields, stores: boolean) {
    let found = read;
    for (let tries = 1; tries <= mostTries; tries += 1) {
      await this.compare(found, stores);
      const changes = stores ? this.changes(found) : [];
      if (changes.length === 0) return { isNew: false, found };
      const stored = await runScript(this.redis, scripts.storeSettings, { layout: this.key }, { fields: changes });
      if (stored === 1) return { isNew: found.shards === undefined, found };
      found = await this.read();
    }
    throw unavailable(`The settings under ${this.name} change all the time: try again.`);
  }

  /** Stores the version of the terms in force, if it changed. One round trip, or none. */
  async storeTerms(version: number, found: LayoutFields): Promise<void> {
    if (found.terms === String(version)) return;
    await sendTogether(this.redis, [['hset', this.key, 'terms', version]]);
  }

  /** Takes from which day on ledgers may lie in memory. */
  takeMemory(found: LayoutFields): void {
    this.settings.memory.firstDay = Number(found[unpackedField] ?? this.firstInMemory());
  }

  private firstInMemory(): number {
    return Math.max(0, Math.floor(this.settings.clock.now() / dayMs) - daysBeforeStart);
  }

  private get name(): string {
    return `the prefix "${this.settings.prefix}"`;
  }

  private async compare(found: LayoutFields, stores: boolean): Promise<void> {
    const { shards, format } = found;
    if (shards === undefined) return this.checkServer();
    if (format !== keyFormat) {
      const fault = `is of format ${format ?? 'unknown'}, this version's is ${keyFormat}: run the version that wrote it.`;
      throw new LeaderboardError('formatMismatch', `The data under ${this.name} ${fault}`);
    }
    await this.compareShards(shards);
    this.takeWeeks(found);
    const faults = mismatches(this.settings, found);
    if (!stores) faults.push(...this.unknownBoards(found));
    if (faults.length > 0 && (!stores || (await this.concernData(faults, found)))) throw this.refusal(faults);
  }

  /** New data whose number of shards nobody gave has one: that is right for a server, and for no node of a Cluster. */
  private async checkServer(): Promise<void> {
    const { hasOwnShards, tags } = this.settings;
    if (hasOwnShards || this.redis.isCluster) return;
    // Where INFO is not allowed, a node still answers MOVED for most keys.
    const info = await this.redis.info('cluster').catch((error: unknown) => {
      if (error instanceof ReplyError) return '';
      throw error;
    });
    if (!info.includes('cluster_enabled:1')) return;
    throw shardCountMismatch(
      `New data under ${this.name} would lie in ${tags.length} shard, for this client knows one server, which is a node ` +
        'of a Redis Cluster: name the Cluster in redis.nodes (REDIS_CLUSTER_NODES), or use a Cluster of ioredis; if it ' +
        'is to be so, configure shards (LAUREL_SHARDS).',
    );
  }

  private async compareShards(stored: string): Promise<void> {
    const { tags, hasOwnShards, layout, prefix } = this.settings;
    if (stored === String(tags.length)) return;
    if (!hasOwnShards) return layout.adopt(Number(stored));
    throw shardCountMismatch(
      `The data under the prefix "${prefix}" lies in ${stored} shards, but ${tags.length} are configured: ` +
        `configure ${stored}, or move the data first with the command "reshard --shards ${tags.length}".`,
    );
  }

  /** Makes boards understand the weeks that they were cut into before, from `before`. */
  private takeWeeks(found: LayoutFields): void {
    for (const { name, period } of this.settings.boards) {
      const was = isCounted(period) ? storedBoard(found, name)?.period : undefined;
      if (!isCounted(period) || was === undefined || !isCounted(was)) continue;
      const moved = movedWeeks(period.countedFrom, was);
      if (JSON.stringify(moved) !== JSON.stringify(period)) this.settings.boardsInForce.cut(name, moved);
    }
  }

  /** Whether anything written would be misread: of a board, an unsettled period; of the ledger, any. One round trip. */
  private async concernData(faults: readonly Mismatch[], found: LayoutFields): Promise<boolean> {
    const { prefix } = this.settings;
    const stored = Object.keys(found).flatMap((field) => /^board:(.*)$/.exec(field)?.[1] ?? []);
    const concerned = faults.some(({ board }) => board === null) ? stored : faults.flatMap(({ board }) => board ?? []);
    const isOfBoards = faults.every(({ board }) => board !== null);
    const unsettled = await sendTogether(
      this.redis,
      concerned.map((name): Command => {
        const periods = keys.periods(prefix, name);
        return isOfBoards ? ['zdiff', 2, periods, keys.settled(prefix, name)] : ['zrange', periods, 0, 0];
      }),
    );
    return unsettled.some((periods) => Array.isArray(periods) && periods.length > 0);
  }

  private unknownBoards(found: LayoutFields): Mismatch[] {
    const { boards } = this.settings;
    const unknown = boards.filter(({ name, isMadeAnew }) => !isMadeAnew && storedBoard(found, name) === null);
    const stored = (JSON.parse(found.boards ?? '[]') as readonly string[]).join(', ');
    return unknown.map(({ name }) => ({
      board: name,
      fault: `the boards ${stored}, but "${name}" is configured`,
      remedy: 'configure the boards of the app that writes there',
    }));
  }

  private refusal(faults: readonly Mismatch[]): LeaderboardError {
    const lines = faults.map(({ fault, remedy }) => `${fault}: ${remedy}.`);
    return settingsMismatch(`The data under ${this.name} was written with ${lines.join(' And with ')}`);
  }

  /** Since when those boards are fed that the latest start did not feed. */
  private newBoards({ boards }: LayoutFields): LayoutFields {
    if (boards === undefined) return {};
    const fed = JSON.parse(boards) as readonly string[];
    const names = this.settings.boardNames.filter((name) => !fed.includes(name));
    return Object.fromEntries(names.map((name) => [sinceField(name), String(this.settings.clock.now())]));
  }

  /** Each changed field with its old and new value. */
  private changes(found: LayoutFields): string[] {
    const { tags } = this.settings;
    const wanted: LayoutFields = {
      shards: String(tags.length),
      format: keyFormat,
      // Days before it are noted in `old` as they are written.
      ...(found.shards === undefined && { [unpackedField]: String(this.firstInMemory()) }),
      ...layoutFields(this.settings),
      ...this.newBoards(found),
    };
    const other = Object.entries(wanted).filter(([field, value]) => found[field] !== value);
    return other.flatMap(([field, value]) => [field, found[field] ?? '', value]);
  }
}

/** Weeks counted from a day, on a board whose weeks were counted otherwise before: those are still understood. */
function movedWeeks(countedFrom: string, before: CountedWeeks): CountedWeeks {
  const days = new Set([before.countedFrom, ...(before.earlier ?? [])]);
  days.delete(countedFrom);
  return { kind: 'week', countedFrom, ...(days.size > 0 && { earlier: [...days] }) };
}
