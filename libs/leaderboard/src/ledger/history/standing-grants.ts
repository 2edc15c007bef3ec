import { checkedMember } from '../../keys/keys';
import type { LedgerContext } from '../periods/ledger-context';
import type { FactReader } from '../recording/fact-reader';
import { isAdjustmentField } from './adjustment';

/** A grant of a member's that stands. */
export interface StandingGrant {
  readonly field: string;
  readonly points: number;
  /** A moment of its day: the latest grant seen. */
  readonly grantedAtMs: number;
}

/** Finds a member's standing grants. */
export class StandingGrants {
  constructor(
    private readonly context: LedgerContext,
    private readonly reader: FactReader,
  ) {}

  /**
   * A member's standing grants whose latest repetition lies at a moment or after it, those of 0 points too, as far as
   * ledgers are kept. A round trip for all days in memory, one for those past their time, one for pages.
   */
  async since(member: string, sinceMs: number): Promise<StandingGrant[]> {
    checkedMember(member);
    const { calendar, settings } = this.context;
    const first = calendar.dayOf(Math.max(0, sinceMs)).number;
    return this.context.inForce.inShards(() =>
      this.reader.read(member, (ledger) => {
        const grants: StandingGrant[] = [];
        const days = ledger.daysBetween(first, Infinity);
        ledger.wantDays(days);
        for (const day of days) {
          const facts = [...ledger.facts(day)];
          for (const page of ledger.pagesLaterThan(day, () => -1)) facts.push(...page);
          ledger.wantRevokes(facts.map(([name]) => name));
          for (const [name, { last }] of facts) {
            // Only an operator takes an adjustment back.
            if (isAdjustmentField(name) || !last || last.ms < sinceMs) continue;
            const counted = ledger.counted(day, name);
            if (counted)
              grants.push({ field: settings.fieldNames.long(name), points: counted.points, grantedAtMs: last.ms });
          }
        }
        return grants;
      }),
    );
  }
}
