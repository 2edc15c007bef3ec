import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { RedisConnection } from '../redis/redis-connection';
import { faultCode } from '../redis/redis-faults';
import { ActivityError, faultsError, type Fault } from '../errors/errors';
import { feedTerms, ledgerFeeds } from '../ledgers/ledger-feed';
import { Ledgers } from '../ledgers/ledgers';
import type { Counter } from 'prom-client';
import { Extensions } from '../extensions/extensions';
import type { RulesSync } from '../extensions/rules-sync';
import { SharedMetrics } from '../observability/shared-metrics';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { RuleBook } from '../rules/rule-book';
import { changesBetween, codeFaults, leaderboardFaults, type RuleChange } from './rules-changes';
import { documentOf, parseRules, resolveDocument, ruleFaultLines, type ResolvedRules } from '../rules/rules-document';
import { watchRulesFile, type FileRead } from './watch-rules-file';
import { RulesInForce, type RulesSource, type RulesState } from '../rules/rules-in-force';
import { RulesStore, type KeptRules } from './rules-store';
import { rulesIn } from '../rules/rules-text';

/** How often an instance asks whether another one has put other rules in force. */
export const everyMs = 2_000;

/** A ledger is kept from the end of its day on, and days end at different moments all over the earth. */
const dayMs = 86_400_000;

/** A set of rules that was not taken. */
export interface RefusedRules {
  readonly at: Date;
  readonly source: RulesSource;
  readonly faults: readonly Fault[];
}

/**
 * Keeps this instance at the rules that are in force for all: those that were put into Redis last, by a request or by an
 * instance whose file of rules had changed; before any were, its own. Rules are in force only when their ledgers know
 * them by a version. What is refused, or comes while Redis is away, changes nothing.
 */
