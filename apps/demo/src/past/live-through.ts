import { ActivityService, Adjustments, Erasures, Reviews, SettlementService } from '@laurel/activity';
import type { Clock } from '@laurel/leaderboard';
import type { LoggerService } from '@nestjs/common';
import { Passwords } from '../../../community/src/auth/passwords';
import { createApp } from '../../../community/src/create-app';
import { DATABASE, type Database } from '../../../community/src/database/database';
import type { CommunityOptions } from '../../../community/src/options/community.options';
import { heldDaysAgo, leftDaysAgo } from '../people/people';
import type { Past, PastDay, PastPerson } from './past';
import { hasPeople, storeRows } from './store-rows';

/** How a past is lived through. */
export interface LivingOptions {
  /** The community's; its clock is the past's. */
  readonly community: CommunityOptions;
  readonly passwordOf: (name: string) => string;
  /** Whether an interrupted run of the same past goes on. If not, a community that has people keeps its own past. */
  readonly isResumed: boolean;
  /** Told after each day. */
  readonly onDay?: (done: number) => void;
  readonly logger?: LoggerService | false;
}

/** So many days are recorded while those before them are settled. */
const daysAtOnce = 7;

/** A clock that stands where the past is. */
class PastClock implements Clock {
  nowMs = 0;

  now(): number {
    return this.nowMs;
  }
}

/**
 * Lives through a past day by day, by the clock of that day: the community records what was done, and meanwhile settles
 * and archives what ended the week before. Safe to repeat with the same past after an interruption.
 * @returns whether it did; false: the community has people already.
 */
export async function liveThrough(past: Past, options: LivingOptions): Promise<boolean> {
  const { community, passwordOf, isResumed, onDay, logger = false } = options;
  const clock = new PastClock();
  clock.nowMs = past.days[0]?.endMs ?? 0;
  const app = await createApp(
    {
      ...community,
      // Nobody waits meanwhile: a busy machine may take its time.
      activity: { ...community.activity, clock, commandTimeoutMs: 60_000, recordTimeoutMs: 60_000 },
      // What is due is settled week by week, not by a timer.
      settlement: { ...community.settlement, settles: false },
    },
    logger,
  );
  try {
    await app.init();
    const database = app.get<Database>(DATABASE);
    if (!(await hasPeople(database))) {
      await storeRows(database, past, await hashesOf(past.people, passwordOf, app.get(Passwords)));
    } else if (!isResumed) return false;
    const activities = app.get(ActivityService);
    const settlement = app.get(SettlementService);
    const operators = {
      adjustments: app.get(Adjustments),
      erasures: app.get(Erasures),
      reviews: app.get(Reviews),
    };
    let done = 0;
    const live = async (days: readonly PastDay[]) => {
      for (const day of days) {
        clock.nowMs = day.endMs - 1;
        await activities.apply(day.changes);
        await operate(operators, past, day);
        onDay?.((done += 1));
      }
    };
    for (let from = 0; from < past.days.length; from += daysAtOnce) {
      const days = past.days.slice(from, from + daysAtOnce);
      clock.nowMs = (days[0] as PastDay).endMs - 1;
      for (const step of await Promise.allSettled([settlement.settleDue(), live(days)]))
        if (step.status === 'rejected') throw step.reason;
    }
    await settlement.settleDue();
    return true;
  } finally {
    await app.close();
  }
}

/** One after the other: the community hashes a few at a time. */
async function hashesOf(
  people: readonly PastPerson[],
  passwordOf: (name: string) => string,
  passwords: Passwords,
): Promise<ReadonlyMap<PastPerson, string>> {
  const hashes = new Map<PastPerson, string>();
  for (const person of people) hashes.set(person, await passwords.hash(passwordOf(person.of.name)));
  return hashes;
}

interface Operators {
  readonly adjustments: Adjustments;
  readonly erasures: Erasures;
  readonly reviews: Reviews;
}

/** What operators did on a day. */
async function operate(
  { adjustments, erasures, reviews }: Operators,
  { people }: Past,
  { daysAgo, date }: PastDay,
): Promise<void> {
  const idsOf = (part: string) => people.filter(({ of }) => of.part === part).map(({ id }) => id);
  if (daysAgo === leftDaysAgo) for (const userId of idsOf('left')) await erasures.erase(userId);
  if (daysAgo === heldDaysAgo) {
    for (const userId of idsOf('ring')) {
      const from = people.find(({ id }) => id === userId)?.joinedAt.toISOString();
      const reason = 'These three praise each other, and nobody else does.';
      await reviews.hold({ userId, reason, by: 'Iris', ...(from !== undefined && { from }) });
    }
    for (const userId of idsOf('farmer')) {
      const reason = 'A hundred pages in a quarter of an hour are not read.';
      await adjustments.adjust({ userId, points: -100, reason, id: `demo-${date}` });
    }
  }
}
