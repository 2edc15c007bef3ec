import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { LeaderboardError } from '@laurel/leaderboard';
import { dayMs } from '@laurel/leaderboard/internals';
import type { Counter } from 'prom-client';
import { ActivityError, faultsError, type Fault } from '../core/errors/errors';
import { PeriodicTasks } from '../core/periodic/periodic-tasks';
import type { RulesSync } from '../core/extensions/ports';
import { feedTerms, ledgerFeeds } from '../core/ledgers/ledger-feed';
import { Ledgers } from '../core/ledgers/ledgers';
import { SharedMetrics } from '../core/observability/shared-metrics';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
import { RedisConnection } from '../core/redis/redis-connection';
import { byMoment, RuleBook } from '../core/rules/rule-book';
import { documentOf, resolveDocument, type ResolvedRules } from '../core/rules/rules-document';
import type { Rule } from '../core/rules/rule';
import { RulesInForce } from '../core/rules/rules-in-force';
import { rulesIn } from '../shared/rule-versions';
import { parseRules, ruleFaultLines } from '../shared/rules-text';
import { changesBetween, fieldFaults, leaderboardFaults } from './rules-changes';
import { rulesKey, RulesStore, type StoredRules } from './rules-store';
import type { RuleChange } from './rules.responses';

/** How often an instance asks whether other rules are in force. */
export const pollEveryMs = 2_000;

/** How the rules in force came to be so. */
export interface RulesState {
  /** The app's options or environment, or `POST /activity/rules`. */
  readonly source: 'options' | 'posted';
  /** Counts the sets of rules that were put in force for all instances; 0 before the first. */
  readonly revision: number;
  readonly since: Date;
  /** The version that the module's ledger stores with grants; null until Redis has returned it. */
  readonly version: number | null;
}

/** A set of rules that was refused. */
export interface RefusedRules {
  readonly at: Date;
  readonly faults: readonly Fault[];
}

/**
 * Applies the rules in force for all instances: those that were last put into Redis, or else the instance's own. Rules
 * are in force only when the ledgers have a version for them. Refused rules change nothing, nor do rules that arrive
 * while Redis is away.
 */
@Injectable()
export class LiveRules implements RulesSync, OnApplicationBootstrap {
  private readonly logger = new Logger('Rules');
  private readonly store: RulesStore;
  private readonly refusedTotal: Counter;
  /** The stamp of the stored rules that were read last, used or refused. */
  private stamp: string | null = null;
  private isCompared = false;
  /** Of the rules in force. */
  state: RulesState;
  /** The last refused set of rules, until others are put in force. */
  refused: RefusedRules | null = null;

  constructor(
    private readonly inForce: RulesInForce,
    private readonly ledgers: Ledgers,
    private readonly connection: RedisConnection,
    private readonly tasks: PeriodicTasks,
    metrics: SharedMetrics,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.state = { source: 'options', revision: 0, since: new Date(settings.clock.now()), version: null };
    this.store = new RulesStore(connection.client, rulesKey(settings.prefix));
    this.refusedTotal = metrics.counter({ name: 'laurel_rules_refused_total', help: 'Refused sets of rules.' });
    metrics.gauge(
      {
        name: 'laurel_rules_revision',
        help: 'The revision of the rules in force on this instance; 0: its own.',
        aggregator: 'max',
      },
      () => this.state.revision,
    );
  }

  /** The points of each action now, by the rules in force on this instance. */
  get points(): readonly Pick<Rule, 'action' | 'points' | 'revocable'>[] {
    const nowMs = this.settings.clock.now();
    return this.inForce.book.rules.map((rule) => {
      const { action, revocable } = rule;
      return { action, points: byMoment(rule, ({ points }) => points)(nowMs), revocable };
    });
  }

  /** The version of the rules in force; null until Redis has returned it. Usually no round trip. */
  async version(): Promise<number | null> {
    const { version } = this.state;
    if (version !== null) return version;
    try {
      return await this.connection.read(() => this.ledgers.main.terms.version());
    } catch (error) {
      if (error instanceof ActivityError && error.code === 'unavailable') return null;
      throw error;
    }
  }

