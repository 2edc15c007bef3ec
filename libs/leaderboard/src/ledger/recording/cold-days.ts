import type { ColdRecall } from '../cold/cold-recall';
import type { ColdPlace } from '../model/cold-ledgers';
import type { LedgerSettings } from '../model/ledger-options';
import type { Transition } from '../model/ledger.types';
import type { Calendar } from '../periods/calendar';
import { concernsOtherDays, isForGood, type RememberedDays } from './remembered-days';

/** What a call knows of days when it brings ledgers back. */
export interface KnownDays {
  /** By member, days of theirs that no list of today's would name: those that came back are added. */
  readonly knownDays: Map<string, Set<number>>;
  readonly remembered: RememberedDays;
  /** How often these transitions were tried before. */
  readonly tries: number;
}

/** So many ledgers of a period come back first where its board's time may lie in one; each time twice as many. */
const firstBack = 8;

/** Brings back the old ledgers that a call's transitions need. Transitions of today that concern no other need none. */
export class ColdDays {
  /** The first day whose ledgers are all in Redis; null: there is no cold store. */
  readonly firstHotDay: number | null;
  /** By member, the old days whose ledgers came back. */
  private readonly back = new Map<string, Set<number>>();
  /** By member, all old days, the latest first, where they were asked for. */
  private readonly all = new Map<string, readonly number[]>();

  constructor(
    private readonly settings: LedgerSettings,
    private readonly calendar: Calendar,
    private readonly recall: ColdRecall,
  ) {
    this.firstHotDay = recall.isOn ? recall.firstHotDay : null;
  }

  /** By members, as the script takes them. */
  args(): Readonly<Record<string, readonly number[]>> {
    return Object.fromEntries(
      [...this.back].map(([member, back]) => {
        const all = this.all.get(member);
        const days = all ? all.map((day) => (back.has(day) ? day : -day)) : [...back].sort((a, b) => b - a);
        return [member, [all ? 1 : 0, ...days]] as const;
      }),
    );
  }

  /**
   * A question of the store where one looks for other days than its own; then as `ColdRecall.bring`. Whatever a try
   * left unjudged may lack the ledgers that tell the time of a board: more of them come back for each.
   */
  async bring(transitions: readonly Transition[], { knownDays, remembered, tries }: KnownDays): Promise<void> {
    const firstHotDay = this.firstHotDay ?? 0;
    const places: ColdPlace[] = [];
    const searching: Transition[] = [];
    for (const transition of transitions) {
      const { member, grantedAtMs, occurredAtMs, onceInDays = 1 } = transition;
      const { number: day } = this.calendar.dayOf(grantedAtMs ?? occurredAtMs);
      if (day < firstHotDay) places.push({ member, day });
      if (isForGood(transition)) {
        for (const other of remembered.of(transition)) if (other < firstHotDay) places.push({ member, day: other });
      }
      const reach = Number.isFinite(onceInDays) ? onceInDays : 1;
      const looksBack = transition.kind === 'revoke' && grantedAtMs === undefined;
      if (looksBack || (concernsOtherDays(transition) && day - reach < firstHotDay)) searching.push(transition);
    }
    const { short } = this.settings.fieldNames;
    const found = await this.recall.daysWith(
      searching.map(({ member, field }) => ({ member, fields: [short(field)] })),
    );
    for (const [i, { member, occurredAtMs, grantedAtMs }] of searching.entries()) {
      const known = knownDays.get(member) ?? new Set<number>();
      knownDays.set(member, known);
      for (const day of found[i] ?? []) {
        known.add(day);
        places.push({ member, day });
      }
      // From a day long ago nobody looks as far as today, day by day.
      if (this.calendar.dayOf(grantedAtMs ?? occurredAtMs).number >= firstHotDay) continue;
      const today = this.calendar.dayOf(this.settings.clock.now() + 2 * this.settings.clockSkewMs).number;
      for (let day = firstHotDay; day <= today; day++) known.add(day);
    }
    if (tries > 0) places.push(...(await this.further(transitions, places, tries)));
    await this.recall.bring(places);
    for (const { member, day } of places) {
      if (day >= firstHotDay) continue;
      this.back.set(member, (this.back.get(member) ?? new Set<number>()).add(day));
    }
  }

  /** The latest old ledgers of the periods whose boards' times may lie in one. */
  private async further(
    transitions: readonly Transition[],
    places: readonly ColdPlace[],
    tries: number,
  ): Promise<ColdPlace[]> {
    // What counts once for good is tried again for the days remembered first.
    const some = transitions.filter((transition) => tries > 1 || !isForGood(transition));
    const members = [...new Set(some.map(({ member }) => member))];
    for (const [i, days] of (await this.recall.oldDaysOf(members)).entries()) {
      this.all.set(
        members[i] as string,
        days.sort((a, b) => b - a),
      );
      this.back.set(members[i] as string, new Set());
    }
    const count = firstBack * 2 ** (tries - 1);
    return some.flatMap(({ member, grantedAtMs, occurredAtMs, boards, partitions }) => {
      const own = this.calendar.dayOf(grantedAtMs ?? occurredAtMs).number;
      const concerned = new Set([own, ...places.filter((one) => one.member === member).map(({ day }) => day)]);
      const periods = [...concerned].flatMap((number) => {
        const day = this.calendar.dayNumbered(number);
        return day ? this.calendar.boardsOf(day, boards, partitions).periods : [];
      });
      return [...new Set(periods)].flatMap(({ period }) => {
        const first = this.calendar.dayOf(Math.max(0, period.start.getTime())).number;
        const last = period.end ? this.calendar.dayOf(period.end.getTime() - 1).number : Infinity;
        const days = (this.all.get(member) ?? []).filter((day) => day >= first && day <= last);
        return days.slice(0, count).map((day) => ({ member, day }));
      });
    });
  }
}
