import { dayKey, dayNumber } from '../../time/days';
import { invalidArgument } from '../../errors/errors';
import { checkedMember, keys, memberHash } from '../../keys/keys';
import { scanKeys } from '../../redis/scan';
import { Period } from '../../time/period';
import { sendTogether, type Command } from '../../redis/send';
import { compare, type Grant, type Moment } from '../facts/fact';
import { holdsSince, type DayField } from '../facts/standing';
import type { LedgerDay, LedgerField, LedgerLine } from '../model/ledger.types';
import { MembersMovedError } from '../sharding/guard';
import type { FactReader, MemberLedger } from '../recording/member-ledger';
import { adjustmentId, isAdjustmentField } from '../facts/adjustment';

/** A field of a day, with its fact, and the grant since which it stands where the day's ledger does not tell. */
type NamedFact = Pick<DayField, 'name' | 'fact'> & { readonly since?: Grant | null };

/** Which fields of a day are read, beside those of its ledger: in pages, and what was refused or has outlived it. */
type Beside = Readonly<Partial<Record<'withPages' | 'withAll', boolean>>>;

/** Reads what members' ledgers hold, day by day: facts, and what stands of them. */
export class Histories {
  constructor(private readonly reader: FactReader) {}

  /**
   * One member's ledger of each day from one day to another, both included, as far as ledgers are kept. Two round trips
   * or three: what lies in pages of a crowded day is added up.
   * @throws LeaderboardError `invalidArgument` unless both are days and `from` is the earlier one or the same.
   */
  async days(member: string, from: Period, to: Period): Promise<LedgerDay[]> {
    checkRange(from, to);
    checkedMember(member);
    const days: number[] = [];
    for (let day: Period | null = from; day && day.start <= to.start; day = day.next()) days.push(dayNumber(day.key));
    return this.reader.read(member, (ledger) => {
      ledger.wantWithRevokes(days);
      return days.map((day) => {
        const totals = ledger.totals(day);
        return { ...this.dayOf(ledger, day), ...(totals.length > 0 && { totals }) };
      });
    });
  }

  /**
   * The ledgers of several members from one day to another, both included; days without a ledger are left out. Two
   * round trips or three. `withAll` as of {@link lines}.
   * @throws LeaderboardError `invalidArgument` as {@link days}.
   */
  async ofMembers(members: readonly string[], from: Period, to: Period, withAll = false): Promise<LedgerDay[][]> {
    checkRange(from, to);
    members.forEach(checkedMember);
    const [first, last] = [dayNumber(from.key), dayNumber(to.key)];
    return this.reader.readAll(members, (ledger) => {
      const days = ledger.daysBetween(first, last);
      ledger.wantWithRevokes(days);
      return days
        .map((day) => this.dayOf(ledger, day, { withPages: true, withAll }))
        .filter(({ fields }) => fields.length > 0);
    });
  }

  /**
   * The members with a ledger of these days, in pages, each once for each ledger. Looks at every key of Redis.
   * @throws LeaderboardError `unavailable` at the end where members have come to another number of shards meanwhile.
   */
  async *members(from: Period, to: Period): AsyncGenerator<string[], void> {
    checkRange(from, to);
    const { redis, settings, inForce } = this.reader.context;
    const [first, last] = [dayNumber(from.key), dayNumber(to.key)];
    const { mark } = await inForce.placement();
    for (const kind of ['ledger', 'old']) {
      for await (const page of scanKeys(redis, `{${settings.prefix}:*}:${kind}:*`)) {
        yield page.flatMap((key) => {
          const hash = memberHash(settings, key);
          return hash && (hash.day === null || (hash.day >= first && hash.day <= last)) ? [hash.member] : [];
        });
      }
    }
    if ((await inForce.placement()).mark !== mark) throw new MembersMovedError();
  }

  /** The days of which a member may have a ledger, the earliest first. One round trip. */
  async daysOf(member: string): Promise<Period[]> {
    checkedMember(member);
    const days = await this.reader.read(member, (ledger) => {
      const timeless = ledger.countedBefore(Infinity).map(({ day }) => day);
      return [...new Set([...ledger.daysBetween(0, Infinity), ...timeless])].sort((a, b) => a - b);
    });
    return days.map((day) => Period.parse('day', dayKey(day), this.reader.context.settings.timezone));
  }

