import { Inject, Injectable, Logger } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import type { Counter } from 'prom-client';
import { TimedCache } from '../core/cache/timed-cache';
import { within } from '../core/deadlines/deadline';
import { ActivityError } from '../core/errors/errors';
import { Extensions } from '../core/extensions/extensions';
import type { PeriodQuery, SettleTitles, Title, TitledPage, TitleSource } from '../core/extensions/standings';
import { errorTrace } from '../core/http/error-trace';
import { SharedMetrics } from '../core/observability/shared-metrics';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
import { hasMethod } from '../core/schema/schema';
import { FactsReader } from './facts-reader';
import { factsFor, type KnownFacts, knows } from './title-facts';
import { type ChainedRule, TitleRules } from './title-rules';
import { TITLE_SETTINGS, type TitleSettings } from './titles.options';

/** `error`: it threw. `timeout`: too late. `invalid`: no title. `unavailable`: its facts could not be read. */
export type TitleFailure = 'error' | 'timeout' | 'invalid' | 'unavailable';

const what: Readonly<Record<TitleFailure, string>> = {
  error: 'threw',
  timeout: 'did not answer in time',
  invalid: 'answered neither null nor a title of 1 to 100 characters',
  unavailable: 'got no facts from Redis in time',
};

/** Counts titles that could not be found; of each rule and reason the first is logged. */
@Injectable()
export class TitleFailures {
  private readonly logger = new Logger('TitleRules');
  private readonly logged = new Set<string>();
  private readonly failures: Counter<'rule' | 'reason'>;

  constructor(metrics: SharedMetrics) {
    this.failures = metrics.counter({
      name: 'laurel_title_failures_total',
      help: 'Titles that were not shown because a rule failed, by rule ("all": before any was asked) and reason: error, timeout, invalid or unavailable.',
      labelNames: ['rule', 'reason'],
    });
  }

  report(rule: string, reason: TitleFailure, error?: unknown): void {
    this.failures.inc({ rule, reason });
    const id = `${reason} ${rule}`;
    if (this.logged.has(id)) return;
    this.logged.add(id);
    const subject = rule === 'all' ? 'The title rules' : `The rule ${rule}`;
    const message = `${subject} ${what[reason]}: users are shown without titles. Further failures are only counted`;
    // Redis is away or late, which is logged where it is noticed.
    if (reason === 'unavailable') this.logger.warn(message);
    else this.logger.error(message, error === undefined ? undefined : errorTrace(error));
  }
}

/** In place of the answer of a rule that has none in time. */
const missed = Symbol('missed');

/** The longest id and the longest name, in characters. */
const maxLength = 100;

/** How long the rules may take for one page that is settled: what they miss is missed for good. */
const settlingTimeoutMs = 10_000;

/** Users' titles on a leaderboard in a period, each cached for `cacheMs`. */
@Injectable()
export class Titles implements TitleSource {
  readonly cacheMs: number;
  private readonly known: TimedCache<{ readonly title: Title | null }>;

  constructor(
    private readonly extensions: Extensions,
    private readonly rules: TitleRules,
    private readonly reader: FactsReader,
    private readonly failures: TitleFailures,
    @Inject(ACTIVITY_SETTINGS) { clock }: ActivitySettings,
    @Inject(TITLE_SETTINGS) private readonly options: TitleSettings,
  ) {
    this.cacheMs = options.cacheMs;
    this.known = new TimedCache({ clock, ttlMs: options.cacheMs, maxWeight: 10_000 });
  }

  get hasRules(): boolean {
    return this.rules.chain.length > 0;
  }

  /**
   * The titles of the users that have one. One round trip, while the page is read; one more for users whose entry has
   * changed since; none where all are cached. Without rules, only settled periods have titles.
   */
  async find(query: PeriodQuery, { userIds, entries }: TitledPage): Promise<ReadonlyMap<string, Title>> {
    const found = new Map<string, Title>();
    const of = JSON.stringify([query.leaderboard.label, query.period.key, query.ranking]);
    const known = new Map(userIds.map((userId) => [userId, this.known.get(of + userId)]));
    const unknownIds = [...known.keys()].filter((userId) => !known.get(userId));
    for (const [userId, one] of known) if (one?.title) found.set(userId, one.title);
    const unknown = entries.then((read) => read.filter(({ member }) => !known.get(member)));
    // It is awaited only when titles are there.
    unknown.catch(() => undefined);
    const titles = unknownIds.length > 0 ? await this.ask(query, { userIds: unknownIds, entries: unknown }) : null;
    // Also where nothing is asked: a page that cannot be read fails here too.
    (await unknown).forEach(({ member }, i) => {
      const title = titles?.[i] ?? null;
      if (title) found.set(member, title);
      if (titles) this.known.set(of + member, { title });
    });
    return found;
  }

