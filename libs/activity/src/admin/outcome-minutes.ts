import { Inject, Injectable } from '@nestjs/common';
import type { ActivityChange, Outcome, OutcomeName } from '../activity/activity';
import { Extensions } from '../extensions/extensions';
import type { OutcomeObserver } from '../extensions/outcome-observer';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';

/** How many activities ended how in one minute. */
export interface OutcomeMinute {
  readonly at: string;
  readonly outcomes: Readonly<Partial<Record<OutcomeName, number>>>;
}

/** The most minutes that are kept. */
export const maxMinutes = 60;

const minuteMs = 60_000;

/** Counts outcomes by the minute, of this process alone: what a page shows where nobody runs Prometheus. */
@Injectable()
export class OutcomeMinutes implements OutcomeObserver {
  private readonly minutes = new Map<number, Partial<Record<OutcomeName, number>>>();
  readonly since: string;

  constructor(
    { outcomeObservers }: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    outcomeObservers.push(this);
    this.since = new Date(settings.clock.now()).toISOString();
  }

  /** Counts an outcome. */
  observe(_change: ActivityChange, { outcome }: Outcome): void {
    const minute = this.now();
    let counts = this.minutes.get(minute);
    if (!counts) {
      for (const old of this.minutes.keys()) if (Math.abs(minute - old) >= maxMinutes) this.minutes.delete(old);
      counts = {};
      this.minutes.set(minute, counts);
    }
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }

  /** The last minutes, the present one last. */
  last(count: number): OutcomeMinute[] {
    const now = this.now();
    return Array.from({ length: count }, (_, index) => {
      const minute = now - count + 1 + index;
      return { at: new Date(minute * minuteMs).toISOString(), outcomes: { ...this.minutes.get(minute) } };
    });
  }

  private now(): number {
    return Math.floor(this.settings.clock.now() / minuteMs);
  }
}
