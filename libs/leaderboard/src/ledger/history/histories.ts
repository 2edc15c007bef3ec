import { dayKey, dayNumber } from '../../time/days';
import { LeaderboardError } from '../../errors/errors';
import { checkedMember, keys, ledgerStem } from '../../keys/keys';
import type { Period } from '../../time/period';
import type { RedisClient } from '../../redis/redis-client';
import { served } from '../../redis/served';
import { shardOf } from '../../keys/shard';
import { adjustmentIn, isAdjustmentField } from './adjustment';
import { byMoment, ledgerLine } from './ledger-lines';
import { maxDaysScanned, type LedgerSettings } from '../model/ledger-options';
import type { LedgerDay, LedgerField, LedgerLine } from '../model/ledger.types';

/** Reads members' ledgers, day by day. */
export class Histories {
  constructor(
    private readonly redis: RedisClient,
    private readonly settings: LedgerSettings,
  ) {}

  /** As `Ledger.history`. */
  async history(member: string, from: Period, to: Period): Promise<LedgerDay[]> {
    checkRange(from, to);
    return this.readLedgers(checkedMember(member), daysBetween(from, to));
  }

  /** As `Ledger.histories`. */
  async histories(members: readonly string[], from: Period, to: Period): Promise<LedgerDay[][]> {
    checkRange(from, to);
    members.forEach(checkedMember);
    const [first, last] = [from, to].map(({ key }) => dayNumber(key)) as [number, number];
    const isListed = this.settings.indexesDays && last - first > maxDaysScanned;
    // A day that the zone skipped has no ledger either.
    const all = isListed ? [] : datesBetween(first, last);
    return Promise.all(
      members.map(async (member) => {
        const dates = isListed ? await this.listedDays(member, first, last) : all;
        const ledgers = await this.readLedgers(member, dates);
        return ledgers.filter(({ fields }) => fields.length > 0);
      }),
    );
  }

  /** As `Ledger.lines`. */
  async lines(member: string, day: Period): Promise<LedgerLine[]> {
    checkRange(day, day);
    const { prefix } = this.settings;
    const tag = this.tagOf(checkedMember(member));
    const key = keys.ledger(prefix, tag, day.key.replaceAll('-', ''), member);
    const all = Object.entries(await served(this.redis, key, () => this.redis.hgetall(key)));
    // Counts for daily limits lie under the field without a name.
    const fields = all.filter(([field]) => field !== '');
    const open = fields.map(([field, value]) => ledgerLine(field, value)).filter(({ isWhole }) => !isWhole);
    const revokesKey = keys.revokes(prefix, tag, member);
    const names = open.map(({ field }) => field);
    const revokes =
      names.length === 0 ? [] : await served(this.redis, revokesKey, () => this.redis.hmget(revokesKey, ...names));
    const later = new Map(names.map((field, i) => [field, revokes[i] ?? '']));
    return fields
      .map(([field, value]) => {
        const { points, version, grantedAtMs, revokedAtMs, adjustment } = ledgerLine(field, value, later.get(field));
        return { field, points, version, grantedAtMs, revokedAtMs, ...(adjustment && { adjustment }) };
      })
      .sort(byMoment);
  }

  private async readLedgers(member: string, dates: readonly string[]): Promise<LedgerDay[]> {
    const { prefix } = this.settings;
    const ledgers = await Promise.all(
      dates.map((date) => {
        const key = ledgerStem(prefix, this.tagOf(member), date.replaceAll('-', '')) + member;
        return served(this.redis, key, () => this.redis.hgetall(key));
      }),
    );
    return dates.map((date, i) => ({
      date,
      // Counts for daily limits lie under the field without a name.
      fields: Object.entries(ledgers[i] ?? {})
        .filter(([field]) => field !== '')
        .map(([field, value]) => ({
          field,
          ...standingOf(value),
          ...(isAdjustmentField(field) && { adjustment: adjustmentIn(value) }),
        })),
    }));
  }

  private async listedDays(member: string, first: number, last: number): Promise<string[]> {
    const key = keys.days(this.settings.prefix, this.tagOf(member), member);
    const read = () => this.redis.zrange(key, String(first), String(last), 'BYSCORE');
    const numbers = await served(this.redis, key, read);
    return numbers.map((number) => dayKey(Number(number)));
  }

  private tagOf(member: string): string {
    return this.settings.tags[shardOf(member, this.settings.tags.length)] as string;
  }
}

function checkRange(from: Period, to: Period): void {
  if (from.kind === 'day' && to.kind === 'day' && from.start <= to.start) return;
  throw new LeaderboardError('invalidArgument', 'A history goes from one day to the same or a later one.');
}

function daysBetween(from: Period, to: Period): string[] {
  const days: string[] = [];
  for (let day: Period | null = from; day && day.start <= to.start; day = day.next()) days.push(day.key);
  return days;
}

function datesBetween(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => dayKey(first + i));
}

/** Decodes a ledger's value; ledger-field.lua has the complete format. */
function standingOf(value: string): Omit<LedgerField, 'field'> {
  const [, points, version, granted] = /^(\d+)(?:v(\d+))?;(\d*)/.exec(value) ?? [];
  return {
    points: Number(points),
    version: points === '0' && version === undefined ? null : Number(version ?? 1),
    grantedAtMs: granted ? Number(granted) : null,
  };
}
