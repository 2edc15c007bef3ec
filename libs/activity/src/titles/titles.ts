import type { Entry } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { ActivityError } from '../errors/errors';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import type { AskedPeriod } from '../extensions/asked-period';
import { FactsReader } from './facts-reader';
import { TitleChain } from './title-chain';
import { TitleFailures } from './title-failures';
import type { Title } from '../extensions/title-source';
import { TitleRules } from './title-rules';

/** The most titles kept. */
const maxKept = 10_000;

interface Kept {
  readonly foundAtMs: number;
  readonly title: Title | null;
}

/** Users' titles on a leaderboard in a period, each kept for `titles.cacheMs`. */
@Injectable()
export class Titles {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly rules: TitleRules,
    private readonly chain: TitleChain,
    private readonly reader: FactsReader,
    private readonly failures: TitleFailures,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * The titles of those who have one. One round trip, none where all are kept or there are no rules. Ranks never fail
   * for want of them: what cannot be found is not shown.
   */
  async find(asked: AskedPeriod, entries: readonly Entry[]): Promise<ReadonlyMap<string, Title>> {
    const found = new Map<string, Title>();
    if (this.rules.chain.length === 0) return found;
    const nowMs = this.settings.clock.now();
    const { cacheMs } = this.settings.titles;
    const { leaderboard, period, ranking } = asked;
    const of = JSON.stringify([leaderboard.label, period.key, ranking]);
    const unknown = entries.filter(({ member }) => {
      const kept = this.kept.get(of + member);
      const ageMs = kept ? nowMs - kept.foundAtMs : Infinity;
      // A clock that was set back would keep a title for longer.
      if (!kept || ageMs < 0 || ageMs >= cacheMs) return true;
      if (kept.title) found.set(member, kept.title);
      return false;
    });
    if (unknown.length === 0) return found;
    const titles = await this.ask(asked, unknown);
    unknown.forEach(({ member }, i) => {
      const title = titles?.[i] ?? null;
      if (title) found.set(member, title);
      if (titles && cacheMs > 0) this.keep(of + member, { foundAtMs: nowMs, title });
    });
    return found;
  }

  /** Null where what the rules need could not be read. */
  private async ask(asked: AskedPeriod, entries: readonly Entry[]): Promise<(Title | null)[] | null> {
    try {
      return await this.chain.titles(await this.reader.read(asked, entries, this.rules.needs));
    } catch (error) {
      const isAway = error instanceof ActivityError && error.code === 'unavailable';
      this.failures.report('all', isAway ? 'unavailable' : 'error', error);
      return null;
    }
  }

  private keep(key: string, kept: Kept): void {
    this.kept.delete(key);
    if (this.kept.size >= maxKept) {
      // A Map keeps the order of insertion: the first is the oldest.
      const [oldest] = this.kept.keys();
      if (oldest !== undefined) this.kept.delete(oldest);
    }
    this.kept.set(key, kept);
  }
}
