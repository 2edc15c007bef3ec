import { keys } from '../../keys/keys';
import { type CountSet, countSetOf, type FieldNames, type Ledger, namedCounters, placeOfCount } from '../../ledger';
import { recordOf } from '../../redis/record-of';
import type { RedisClient } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import { served } from '../../redis/served';
import type { AuditOptions } from './audit.types';

/** What audit-member.lua found wrong beside the fields of a ledger. */
export interface BesideFinding {
  readonly fault: 'count' | 'firstDay';
  /** Of a count: the limits that ask for it. */
  readonly of: string | null;
  readonly expected: number;
  readonly found: number | null;
}

const { records } = scripts.auditMember;

/** What include/audit-beside.lua is asked, and what it found. */
export class BesideLedgers {
  private readonly counts: CountSet;

  private constructor(
    private readonly names: FieldNames,
    private readonly options: AuditOptions,
    private readonly firstDaysFrom: number,
  ) {
    this.counts = countSetOf([{ counts: (options.counts ?? []).map(({ count }) => count) }]);
  }

  /** One round trip where first days are kept, to learn since when. */
  static async of(redis: RedisClient, { settings }: Ledger, options: AuditOptions): Promise<BesideLedgers> {
    if (!settings.keepsFirstDays) return new BesideLedgers(settings.fieldNames, options, -1);
    const from = await served(redis, keys.layout(settings.prefix), (key) => redis.hget(key, 'firstDaysFrom'));
    return new BesideLedgers(settings.fieldNames, options, from === null ? -1 : Number(from));
  }

  /** @param day of the ledger that the member was found by. */
  argsOf(day: number): readonly unknown[] {
    const { digest } = this.counts;
    const counters = namedCounters(this.counts, this.names);
    const heals = this.options.heals ? 1 : 0;
    return recordOf(records.beside, { day, digest, counters, firstDaysFrom: this.firstDaysFrom, heals });
  }

  read(reply: readonly number[]): BesideFinding[] {
    const findings: BesideFinding[] = [];
    for (let at = 0; at < reply.length; at += 4) {
      const [code = 0, place = 0, expected = 0, found = -1] = reply.slice(at, at + 4);
      const fault = records.state[code] === 'count' ? 'count' : 'firstDay';
      const of = fault === 'count' ? this.limitsOf(place) : null;
      findings.push({ fault, of, expected, found: found < 0 ? null : found });
    }
    return findings;
  }

  private limitsOf(place: number): string {
    const { counts = [] } = this.options;
    return counts.flatMap(({ limit, count }) => (placeOfCount(this.counts, count) === place ? limit : [])).join(', ');
  }
}