@Injectable()
export class RulesKeeper implements RulesSync, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Rules');
  private readonly store: RulesStore;
  private readonly refusedTotal: Counter<'source'>;
  /** The own configuration: what is in force where nothing was put, or it was withdrawn. */
  private own: ResolvedRules;
  /** The file's text as it was read last, and its document where that is still to be put. */
  private fileText: string | undefined;
  private waitingFile: string | undefined;
  /** The stamp of what was looked at last, taken or refused. */
  private seen: string | null = null;
  private isCompared = false;
  private lastRefused: RefusedRules | null = null;
  private turn: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private endWatch: (() => void) | undefined;

  constructor(
    private readonly inForce: RulesInForce,
    private readonly ledgers: Ledgers,
    private readonly connection: RedisConnection,
    metrics: SharedMetrics,
    extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    extensions.rules = this;
    this.refusedTotal = metrics.counter({
      name: 'laurel_rules_refused_total',
      help: 'Sets of rules that were not taken, by where they came from.',
      labelNames: ['source'],
    });
    metrics.gauge(
      {
        name: 'laurel_rules_revision',
        help: 'The revision of the rules in force on this instance; 0: its own.',
        aggregator: 'max',
      },
      () => inForce.current.revision,
    );
    const { prefix, rules, limits, rulesFile } = settings;
    this.store = new RulesStore(connection.client, prefix);
    this.own = { rules, limits };
    this.fileText = rulesFile?.text;
    this.waitingFile = rulesFile === null ? undefined : JSON.stringify(documentOf(JSON.parse(rulesFile.text)));
  }

  /** The set of rules that was refused last, while none was taken since. */
  get refused(): RefusedRules | null {
    return this.lastRefused;
  }

  /** The version of the rules in force; null while Redis has not told it. No round trip, as a rule. */
  async version(): Promise<number | null> {
    const { version } = this.inForce.current;
    if (version !== null) return version;
    try {
      return await this.connection.read(() => this.ledgers.main.version());
    } catch (error) {
      if (error instanceof ActivityError && error.code === 'unavailable') return null;
      throw error;
    }
  }

  /** Begins to look for rules that another instance has put in force, and to watch the file of rules. */
  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), everyMs);
    this.timer.unref();
    const { rulesFile } = this.settings;
    if (rulesFile) this.endWatch = watchRulesFile(rulesFile.path, (read) => void this.readFile(read));
  }

  /** Ends the looking and the watching. */
  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
    this.endWatch?.();
  }

  /** Takes what is in force for all from a Redis that has just been reached. A round trip, and three where there is any. */
  sync(): Promise<void> {
    return this.inTurn(async () => {
      // It may be another Redis than before, or have lost its data: versions are asked for anew.
      this.seen = null;
      await this.takeLatest();
      const { book, revision } = this.inForce.current;
      if (this.seen === null && revision > 0) this.replace(await this.bookOf(book.resolved), this.inForce.current);
      if (!this.isCompared) await this.compareCodes();
    });
  }

  /**
   * Which changes a document would bring. One round trip; while Redis is away none, and what ledgers of before call actions
   * is then not compared.
   * @throws ActivityError `invalidRules` with a fault for each value that is not allowed; `unavailable`.
   */
  async check(document: unknown): Promise<readonly RuleChange[]> {
    const rules = this.checked(this.resolve(document));
    if (this.connection.isReady) await this.checkedByLedgers(rules);
    return changesBetween(this.inForce.book.resolved, rules);
  }

  /**
   * Puts a document in force: here when it resolves, within about three seconds on every other instance. What changed is
   * returned. Safe to repeat.
   * @param expected the revision that the caller takes to be in force; null: any.
   * @throws ActivityError `invalidRules` with a fault for each value that is not allowed; `rulesChanged` where another revision
   * is in force than was expected; `unavailable`: Redis is away, or did not answer in time, and the old rules stay unless
   * {@link RulesInForce} says otherwise.
   */
  async put(document: unknown, expected: number | null = null): Promise<readonly RuleChange[]> {
    const rules = this.checked(this.resolve(document));
    return this.putInForce(JSON.stringify(documentOf(document)), await this.checkedByLedgers(rules), expected);
  }

  /**
   * Withdraws what was put in force: each instance goes back to its own configuration. As {@link put} otherwise.
   * @throws ActivityError `invalidRules` where the own configuration calls actions otherwise than ledgers do; `rulesChanged`;
   * `unavailable`
   */
  async withdraw(expected: number | null = null): Promise<readonly RuleChange[]> {
    return this.putInForce(null, await this.checkedByLedgers(this.own), expected);
  }

  private async putInForce(
    document: string | null,
    rules: ResolvedRules,
    expected: number | null,
  ): Promise<readonly RuleChange[]> {
    return this.connection.read(() =>
      this.inTurn(async () => {
        const before = this.inForce.book.resolved;
        await this.register(rules);
        const put = { source: 'posted', ms: this.settings.clock.now(), expected } as const;
        const isPut = await this.store.put(document, put);
        await this.takeLatest();
        if (!isPut) throw rulesChanged(this.inForce.current.revision);
        return changesBetween(before, this.inForce.book.resolved);
      }),
    );
  }

  /** @throws ActivityError `rulesChanged` where a later revision is in force here than this one; null: any may be. */
  expect(expected: number | null): void {
    const { revision } = this.inForce.current;
    if (expected !== null && expected < revision) throw rulesChanged(revision);
  }

  private resolve(document: unknown): ResolvedRules {
    return resolveDocument(document, this.settings.limitTypes);
  }

  /** @throws ActivityError `invalidRules` where rules cannot follow those that are in force here. */
  private checked(rules: ResolvedRules): ResolvedRules {
    const faults = [
      ...leaderboardFaults(rules, this.settings.leaderboards),
      ...codeFaults(this.inForce.book.resolved, rules),
    ];
    if (faults.length > 0) throw faultsError('invalidRules', faults);
    return rules;
  }

  /** @throws ActivityError `invalidRules` where ledgers that live call actions otherwise; `unavailable`. */
  private async checkedByLedgers(rules: ResolvedRules): Promise<ResolvedRules> {
    const earlier = await this.connection.read(() => this.earlierRules());
    const faults = codeFaults(this.inForce.book.resolved, rules, earlier);
    if (faults.length > 0) throw faultsError('invalidRules', faults);
    return rules;
  }

  /**
   * The rules by which ledgers that live were written: all but those whose successor has been there for longer than ledgers
   * are kept. That rules came back after others is not known of them.
   */
  private async earlierRules(): Promise<readonly ResolvedRules['rules'][]> {
    const { clock, ledgerRetentionMs } = this.settings;
    const terms = await this.ledgers.main.terms();
    const goneBeforeMs = clock.now() - (ledgerRetentionMs ?? Infinity) - 2 * dayMs;
    const living = terms.filter((_, i) => (terms[i + 1]?.since.getTime() ?? Infinity) >= goneBeforeMs);
    return living.map(({ text }) => rulesIn(text).rules);
  }

  /**
   * Says so where the rules of this start call actions otherwise than ledgers that live. It is not refused: an instance of
   * the version before may still run beside this one, and what is recorded by either is recorded.
   */
  private async compareCodes(): Promise<void> {
    const faults = codeFaults({ rules: [] }, this.inForce.book.resolved, await this.earlierRules());
    this.isCompared = true;
    for (const { path, message } of faults) {
      this.logger.error(`${path} ${message} What was granted by that name is taken for the other, or not found again.`);
    }
  }

  private async readFile({ path, text, fault }: FileRead): Promise<void> {
    if (text === null) {
      this.logger.error(`${path} cannot be read (${fault}): the rules stay as they are.`);
      return;
    }
    if (text === this.fileText) return;
    this.fileText = text;
    try {
      const rules = this.checked(parseRules(text, this.settings.limitTypes));
      this.own = this.connection.isReady ? await this.checkedByLedgers(rules) : rules;
      this.waitingFile = JSON.stringify(documentOf(JSON.parse(text)));
    } catch (error) {
      this.refuse('file', error, path);
      return;
    }
    await this.look();
  }

  private async look(): Promise<void> {
    // What waits is taken up when Redis is back.
    if (!this.connection.isReady) return;
    try {
      await this.connection.read(() => this.inTurn(() => this.takeLatest()));
    } catch (error) {
      this.logger.warn(`Whether other rules are in force could not be found out: ${faultCode(error)}`);
    }
  }

  private async takeLatest(): Promise<void> {
    const file = this.waitingFile;
    if (file !== undefined) {
      await this.register(this.own);
      await this.store.putFile(file, this.settings.clock.now());
      if (this.waitingFile === file) this.waitingFile = undefined;
    }
    const stamp = await this.store.stamp();
    if (stamp === this.seen || stamp === null) return;
    const kept = await this.store.read();
    const { revision, since, document } = kept;
    let rules: ResolvedRules;
    try {
      rules = this.keptRules(kept);
    } catch (error) {
      this.seen = kept.stamp;
      this.refuse(kept.source, error, `Revision ${revision} of the rules`);
      return;
    }
    const taken = await this.bookOf(rules);
    this.seen = kept.stamp;
    const own = this.settings.rulesFile === null ? 'options' : 'file';
    this.replace(taken, { source: document === null ? own : kept.source, revision, since });
  }

  /** What is in force for all, as far as this instance's leaderboards can do with it. */
  private keptRules({ document }: KeptRules): ResolvedRules {
    if (document === null) return this.own;
    const rules = parseRules(document, this.settings.limitTypes);
    const faults = leaderboardFaults(rules, this.settings.leaderboards);
    if (faults.length > 0) throw faultsError('invalidRules', faults);
    return rules;
  }

  /** Rules as they can be in force: their ledgers know them by a version. */
  private async bookOf(rules: ResolvedRules): Promise<Pick<RulesState, 'book' | 'version'>> {
    const versions = await this.register(rules);
    const book = new RuleBook(rules.rules, ledgerFeeds(this.settings), rules.limits, versions);
    return { book, version: versions[0] ?? null };
  }

  private replace(
    taken: Pick<RulesState, 'book' | 'version'>,
    { source, revision, since }: Pick<RulesState, 'source' | 'revision' | 'since'>,
  ): void {
    this.inForce.replace({ ...taken, source, revision, since });
    this.lastRefused = null;
    this.logger.log(`Revision ${revision} of the rules (${source}) is in force, as version ${taken.version}.`);
  }

  /** The versions of rules, one for each ledger: from here on what they grant can be remembered as theirs. */
  private register(rules: ResolvedRules): Promise<number[]> {
    const feeds = ledgerFeeds(this.settings);
    return Promise.all(
      this.ledgers.all.map((ledger, i) => ledger.registerTerms(feedTerms(rules, feeds[i]?.points ?? null))),
    );
  }

  private refuse(source: RulesSource, error: unknown, name: string): void {
    const isFaulty = error instanceof ActivityError && error.code === 'invalidRules';
    // The check of a limit of the app's own type may throw anything.
    const unknown = { path: '', message: 'could not be checked' };
    for (const line of isFaulty ? ruleFaultLines(name, error) : [`${name} ${unknown.message}: ${String(error)}`]) {
      this.logger.error(line);
    }
    this.logger.error('The rules stay as they are.');
    const faults = isFaulty ? error.faults : [unknown];
    this.lastRefused = { at: new Date(this.settings.clock.now()), source, faults };
    this.refusedTotal.inc({ source });
  }

  /** One at a time: who reads what is in force takes it before another reads. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }
}

function rulesChanged(revision: number): ActivityError {
  return new ActivityError(
    'rulesChanged',
    `Others were put in force meanwhile: revision ${revision}. Read the rules again, and begin with those.`,
  );
}
