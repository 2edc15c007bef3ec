import { Inject, Injectable } from '@nestjs/common';
import { outcomeNames, type OutcomeName } from '../activity/activity';
import { Extensions } from '../extensions/extensions';
import type { OutcomeCounter } from '../extensions/outcome-observer';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { ApiProperty } from '../peers/decorators';

/** How many activities had each outcome in one minute. */
export class OutcomeMinute {
  @ApiProperty({ format: 'date-time', description: 'When it began.' })
  readonly at: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: `By ${outcomeNames.join(', ')}, without those that are 0.`,
    example: { granted: 12, duplicate: 3 },
  })
  readonly outcomes: Readonly<Partial<Record<OutcomeName, number>>>;
}

/** The most minutes that are kept. */
export const maxMinutes = 60;

const minuteMs = 60_000;

/** Counts outcomes by the minute, in this process alone: for a page where nobody runs Prometheus. */
@Injectable()
export class OutcomeMinutes implements OutcomeCounter {
  private readonly minutes = new Map<number, Partial<Record<OutcomeName, number>>>();
  readonly since: string;

  constructor(
    extensions: Extensions,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.since = new Date(settings.clock.now()).toISOString();
    extensions.outcomeCounters.push(this);
  }

  countOutcomes(outcome: OutcomeName, count: number): void {
    const minute = this.now();
    let counts = this.minutes.get(minute);
    if (!counts) {
      for (const old of this.minutes.keys()) if (Math.abs(minute - old) >= maxMinutes) this.minutes.delete(old);
      counts = {};
      this.minutes.set(minute, counts);
    }
    counts[outcome] = (counts[outcome] ?? 0) + count;
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
