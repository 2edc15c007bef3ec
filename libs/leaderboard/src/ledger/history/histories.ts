import { compactDay, dayKey, dayNumber } from '../../time/days';
import { invalidArgument } from '../../errors/errors';
import { checkedMember, keys, nameInShard } from '../../keys/keys';
import type { Period } from '../../time/period';
import { scanKeys } from '../../redis/scan';
import { served } from '../../redis/served';
import { maxDaysScanned } from '../model/ledger-options';
import type { LedgerDay, LedgerLine } from '../model/ledger.types';
import { readLedger, readRevokes, readSummary } from '../pages/read-pages';
import type { LedgerContext } from '../periods/ledger-context';
import { adjustmentId, adjustmentIn, isAdjustmentField } from './adjustment';
import { byMoment, fieldsIn, ledgerLine, standingOf } from './ledger-lines';

/** Reads members' ledgers, day by day. */
export class Histories {
  constructor(private readonly ledger: LedgerContext) {}

  /**
   * The member's ledgers from one day to another, both included; days without one have no fields, and what lies in
   * pages is added up. One round trip, two with a large day.
   * @throws LeaderboardError `invalidArgument` where `from` lies after `to`, or the two are no days.
   */
  async days(member: string, from: Period, to: Period): Promise<LedgerDay[]> {
    checkRange(from, to);
    checkedMember(member);
    const days: number[] = [];
    for (let day: Period | null = from; day && day.start <= to.start; day = day.next()) days.push(dayNumber(day.key));
    const { redis, settings } = this.ledger;
    const summaries = days.map((day) => readSummary(redis, settings, this.placeOf(member, day)));
    return (await Promise.all(summaries)).map(({ fields, totals }, i) => ({
      ...this.ledgerDay(days[i] as number, fieldsIn(fields, days[i] as number, settings)),
      ...(totals.length > 0 && { totals }),
    }));
  }

  /**
   * The ledgers of several members from one day to another, both included; days without a ledger are left out. One
   * round trip; two if ledgers live longer than 40 days and the range is long.
   * @throws LeaderboardError `invalidArgument` as {@link days}.
   */
  async ofMembers(members: readonly string[], from: Period, to: Period): Promise<LedgerDay[][]> {
    checkRange(from, to);
    members.forEach(checkedMember);
    const [first, last] = [dayNumber(from.key), dayNumber(to.key)];
    const isListed = this.ledger.settings.indexesDays && last - first > maxDaysScanned;
    // A day that the zone skipped has no ledger either.
    const all = Array.from({ length: isListed ? 0 : last - first + 1 }, (_, i) => first + i);
    return Promise.all(
      members.map(async (member) => {
        const days = isListed ? await this.listedDays(member, first, last) : all;
        const ledgers = await this.readLedgers(member, days);
        return ledgers.filter(({ fields }) => fields.length > 0);
      }),
    );
  }

  /** The members with a ledger of these days, in pages, each once for each ledger. Looks at every key of Redis. */
  async *members(from: Period, to: Period): AsyncGenerator<string[], void> {
    checkRange(from, to);
    const { prefix, tags } = this.ledger.settings;
    const shards = { prefix, tags: new Set(tags) };
    const [first, last] = [compactDay(dayNumber(from.key)), compactDay(dayNumber(to.key))];
    for await (const page of scanKeys(this.ledger.redis, `{${prefix}:*}:ledger:*`)) {
      const places = page.map((key) => /^ledger:(\d{8}):([^]+)$/.exec(nameInShard(shards, key)?.name ?? ''));
      yield places.flatMap((place) => {
        const [, day = '', member = ''] = place ?? [];
        return day >= first && day <= last ? [member] : [];
      });
    }
  }

  /**
   * Each field of one day of a member's ledger with its moments, the earliest grant first. One round trip, two where a
   * revoke of a later day may have ended something.
   * @throws LeaderboardError `invalidArgument` where `day` is no day.
   */
  async lines(member: string, day: Period): Promise<LedgerLine[]> {
    checkRange(day, day);
    const { redis, settings } = this.ledger;
    const tag = this.ledger.tagOf(checkedMember(member));
    const fields = await this.readFields(member, dayNumber(day.key));
    const open = fields.filter(([field, value]) => !ledgerLine(field, value).isWhole).map(([field]) => field);
    const names = open.map(settings.fieldNames.short);
    const revokes = await readRevokes(redis, settings, { tag, member }, names);
    const later = new Map(open.map((field, i) => [field, revokes[i] ?? '']));
    return fields
      .map(([field, value]) => {
        const { isWhole: _, ...line } = ledgerLine(field, value, later.get(field));
        return line;
      })
      .sort(byMoment);
  }

  /** The ids of all adjustments that members were ever given, in the order asked. One round trip. */
  async adjustmentIds(members: readonly string[]): Promise<string[][]> {
    const { redis, settings } = this.ledger;
    return Promise.all(
      members.map(async (member) => {
        const applied = keys.adjusted(settings.prefix, this.ledger.tagOf(checkedMember(member)), member);
        const fields = await served(redis, applied, (key) => redis.hkeys(key));
        return fields.filter(isAdjustmentField).map(adjustmentId);
      }),
    );
  }

  private async readLedgers(member: string, days: readonly number[]): Promise<LedgerDay[]> {
    const ledgers = await Promise.all(days.map((day) => this.readFields(member, day)));
    return days.map((day, i) => this.ledgerDay(day, ledgers[i] ?? []));
  }

  private ledgerDay(day: number, fields: readonly (readonly [field: string, value: string])[]): LedgerDay {
    return {
      date: dayKey(day),
      fields: fields.map(([field, value]) => ({
        field,
        ...standingOf(value),
        ...(isAdjustmentField(field) && { adjustment: adjustmentIn(value) }),
      })),
    };
  }

  private async readFields(member: string, day: number): Promise<[field: string, value: string][]> {
    const { redis, settings } = this.ledger;
    return fieldsIn(await readLedger(redis, settings, this.placeOf(member, day)), day, settings);
  }

  private placeOf(member: string, day: number) {
    return { tag: this.ledger.tagOf(member), dayKey: compactDay(day), member };
  }

  private async listedDays(member: string, first: number, last: number): Promise<number[]> {
    const { redis, settings } = this.ledger;
    const list = keys.days(settings.prefix, this.ledger.tagOf(member), member);
    const days = await served(redis, list, (key) => redis.zrange(key, String(first), String(last), 'BYSCORE'));
    return days.map(Number);
  }
}

function checkRange(from: Period, to: Period): void {
  if (from.kind === 'day' && to.kind === 'day' && from.start <= to.start) return;
  throw invalidArgument('A history goes from one day to the same or a later one.');
}