  settle(asked: Pick<PeriodQuery, 'leaderboard' | 'period'>): SettleTitles | null {
    if (!this.hasRules) return null;
    const query: PeriodQuery = { ...asked, ranking: 'ordinal' };
    const { needs } = this.rules;
    // Cached titles may be a minute old; those of a settlement must not be.
    const reader = this.reader.anew();
    let firsts: ReturnType<FactsReader['firsts']> | undefined;
    let passed = 0;
    return async (entries) => {
      const { leaders, excluded } = await (firsts ??= reader.firsts(query, needs));
      // Excluded users are settled, too, but others win titles as if those were not there.
      const shown = entries.map((entry) => {
        const rank = entry.rank - passed;
        if (excluded.has(entry.member)) passed += 1;
        return { ...entry, rank };
      });
      const entitled = shown.filter(({ rank, member }) => rank <= this.options.settledPlaces || leaders.has(member));
      if (entitled.length === 0) return new Map();
      const page = { userIds: entitled.map(({ member }) => member), entries: Promise.resolve(entitled) };
      const titles = await this.titlesOf(await reader.read(query, page, needs), settlingTimeoutMs);
      return new Map(entitled.flatMap(({ member }, i) => (titles[i] ? [[member, titles[i]]] : [])));
    };
  }

  /**
   * A settled period's are those that it was settled with. Null where what the rules need, or the archive, could not be
   * read.
   */
  private async ask(query: PeriodQuery, page: TitledPage): Promise<(Title | null)[] | null> {
    try {
      const settled = await this.extensions.past?.titles(query, page.userIds);
      if (settled) return (await page.entries).map(({ member }) => settled.get(member) ?? null);
      if (!this.hasRules) return null;
      return await this.titlesOf(await this.reader.read(query, page, this.rules.needs));
    } catch (error) {
      await page.entries;
      const isAway = error instanceof ActivityError && error.code === 'unavailable';
      this.failures.report('all', isAway ? 'unavailable' : 'error', error);
      return null;
    }
  }

  /**
   * Each user's title, in the order given, within `timeoutMs` for all of them. Null: no rule gives one, or a rule
   * failed or had not answered by then. A rule that computes without a pause cannot be interrupted.
   */
  async titlesOf(users: readonly KnownFacts[], timeoutMs = this.options.timeoutMs): Promise<(Title | null)[]> {
    const deadlineMs = performance.now() + timeoutMs;
    return Promise.all(users.map((facts) => this.titleOf(facts, deadlineMs)));
  }

  private async titleOf(facts: KnownFacts, deadlineMs: number): Promise<Title | null> {
    for (const rule of this.rules.chain) {
      if (!knows(facts, rule.needs)) continue;
      const title = await this.answerOf(rule, facts, deadlineMs);
      if (title !== 'pass') return title;
    }
    return null;
  }

  private async answerOf({ name, needs, rule }: ChainedRule, facts: KnownFacts, deadlineMs: number) {
    try {
      const given = rule.title(factsFor(needs, facts));
      const inTime = () => within(deadlineMs - performance.now(), Promise.resolve(given), () => missed);
      const answer: unknown = hasMethod(given, 'then') ? await inTime() : given;
      if (answer === missed || performance.now() >= deadlineMs) {
        this.failures.report(name, 'timeout');
        return null;
      }
      if (answer === null || answer === undefined) return 'pass';
      const title = titleIn(answer);
      if (!title) this.failures.report(name, 'invalid');
      return title;
    } catch (error) {
      this.failures.report(name, 'error', error);
      return null;
    }
  }
}

function titleIn(answer: unknown): Title | null {
  if (typeof answer === 'string') return isText(answer) ? { id: answer, name: answer } : null;
  if (typeof answer !== 'object' || answer === null) return null;
  const { id, name } = answer as Partial<Record<keyof Title, unknown>>;
  return isText(id) && isText(name) ? { id, name } : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= maxLength && value.isWellFormed();
}
