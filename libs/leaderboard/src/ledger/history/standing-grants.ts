import { checkedMember } from '../../keys/keys';
import { groupBy } from '../../lists/lists';
import { whenAll } from '../../redis/when-all';
import type { Grant } from '../facts/fact';
import type { Counted, DayField } from '../facts/standing';
import type { Gift } from '../model/ledger.types';
import type { FactReader, MemberLedger } from '../recording/member-ledger';
import { isAdjustmentField } from '../facts/adjustment';

/** A grant of a member's that stands. */
export interface StandingGrant {
  readonly field: string;
  readonly day: number;
  /** The first moment of that day. */
  readonly dayMs: number;
  readonly points: number;
  /** The latest grant seen: of what counts once for ever, it may be of a later day. */
  readonly grantedAtMs: number;
  /** The boards on which it counts, and from when on nothing changes there. Infinity: never. */
  readonly boards: readonly { readonly label: string; readonly isTally: boolean; readonly closesAtMs: number }[];
  /** Its owner's gift; null: nothing, or it has no owner. */
  readonly gift: Gift | null;
}

/** A fact that has a grant, as a grant that stands. */
export function standingGrantOf(
  ledger: MemberLedger,
  { day, name, fact }: DayField,
  counted: Counted | null,
): StandingGrant {
  const { owner } = fact;
  const last = fact.last as Grant;
  const { points, sinceMs } = counted ?? { points: 0, sinceMs: last.ms };
  const boards = ledger.boardsOf(day, name, fact.parts, sinceMs).periods.map(({ label, board, closesAtMs }) => ({
    ...{ label, closesAtMs, isTally: board.tallyOf != null },
  }));
  const field = ledger.judging.settings.fieldNames.long(name);
  const gift = owner !== null && last.gift !== null ? { member: owner, points: last.gift } : null;
  const dayMs = ledger.judging.calendar.dayNumbered(day)?.startMs ?? last.ms;
  return { field, day, dayMs, points, grantedAtMs: last.ms, boards, gift };
}

/** Finds a member's standing grants. */
export class StandingGrants {
  constructor(private readonly reader: FactReader) {}

  /**
   * A member's standing grants whose latest repetition lies at a moment or after it, those of 0 points too, as far as
   * ledgers are kept; or of these what a hold holds back. A round trip for all days in memory, one for those past their
   * time, one for pages.
   */
  async since(member: string, sinceMs: number, hold?: string): Promise<StandingGrant[]> {
    checkedMember(member);
    const { calendar } = this.reader.context;
    const first = calendar.dayOf(Math.max(0, sinceMs)).number;
    return this.reader.context.inForce.inShards(() =>
      this.reader.read(member, (ledger) => {
        const days = ledger.daysBetween(first, Infinity);
        ledger.view.wantAll(ledger.alwaysKey);
        ledger.wantWithRevokes(days);
        const parts = hold === undefined ? null : (ledger.holds.get(hold) ?? []);
        const all = days.flatMap((day) => ledger.everyFact(day).map(([name, fact]) => ({ day, name, fact })));
        return all.concat(ledger.countedBefore(first)).flatMap(({ day, name, fact }) => {
          // Only an operator takes an adjustment back.
          if (isAdjustmentField(name) || !fact.last || fact.last.ms < sinceMs) return [];
          const counted = parts ? ledger.held(day, name, parts) : ledger.counted(day, name);
          // What counts on an earlier day, once for ever, was given back since, or not.
          if (!counted || (day < first && counted.sinceMs < sinceMs)) return [];
          return [standingGrantOf(ledger, { day, name, fact }, counted)];
        });
      }),
    );
  }

  /**
   * Owners' gifts of a member's grants: they may have been taken back. Of grants that are held back, those that wait
   * with them. Two round trips or three.
   */
  async given(member: string, grants: readonly StandingGrant[], areHeld = false): Promise<Gift[]> {
    if (areHeld) return grants.flatMap(({ gift }) => gift ?? []);
    const { fieldNames } = this.reader.context.settings;
    const byOwner = [...groupBy(grants, ({ gift }) => gift?.member)];
    const given = byOwner.map(async ([owner, own]) => {
      if (owner === undefined) return [];
      const nameOf = (field: string) => fieldNames.short(fieldNames.gift(member, fieldNames.short(field)).field);
      return this.reader.read(owner, (ledger) => {
        for (const { day, field } of own) ledger.wantFact(day, nameOf(field));
        return own.flatMap(({ day, field }) => {
          const counted = ledger.counted(day, nameOf(field));
          return counted ? [{ member: owner, points: counted.points }] : [];
        });
      });
    });
    return (await whenAll(given)).flat();
  }
}