  /** Starts to poll for rules of other instances. */
  onApplicationBootstrap(): void {
    this.tasks.task('rules', () => this.readInTurn(() => this.useLatest())).every(pollEveryMs);
  }

  /** One round trip; three if rules were put. */
  sync(): Promise<void> {
    return this.store.inTurn(async () => {
      // It may be another Redis than before, or have lost its data: versions are read anew.
      this.stamp = null;
      await this.useLatest();
      if (this.stamp === null && this.state.revision > 0) await this.replace(this.inForce.book, this.state);
      if (!this.isCompared) await this.compareFields();
    });
  }

  /**
   * The changes that a document would make. One round trip; none while Redis is away, and it is then not compared with
   * earlier ledgers.
   * @throws ActivityError `invalidRules` with a fault for each value that is not allowed; `unavailable`.
   */
  async check(document: unknown): Promise<readonly RuleChange[]> {
    const rules = this.checked(resolveDocument(document, this.settings));
    if (this.connection.isReady) await this.checkedByLedgers(rules);
    return changesBetween(this.inForce.book, rules);
  }

  /**
   * Puts a document in force: here when it resolves, on every other instance within about three seconds. Returns the
   * changes. Safe to repeat.
   * @param expected the revision that must be in force before; null: any.
   * @throws ActivityError `invalidRules` with a fault for each value that is not allowed; `rulesChanged` where another
   * revision is in force; `unavailable`: Redis is away, or did not answer in time, and the old rules stay unless
   * {@link RulesInForce} has the new ones.
   */
  async put(document: unknown, expected: number | null = null): Promise<readonly RuleChange[]> {
    const rules = this.checked(resolveDocument(document, this.settings));
    return this.putInForce(JSON.stringify(documentOf(document)), await this.checkedByLedgers(rules), expected);
  }

  /**
   * Withdraws the rules that were put in force: each instance goes back to its own options. As {@link put}
   * otherwise.
   * @throws ActivityError `invalidRules` where those do not fit the ledgers that are kept; `rulesChanged`;
   * `unavailable`
   */
  async withdraw(expected: number | null = null): Promise<readonly RuleChange[]> {
    return this.putInForce(null, await this.checkedByLedgers(this.settings), expected);
  }

  private async putInForce(
    document: string | null,
    rules: ResolvedRules,
    expected: number | null,
  ): Promise<readonly RuleChange[]> {
    return this.readInTurn(async () => {
      const before = this.inForce.book;
      await this.register(rules);
      const isPut = await this.store.put(document, { ms: this.settings.clock.now(), expected });
      await this.useLatest();
      if (!isPut) throw rulesChanged(this.state.revision);
      return changesBetween(before, this.inForce.book);
    });
  }

  /** @throws ActivityError `rulesChanged` where a later revision than `expected` is in force here; null: any may be. */
  assertRevision(expected: number | null): void {
    const { revision } = this.state;
    if (expected !== null && expected < revision) throw rulesChanged(revision);
  }

  /** @throws ActivityError `invalidRules` where rules cannot follow those in force here. */
  private checked(rules: ResolvedRules): ResolvedRules {
    const faults = [...leaderboardFaults(rules, this.settings.leaderboards), ...fieldFaults(this.inForce.book, rules)];
    if (faults.length > 0) throw faultsError('invalidRules', faults);
    return rules;
  }

  /** @throws ActivityError `invalidRules` where ledgers that are kept do not fit the rules; `unavailable`. */
  private async checkedByLedgers(rules: ResolvedRules): Promise<ResolvedRules> {
    const earlier = await this.connection.read(() => this.earlierRules());
    const faults = fieldFaults(this.inForce.book, rules, earlier);
    if (faults.length > 0) throw faultsError('invalidRules', faults);
    return rules;
  }

  /**
   * The rules of ledgers that are kept: all except those whose successor is older than the ledgers' retention. Rules
   * that came back after others are dated by their first use.
   */
  private async earlierRules(): Promise<readonly ResolvedRules['rules'][]> {
    const { clock, ledgerRetentionMs } = this.settings;
    const terms = await this.ledgers.main.terms.all();
    // Retention begins with a day's end, and days end at different moments all over the earth.
    const goneBeforeMs = clock.now() - (ledgerRetentionMs ?? Infinity) - 2 * dayMs;
    const living = terms.filter((_, i) => (terms[i + 1]?.since.getTime() ?? Infinity) >= goneBeforeMs);
    return living.map(({ text }) => rulesIn(text).rules);
  }

