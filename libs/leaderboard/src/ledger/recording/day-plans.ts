import type { CallGroups } from './call-groups';
import type { Calendar, CalendarDay } from '../periods/calendar';
import { maxDaysScanned } from '../model/ledger-options';
import type { Transition } from '../model/ledger.types';

/**
 * Group (0: only its ledger is read), the ledger's place, the day's number, and of a field that may lie in a page the
 * place of its pages: one of an extra's `days`.
 */
export type DayPlan = readonly [group: number, ledger: number, day: number, ...pages: number[]];

/** A day on which something may change. */
export interface PlannedDay {
  readonly day: CalendarDay;
  readonly plan: DayPlan;
}

/** Finds the days that a transition concerns. */
export interface DayPlansParts {
  readonly calendar: Calendar;
  readonly groups: CallGroups;
  /** The latest day that any host may know. */
  readonly horizon: CalendarDay;
  /** Of members whose days are listed in Redis, those days' numbers, as far as a transition here needs them. */
  readonly knownDays: ReadonlyMap<string, Set<number>>;
  /** The places of the pages in which the transition's field may lie, of a ledger at a place; none: in none. */
  readonly pagesOf: (day: CalendarDay, ledger: number, transition: Transition) => readonly number[];
}

/** The days beside its own that a transition may change, or has to look at. */
export class DayPlans {
  private readonly calendar: Calendar;
  private readonly groups: CallGroups;
  private readonly horizon: CalendarDay;
  private readonly knownDays: ReadonlyMap<string, Set<number>>;
  private readonly pagesOf: DayPlansParts['pagesOf'];

  constructor({ calendar, groups, horizon, knownDays, pagesOf }: DayPlansParts) {
    this.calendar = calendar;
    this.groups = groups;
    this.horizon = horizon;
    this.knownDays = knownDays;
    this.pagesOf = pagesOf;
  }

  /** The days before `day` on which something may still change, oldest first. */
  openDaysBefore(day: CalendarDay, transition: Transition): PlannedDay[] {
    const days: PlannedDay[] = [];
    for (const earlier of this.daysOf(transition.member, day.number - 1, -1)) {
      const planned = this.planDay(earlier, transition);
      // Days close in order: all days before a closed one are closed too.
      if (!planned) break;
      days.push(planned);
    }
    return days.reverse();
  }

  /** The ledgers of the `count` days before `day`, oldest first, whether or not a board of theirs is open. */
  ledgersBefore(day: CalendarDay, count: number, transition: Transition): DayPlan[] {
    const days: DayPlan[] = [];
    for (let number = day.number - count; number < day.number; number++) {
      const earlier = this.calendar.dayNumbered(number);
      if (earlier) days.push(this.dayPlan(0, earlier, transition));
    }
    return days;
  }

  /** The days after `day` up to the latest that any host may know, oldest first. */
  openDaysAfter(day: CalendarDay, transition: Transition): PlannedDay[] {
    const days: PlannedDay[] = [];
    for (const later of this.daysOf(transition.member, day.number + 1, 1)) {
      const planned = this.planDay(later, transition);
      if (planned) days.push(planned);
    }
    return days;
  }

  /** The days, from one on in a direction, on which the member may have a ledger. */
  private *daysOf(member: string, from: number, step: 1 | -1): Generator<CalendarDay> {
    const scannedTo = from + step * maxDaysScanned;
    const beyond = [...(this.knownDays.get(member) ?? [])]
      .filter((number) => (number - scannedTo) * step >= 0)
      .sort((a, b) => (a - b) * step);
    for (let number = from; number !== scannedTo; number += step) {
      if (number > this.horizon.number) return;
      const day = this.calendar.dayNumbered(number);
      if (day) yield day;
    }
    for (const number of beyond) {
      const day = this.calendar.dayNumbered(number);
      if (day) yield day;
    }
  }

  /**
   * Those of the days, by their numbers, on which something may still change, oldest first, and the numbers of the
   * others.
   */
  openAmong(numbers: Iterable<number>, transition: Transition): { open: PlannedDay[]; closed: number[] } {
    const [open, closed]: [PlannedDay[], number[]] = [[], []];
    for (const number of [...numbers].sort((a, b) => a - b)) {
      const day = this.calendar.dayNumbered(number);
      const planned = day && this.planDay(day, transition);
      if (planned) open.push(planned);
      else closed.push(number);
    }
    return { open, closed };
  }

  private planDay(day: CalendarDay, transition: Transition): PlannedDay | null {
    const { boards, partitions } = transition;
    const group = this.groups.groupOf(this.calendar.boardsOf(day, boards, partitions));
    return group && { day, plan: this.dayPlan(group.place, day, transition) };
  }

  private dayPlan(group: number, day: CalendarDay, transition: Transition): DayPlan {
    const ledger = this.groups.ledgerPlace(day, transition.member);
    return [group, ledger, day.number, ...this.pagesOf(day, ledger, transition)];
  }
}