  /**
   * Each field of one day of a member's ledger with its moments, the earliest grant first. Two round trips or three.
   * `withAll` also what a limit refused, without points and not revoked, and facts without a day of a ledger that is
   * gone.
   * @throws LeaderboardError `invalidArgument` where `day` is no day.
   */
  async lines(member: string, day: Period, beside: Omit<Beside, 'withPages'> = {}): Promise<LedgerLine[]> {
    checkRange(day, day);
    checkedMember(member);
    const number = dayNumber(day.key);
    return this.reader.read(member, (ledger) => {
      ledger.wantWithRevokes([number]);
      const facts = this.factsOf(ledger, number, { ...beside, withPages: true });
      const lines = facts.map((one) => this.lineOf(ledger, number, one));
      return lines.sort((a, b) => lineMs(a) - lineMs(b) || (a.field < b.field ? -1 : 1));
    });
  }

  /** The ids of all adjustments that members were ever given, in the order asked. One round trip. */
  async adjustmentIds(members: readonly string[]): Promise<string[][]> {
    const { redis, settings } = this.reader.context;
    const read = members.map((member): Command => {
      const tag = this.reader.context.tagOf(checkedMember(member));
      return ['hkeys', keys.always(settings.prefix, tag, member)];
    });
    const found = (await sendTogether(redis, read)) as string[][];
    return found.map((fields) => fields.filter(isAdjustmentField).map(adjustmentId));
  }

  private dayOf(ledger: MemberLedger, day: number, beside: Beside = {}): LedgerDay {
    const facts = this.factsOf(ledger, day, beside);
    return { date: dayKey(day), fields: facts.map((one) => this.fieldOf(ledger, day, one)) };
  }

  /** The fields of a day that were granted or revoked there. */
  private factsOf(ledger: MemberLedger, day: number, { withPages, withAll }: Beside): NamedFact[] {
    const all = withPages ? ledger.everyFact(day) : [...ledger.facts(day)];
    const found = all.flatMap(([name, fact]): NamedFact[] => {
      const isOther = ledger.isForEver(name, fact.last?.version) && ledger.dayOf(fact) !== day;
      if (isOther || (!fact.first && fact.turn > 0)) return [];
      const { since, refusal } = ledger.verdict(day, name, fact);
      return !since && refusal && !withAll ? [] : [{ name, fact }];
    });
    if (!withAll) return found;
    const known = new Set(all.map(([name]) => name));
    const left = ledger.countedBefore(day + 1).filter((one) => one.day === day && !known.has(one.name));
    return found.concat(left.map(({ name, fact }) => ({ name, fact, since: holdsSince(fact) })));
  }

  private fieldOf(ledger: MemberLedger, day: number, { name, fact, since }: NamedFact): LedgerField {
    const counted = since === undefined ? ledger.counted(day, name) : since && { ...since, sinceMs: since.ms };
    const { note, last, parts } = fact;
    return {
      field: isAdjustmentField(name) ? name : this.reader.context.settings.fieldNames.long(name),
      points: counted?.points ?? 0,
      version: counted?.version ?? null,
      sinceMs: counted?.sinceMs ?? null,
      grantedAtMs: last?.ms ?? null,
      ...(parts && note === null && { partitions: parts }),
      ...(note !== null && last && { adjustment: { atMs: last.ms, note, board: parts?.[''] ?? null } }),
    };
  }

  private lineOf(ledger: MemberLedger, day: number, one: NamedFact): LedgerLine {
    const { fact, name } = one;
    const field = this.fieldOf(ledger, day, one);
    if (field.version !== null) return { ...field, revokedAtMs: null };
    const ends = [fact.revoke, ...ledger.revokesAfter(day, name)].filter(
      (revoke): revoke is Moment => revoke !== null && (!fact.last || compare(revoke, fact.last) >= 0),
    );
    return { ...field, revokedAtMs: ends.sort(compare)[0]?.ms ?? null };
  }
}

/** Lines are ordered by their grants; a field that was only revoked is ordered by its revoke. */
function lineMs({ grantedAtMs, revokedAtMs }: LedgerLine): number {
  return grantedAtMs ?? revokedAtMs ?? 0;
}

function checkRange(from: Period, to: Period): void {
  if (from.kind === 'day' && to.kind === 'day' && from.start <= to.start) return;
  throw invalidArgument('A history goes from one day to the same or a later one.');
}