  /** @throws LeaderboardError `settingsMismatch` where ledgers that are kept do not fit the rules of this start. */
  private async compareFields(): Promise<void> {
    const faults = fieldFaults({ rules: [] }, this.inForce.book, await this.earlierRules());
    if (faults.length > 0) {
      const lines = faults.map(({ path, message }) => `${path} ${message}`).join(' ');
      throw new LeaderboardError('settingsMismatch', `The rules do not fit the data: ${lines}`);
    }
    this.isCompared = true;
  }

  private async useLatest(): Promise<void> {
    const stamp = await this.store.stamp();
    // Those that were refused may be for leaderboards that had not come here yet.
    if (stamp === null || (stamp === this.stamp && !this.refused)) return;
    const stored = await this.store.read();
    const { revision, since, document } = stored;
    let rules: ResolvedRules;
    try {
      rules = this.usable(stored);
    } catch (error) {
      if (stored.stamp !== this.stamp) this.refuse(error, `Revision ${revision} of the rules`);
      this.stamp = stored.stamp;
      return;
    }
    await this.replace(rules, { source: document === null ? 'options' : 'posted', revision, since });
    this.stamp = stored.stamp;
  }

  /** The stored rules. @throws ActivityError `invalidRules` where this instance's leaderboards cannot use them. */
  private usable({ document }: StoredRules): ResolvedRules {
    if (document === null) return this.settings;
    const rules = parseRules(document, this.settings);
    const faults = leaderboardFaults(rules, this.settings.leaderboards);
    if (faults.length > 0) throw faultsError('invalidRules', faults);
    return rules;
  }

  /** Puts rules in force as soon as their ledgers have a version for them. */
  private async replace(rules: ResolvedRules, { source, revision, since }: Omit<RulesState, 'version'>): Promise<void> {
    const versions = await this.register(rules);
    const book = new RuleBook(rules.rules, ledgerFeeds(this.settings), rules.limits, versions);
    versions.forEach((version, i) => this.inForce.laws[i]?.add(version, book, true));
    const [version = null] = versions;
    this.state = { source, version, revision, since };
    this.inForce.replace(book);
    this.refused = null;
    this.logger.log(`Revision ${revision} of the rules (${source}) is in force, as version ${version}.`);
  }

  /** The versions of rules, one for each ledger: those that the ledgers store with what the rules grant. */
  private register(rules: ResolvedRules): Promise<number[]> {
    const feeds = ledgerFeeds(this.settings);
    return Promise.all(
      this.ledgers.all.map((ledger, i) => ledger.terms.versionOf(feedTerms(rules, feeds[i]?.points ?? null))),
    );
  }

  private refuse(error: unknown, name: string): void {
    const isInvalid = error instanceof ActivityError && error.code === 'invalidRules';
    // The check of a limit of the app's own type may throw anything.
    const unknown = { path: '', message: 'could not be checked' };
    for (const line of isInvalid ? ruleFaultLines(name, error) : [`${name} ${unknown.message}: ${String(error)}`]) {
      this.logger.error(line);
    }
    this.logger.error('The rules are unchanged.');
    const faults = isInvalid ? error.faults : [unknown];
    this.refused = { at: new Date(this.settings.clock.now()), faults };
    this.refusedTotal.inc();
  }

  /** One at a time: rules that were read are in force before others are read. A read's time begins with its turn. */
  private readInTurn<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      void this.store.inTurn(async () => {
        let running: Promise<T> | undefined;
        this.connection.read(() => (running = work())).then(resolve, reject);
        // Work that takes too long goes on: the next must not meet it.
        await running?.catch(() => undefined);
      });
    });
  }
}

function rulesChanged(revision: number): ActivityError {
  return new ActivityError(
    'rulesChanged',
    `Other rules were put in force meanwhile: revision ${revision}. Read the rules again, and change those.`,
  );
}
