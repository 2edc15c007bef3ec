import { Period, type Ledger, type LedgerLine } from '@laurel/leaderboard';
import { adjustmentId, isCounted, sum } from '@laurel/leaderboard/internals';
import { Inject, Injectable } from '@nestjs/common';
import { checkUserId, checkWhole, dayIn } from '../core/activity/checks';
import { SharedReads } from '../core/cache/timed-cache';
import { RedisConnection } from '../core/redis/redis-connection';
import { runInRedis } from '../core/redis/run-in-redis';
import { ActivityError } from '../core/errors/errors';
import { readScoped, writeScoped } from '../core/http/scoped-cursor';
import type { LeaderboardBoards } from '../core/ledgers/leaderboard-boards';
import { Ledgers } from '../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
import { maxLines, type LedgerQuery } from './account.dto';
import type { BoardEffect, LedgerDayAnswer, LedgerPage, LedgerPageLine } from './account.responses';
import { codeOfField, readOwnerField, subjectInField } from '../core/rules/ledger-field';
import { ruleVersions, type RuleVersion } from '../shared/rule-versions';
import { pointsOf } from '../core/points/decimals';
import { RulesInForce } from '../core/rules/rules-in-force';

type Place = readonly [ms: number, field: string];

/** From this many lines on, a day is cached: it takes long to read, and each page needs all of it. */
const crowded = 5_000;
const crowdedForMs = 10_000;
/** The most lines that are cached. */
const maxCached = 200_000;

/** Lists line by line why a user has their points. */
@Injectable()
export class LedgerService {
  private readonly days: SharedReads<readonly LedgerLine[]>;

  constructor(
    private readonly ledgers: Ledgers,
    private readonly connection: RedisConnection,
    private readonly rules: RulesInForce,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.days = new SharedReads({ clock: settings.clock, ttlMs: crowdedForMs, maxWeight: maxCached });
  }

  /**
   * A page of one day, the earliest line first. Two round trips or three, and as many for each leaderboard with a time
   * zone or points of its own. Each page reads the whole day. A day of 5,000 lines or more is read once and cached for
   * ten seconds; if that takes longer than `commandTimeoutMs`, the next try finds it in the cache.
   * @throws ActivityError `invalidQuery` with the path of the fault, `invalidCursor`, `unavailable`; `ledgersGone`
   * where the day's ledger is no longer kept.
   */
  async page(userId: string, { date, limit = 50, cursor }: LedgerQuery = {}): Promise<LedgerPage> {
    checkUserId(userId);
    const { timezone, clock } = this.settings;
    const day = date === undefined ? Period.of('day', new Date(clock.now()), timezone) : dayIn('date', date, timezone);
    checkWhole('limit', limit, [1, maxLines]);
    const scope = ['ledger', userId, day.key];
    const after = cursor === undefined ? null : readScoped(scope, cursor, isPlace, maxCursorLength);
    this.assertKept(day);
    const all = await this.linesOf(this.ledgers.main, userId, day);
    const start = after === null ? 0 : all.findIndex((line) => isAfter(placeOf(line), after));
    const lines = start < 0 ? [] : all.slice(start, start + limit);
    const last = lines.at(-1);
    const hasMore = last !== undefined && last !== all.at(-1);
    return {
      userId,
      date: day.key,
      points: this.pointsOf(all),
      total: all.length,
      lines: await this.linesAnswer(userId, day, lines),
      next: hasMore ? writeScoped(scope, placeOf(last)) : null,
    };
  }

  /**
   * All stored days of a user's ledger, the earliest first, with refused activities (0 points). A few round trips a
   * day.
   * @throws ActivityError `unavailable`
   */
  async *everyDay(userId: string): AsyncGenerator<LedgerDayAnswer, void> {
    const { history } = this.ledgers.main;
    for (const day of await runInRedis(this.connection, () => history.daysOf(userId))) {
      const answer = await runInRedis(this.connection, async () => {
        const all = await history.lines(userId, day, { withAll: true });
        return { date: day.key, points: this.pointsOf(all), lines: await this.linesAnswer(userId, day, all) };
      });
      if (answer.lines.length > 0) yield answer;
    }
  }

  private async linesAnswer(userId: string, day: Period, lines: readonly LedgerLine[]): Promise<LedgerPageLine[]> {
    const actionOf = await this.actionNames(lines);
    const effects = await this.effectsOf(userId, day, lines);
    return lines.map((line, i) => ({
      action: actionOf(line),
      ...aboutOf(line),
      ...(line.partitions && { partitions: line.partitions }),
      points: pointsOf(line.points, this.settings.decimals),
      version: line.adjustment ? null : line.version,
      grantedAt: isoOf(line.grantedAtMs),
      revokedAt: isoOf(line.revokedAtMs),
      boards: effects[i] ?? {},
    }));
  }

  private linesOf(ledger: Ledger, userId: string, day: Period): Promise<readonly LedgerLine[]> {
    const key = JSON.stringify([ledger.settings.prefix, userId, day.key]);
    const read = () => {
      const reading = ledger.history.lines(userId, day);
      const settle = (count: number) => (count < crowded ? this.days.delete(key) : this.days.set(key, reading, count));
      reading.then(({ length }) => settle(length)).catch(() => undefined);
      return reading;
    };
    return this.connection.read(() => this.days.read(key, read));
  }

  /**
   * All versions of the rules that have granted points, the oldest first, with the day of their first use. One round
   * trip.
   * @throws ActivityError `unavailable`
   */
  ruleVersions(): Promise<RuleVersion[]> {
    return ruleVersions(this.connection, this.ledgers);
  }

