import type { Entry } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { TimedCache } from '../cache/timed-cache';
import { ActivityError } from '../errors/errors';
import { Extensions } from '../extensions/extensions';
import type { PeriodQuery } from '../extensions/period-query';
import type { SettleTitles, Title, TitleSource } from '../extensions/title-source';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { FactsReader } from './facts-reader';
import { TitleChain } from './title-chain';
import { TitleFailures } from './title-failures';
import { TitleRules } from './title-rules';
import { TITLE_SETTINGS, type TitleSettings } from './titles.options';

/** How long the rules may take for one page that is settled: what they miss is missed for good. */
const settlingTimeoutMs = 10_000;

/** Users' titles on a leaderboard in a period, each cached for `cacheMs`. */
@Injectable()
export class Titles implements TitleSource {
  readonly cacheMs: number;
  private readonly settledPlaces: number;
  private readonly known: TimedCache<{ readonly title: Title | null }>;

  constructor(
    private readonly extensions: Extensions,
    private readonly rules: TitleRules,
    private readonly chain: TitleChain,
    private readonly reader: FactsReader,
    private readonly failures: TitleFailures,
    @Inject(ACTIVITY_SETTINGS) { clock }: ActivitySettings,
    @Inject(TITLE_SETTINGS) { cacheMs, settledPlaces }: TitleSettings,
  ) {
    this.cacheMs = cacheMs;
    this.settledPlaces = settledPlaces;
    this.known = new TimedCache({ clock, ttlMs: cacheMs, maxWeight: 10_000 });
    extensions.titles = this;
  }

  /** The titles of the users that have one. One round trip, none where all are cached or there are no rules. */
  async find(query: PeriodQuery, entries: readonly Entry[]): Promise<ReadonlyMap<string, Title>> {
    const found = new Map<string, Title>();
    if (this.rules.chain.length === 0) return found;
    const of = JSON.stringify([query.leaderboard.label, query.period.key, query.ranking]);
    const add = (userId: string, title: Title | null) => title && found.set(userId, title);
    const unknown = entries.filter(({ member }) => {
      const known = this.known.get(of + member);
      if (known) add(member, known.title);
      return !known;
    });
    if (unknown.length === 0) return found;
    const titles = await this.ask(query, unknown);
    unknown.forEach(({ member }, i) => {
      const title = titles?.[i] ?? null;
      add(member, title);
      if (titles) this.known.set(of + member, { title });
    });
    return found;
  }

  settle(asked: Pick<PeriodQuery, 'leaderboard' | 'period'>): SettleTitles | null {
    if (this.rules.chain.length === 0) return null;
    const query: PeriodQuery = { ...asked, ranking: 'ordinal' };
    const { needs } = this.rules;
    // What pages were shown may be a minute old; what is settled must not be.
    const reader = this.reader.anew();
    let firsts: Promise<ReadonlySet<string>> | undefined;
    return async (entries) => {
      const leaders = await (firsts ??= reader.firsts(query, needs));
      const entitled = entries.filter(({ rank, member }) => rank <= this.settledPlaces || leaders.has(member));
      if (entitled.length === 0) return new Map();
      const titles = await this.chain.titles(await reader.read(query, entitled, needs), settlingTimeoutMs);
      return new Map(entitled.flatMap(({ member }, i) => (titles[i] ? [[member, titles[i]]] : [])));
    };
  }

  /**
   * A settled period's are those that it was settled with. Null where what the rules need, or the archive, could not be
   * read.
   */
  private async ask(query: PeriodQuery, entries: readonly Entry[]): Promise<(Title | null)[] | null> {
    try {
      const userIds = entries.map(({ member }) => member);
      const settled = await this.extensions.past?.titles(query, userIds);
      if (settled) return userIds.map((userId) => settled.get(userId) ?? null);
      return await this.chain.titles(await this.reader.read(query, entries, this.rules.needs));
    } catch (error) {
      const isAway = error instanceof ActivityError && error.code === 'unavailable';
      this.failures.report('all', isAway ? 'unavailable' : 'error', error);
      return null;
    }
  }
}
