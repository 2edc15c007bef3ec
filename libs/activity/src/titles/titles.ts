import type { Entry } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { TimedCache } from '../cache/timed-cache';
import { ActivityError } from '../errors/errors';
import { Extensions } from '../extensions/extensions';
import type { PeriodQuery } from '../extensions/period-query';
import type { Title, TitleSource } from '../extensions/title-source';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { FactsReader } from './facts-reader';
import { TitleChain } from './title-chain';
import { TitleFailures } from './title-failures';
import { TitleRules } from './title-rules';
import { TITLE_SETTINGS, type TitleSettings } from './titles.options';

/** Users' titles on a leaderboard in a period, each cached for `cacheMs`. */
@Injectable()
export class Titles implements TitleSource {
  readonly cacheMs: number;
  private readonly known: TimedCache<{ readonly title: Title | null }>;

  constructor(
    extensions: Extensions,
    private readonly rules: TitleRules,
    private readonly chain: TitleChain,
    private readonly reader: FactsReader,
    private readonly failures: TitleFailures,
    @Inject(ACTIVITY_SETTINGS) { clock }: ActivitySettings,
    @Inject(TITLE_SETTINGS) { cacheMs }: TitleSettings,
  ) {
    this.cacheMs = cacheMs;
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

  /** Null where what the rules need could not be read. */
  private async ask(query: PeriodQuery, entries: readonly Entry[]): Promise<(Title | null)[] | null> {
    try {
      return await this.chain.titles(await this.reader.read(query, entries, this.rules.needs));
    } catch (error) {
      const isAway = error instanceof ActivityError && error.code === 'unavailable';
      this.failures.report('all', isAway ? 'unavailable' : 'error', error);
      return null;
    }
  }
}