  /** An empty page would say that nothing was granted on a day whose ledger has expired. */
  private assertKept(day: Period): void {
    if (this.ledgers.keeps(day)) return;
    const kept = (this.settings.ledgerRetentionMs ?? 0) / 86_400_000;
    throw new ActivityError(
      'ledgersGone',
      `Ledgers are kept for ${kept} days after their day: those of ${day.key} are gone.`,
    );
  }

  private pointsOf(lines: readonly LedgerLine[]): number {
    return pointsOf(sum(lines.map(({ points }) => points)), this.settings.decimals);
  }

  /** The name of each line's action; earlier rules are read only for codes that those in force do not have. */
  private async actionNames(lines: readonly LedgerLine[]): Promise<(line: LedgerLine) => string> {
    const { book } = this.rules;
    const known = new Map(book.rules.map(({ code, action }) => [code, action]));
    if (lines.some((line) => !line.adjustment && !known.has(codeOf(line)))) {
      for (const { rules } of (await this.ruleVersions()).reverse()) {
        for (const { code, action } of rules) if (!known.has(code)) known.set(code, action);
      }
    }
    return (line) => known.get(codeOf(line)) ?? codeOf(line);
  }

  private async effectsOf(
    userId: string,
    day: Period,
    lines: readonly LedgerLine[],
  ): Promise<Record<string, BoardEffect>[]> {
    const effects = lines.map((): Record<string, BoardEffect> => ({}));
    for (const boards of this.ledgers.leaderboards()) {
      const { name, settings } = boards;
      if (settings.partition !== null) continue;
      const countedOf = await this.countedOn(boards, userId, day, lines);
      lines.forEach((line, i) => {
        const counted = countedOf(line);
        if (!counted || counted.points === 0 || !isTaken(boards, line)) return;
        const period = boards.ledger.periods.find(name, counted.atMs);
        const own = effects[i];
        if (own && period instanceof Period)
          own[name] = { period: period.key, points: boards.pointsOf(counted.points) };
      });
    }
    return effects;
  }

  /** The points of the module's own lines on a leaderboard, by that leaderboard's ledger. */
  private async countedOn(
    { ledger, settings }: LeaderboardBoards,
    userId: string,
    day: Period,
    lines: readonly LedgerLine[],
  ): Promise<(line: LedgerLine) => Counted | null> {
    const on = (line: LedgerLine, ofDay: Period): Counted | null => {
      const atMs = countedAtMs(line, ofDay);
      return atMs === null ? null : { points: line.points, atMs };
    };
    if (!settings.hasOwnLedger) return (line) => on(line, day);
    const dayOf = (ms: number) => Period.of('day', new Date(ms), settings.timezone);
    const sameDay = Period.parse('day', day.key, settings.timezone);
    // An adjustment is in the ledger of the day that it names; where it names none, or one that had not begun in this
    // time zone, in that of the day when it was made.
    const daysOf = ({ grantedAtMs: ms, adjustment }: LedgerLine): readonly Period[] => {
      const made = ms === null ? [] : [dayOf(ms)];
      return adjustment ? [sameDay, ...made] : made;
    };
    const days = new Map(lines.flatMap((line) => daysOf(line).map((ofDay) => [ofDay.key, ofDay] as const)));
    const counted = new Map<string, Counted | null>();
    for (const ofDay of days.values()) {
      for (const line of await this.linesOf(ledger, userId, ofDay)) {
        counted.set(placeIn(ofDay.key, line), on(line, ofDay));
      }
    }
    return (line) =>
      daysOf(line).reduce<Counted | null>((found, { key }) => found ?? counted.get(placeIn(key, line)) ?? null, null);
  }
}

/** Whether a line counts on a leaderboard without partitions. */
function isTaken({ name, settings, ledger }: LeaderboardBoards, line: LedgerLine): boolean {
  const { field, version, adjustment, partitions = {} } = line;
  if (adjustment) return (adjustment.board ?? name) === name;
  const { boards = [name] } = ledger.settings.laws.of(ledger.settings.fieldNames.short(field), version ?? 1);
  return boards.includes(name) && isCounted(settings.where, partitions);
}

function placeIn(day: string, { field }: LedgerLine): string {
  return `${day} ${field}`;
}

/** The points of a line on a leaderboard, and since when. */
interface Counted {
  readonly points: number;
  readonly atMs: number;
}

/** An adjustment may have been made long after the day that it adjusts. */
function countedAtMs({ grantedAtMs: ms, adjustment }: LedgerLine, { start, end }: Period): number | null {
  if (!adjustment || ms === null) return ms;
  return ms >= start.getTime() && (end === null || ms < end.getTime()) ? ms : start.getTime();
}

/** The code of a line's action. */
function codeOf({ field }: LedgerLine): string {
  return readOwnerField(field)?.code ?? codeOfField(field);
}

/** The subject and the owner of a line. */
function aboutOf({ field, adjustment }: LedgerLine): Pick<LedgerPageLine, 'subject' | 'digest' | 'from' | 'reason'> {
  if (adjustment) return { subject: adjustmentId(field) || null, digest: null, reason: adjustment.note };
  const owned = readOwnerField(field);
  return { ...subjectInField(field), ...(owned && { from: owned.giver }) };
}

/** A field of 64 bytes, each escaped, as base64url. */
const maxCursorLength = 1_000;

function placeOf({ grantedAtMs, revokedAtMs, field }: LedgerLine): Place {
  return [grantedAtMs ?? revokedAtMs ?? 0, field];
}

function isPlace(value: unknown): value is Place {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [ms, field] = value as unknown[];
  return Number.isSafeInteger(ms) && typeof field === 'string';
}

function isAfter([ms, field]: Place, [thanMs, than]: Place): boolean {
  return ms > thanMs || (ms === thanMs && field > than);
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
