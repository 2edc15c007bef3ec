import { Inject, Injectable } from '@nestjs/common';
import { TimedCache } from '../core/cache/timed-cache';
import { ActivityError } from '../core/errors/errors';
import { Extensions } from '../core/extensions/extensions';
import type { PeriodQuery } from '../core/extensions/period-query';
import type { SettleTitles, Title, TitledPage, TitleSource } from '../core/extensions/title-source';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
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
    // What pages were shown may be a minute old; what is settled must not be.
    const reader = this.reader.anew();
    let firsts: Promise<ReadonlySet<string>> | undefined;
    return async (entries) => {
      const leaders = await (firsts ??= reader.firsts(query, needs));
      const entitled = entries.filter(({ rank, member }) => rank <= this.settledPlaces || leaders.has(member));
      if (entitled.length === 0) return new Map();
      const page = { userIds: entitled.map(({ member }) => member), entries: Promise.resolve(entitled) };
      const titles = await this.chain.titles(await reader.read(query, page, needs), settlingTimeoutMs);
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
      return await this.chain.titles(await this.reader.read(query, page, this.rules.needs));
    } catch (error) {
      await page.entries;
      const isAway = error instanceof ActivityError && error.code === 'unavailable';
      this.failures.report('all', isAway ? 'unavailable' : 'error', error);
      return null;
    }
  }
}
