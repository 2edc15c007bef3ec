import {
  Ledger,
  type LedgerOptions,
  type Period,
  RollingBoard,
  type Transition,
  type TransitionResult,
} from '@laurel/leaderboard';
import type { PrepareOptions } from '@laurel/leaderboard/internals';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { ActivityError } from '../errors/errors';
import type { ActivitySettings, LeaderboardSettings, RollingSettings } from '../options/settings';
import type { RedisConnection } from '../redis/redis-connection';
import { isPassing } from '../redis/redis-faults';
import { RuleBook } from '../rules/rule-book';
import { resolveDocument } from '../rules/rules-document';
import type { LedgerLaws, RulesInForce } from '../rules/rules-in-force';
import { LeaderboardBoards } from './leaderboard-boards';
import { ledgerBoards, ledgerFeeds, ledgerOptions } from './ledger-feed';

/** All ledgers of the module, and the boards of each leaderboard, whichever ledger feeds it. */
export class Ledgers {
  /** The module's own first. */
  readonly all: readonly Ledger[];
  private readonly own: readonly LeaderboardBoards[];
  private byName: ReadonlyMap<string, LeaderboardBoards>;

  /** @param laws of the ledgers' fields. @param settles whether periods are settled here, asked at each read. */
  constructor(
    private readonly connection: RedisConnection,
    private readonly settings: ActivitySettings,
    laws: readonly LedgerLaws[],
    private readonly settles: () => boolean,
  ) {
    const fed = ledgerFeeds(settings).map((feed, i) => {
      const options = ledgerOptions(settings, feed, settles, laws[i] as LedgerLaws);
      return { ...feed, ledger: new PatientLedger(connection, options, settings.recordTimeoutMs) };
    });
    this.all = fed.map(({ ledger }) => ledger);
    const boards = fed.flatMap(({ ledger, leaderboards }) => leaderboards.map((one) => this.boardsOf(one, ledger)));
    const names = settings.leaderboards.map(({ name }) => name);
    this.own = boards.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
    this.byName = byName(this.own);
  }

  /** Has these beside those of the options from now on, fed by the module's own ledger. */
  add(begun: readonly LeaderboardSettings[]): void {
    this.main.feedAlso(begun.flatMap((one) => ledgerBoards(one, this.settles, this.settings.rules)));
    this.byName = byName([...this.own, ...begun.map((leaderboard) => this.boardsOf(leaderboard, this.main))]);
  }

  private boardsOf(leaderboard: LeaderboardSettings, ledger: Ledger): LeaderboardBoards {
    const { name: board, rolling } = leaderboard;
    const of = (given: RollingSettings) => new RollingBoard(this.connection.client, ledger, { board, ...given });
    return new LeaderboardBoards(leaderboard, ledger, { own: rolling && of(rolling), of, spans: new Map() });
  }

  /** Whether the ledgers of a day are still kept. */
  keeps({ end }: Pick<Period, 'end'>): boolean {
    const { ledgerRetentionMs, clock } = this.settings;
    return ledgerRetentionMs === null || clock.now() < (end?.getTime() ?? Infinity) + ledgerRetentionMs;
  }

  /** The module's own ledger: of its timezone, with the points of its rules. What users see as their history. */
  get main(): Ledger {
    return this.all[0] as Ledger;
  }

  /** The boards of every leaderboard, in the order of the options. */
  leaderboards(): readonly LeaderboardBoards[] {
    return [...this.byName.values()];
  }

  /** The boards of one leaderboard, its name in any case. @throws ActivityError `unknownLeaderboard` */
  boards(leaderboard: string): LeaderboardBoards {
    const found = this.byName.get(leaderboard) ?? this.byName.get(leaderboard.toLowerCase());
    if (found) return found;
    throw this.unknown();
  }

  /** The error of an unknown leaderboard, and of one that the reader may not see. */
  unknown(): ActivityError {
    const names = this.leaderboards().flatMap(({ name, settings }) => (settings.visibility === 'all' ? [name] : []));
    return new ActivityError('unknownLeaderboard', `No leaderboard has this name: use one of ${names.join(', ')}.`);
  }

  /** As `Ledger.prepare`, of all. @throws LeaderboardError where one would misread what lies in Redis. */
  async prepare(options?: PrepareOptions): Promise<void> {
    const [main, ...parts] = this.all;
    await Promise.all(parts.map((ledger) => ledger.prepare(options)));
    // The module's own says what the app is configured with: of an app that is refused nothing is to be said.
    await main?.prepare(options);
  }

  /** Lets each ledger judge what earlier versions of the rules granted by those versions. One round trip a ledger. */
  async loadLaws({ laws, book }: RulesInForce): Promise<void> {
    await Promise.all(
      this.all.map(async (ledger, i) => {
        const own = laws[i];
        for (const { version, text } of await ledger.terms.all()) {
          if (own?.knows(version) === false)
            if (text === ledger.settings.terms) own.add(version, book, false);
            else own.learn(version, text);
        }
      }),
    );
  }
}

/** The rules that a ledger stores as terms; null: they cannot be read any more, as a type of limit is gone. */
export function bookIn(text: string, settings: ActivitySettings): RuleBook | null {
  try {
    const { rules, limits } = resolveDocument(JSON.parse(text), settings);
    // The points are the text's own.
    const feeds = ledgerFeeds(settings).map((feed) => ({ ...feed, points: null }));
    return new RuleBook(rules, feeds, limits);
  } catch {
    return null;
  }
}

function byName(all: readonly LeaderboardBoards[]): ReadonlyMap<string, LeaderboardBoards> {
  return new Map(all.map((one) => [one.name, one]));
}

/** How long a call that failed in passing waits for the next try: a failover takes longer, a reset connection less. */
const retryMs = 50;

/**
 * A ledger whose writes wait for Redis. A call that was cut off is sent again: what it had done already is then a
 * `duplicate`, so that points are never given twice.
 */
export class PatientLedger extends Ledger {
  /** @param patienceMs how long a write waits and is repeated. */
  constructor(
    private readonly connection: RedisConnection,
    options: LedgerOptions,
    private readonly patienceMs: number,
  ) {
    super(connection.client, options);
  }

  override async applyToShard(shard: number, transitions: readonly Transition[]): Promise<TransitionResult[]> {
    // The usual case pays for nothing.
    const deadlineMs = performance.now() + this.patienceMs;
    for (;;) {
      if (!this.connection.isReady) await this.connection.whenReady(deadlineMs - performance.now());
      try {
        return await super.applyToShard(shard, transitions);
      } catch (error) {
        if (!isPassing(error) || performance.now() + retryMs >= deadlineMs) {
          this.connection.refusals.note(error, { isWrite: true });
          throw error;
        }
      }
      await delay(retryMs);
    }
  }
}
