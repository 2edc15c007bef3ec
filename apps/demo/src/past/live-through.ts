import { ActivityService, Adjustments, Erasures, Reviews, SettlementService } from '@laurel/activity';
import type { LoggerService } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Passwords } from '../../../community/src/auth/passwords';
import { createApp } from '../../../community/src/create-app';
import { DATABASE, type Database } from '../../../community/src/database/database';
import { users } from '../../../community/src/database/schema';
import type { CommunityOptions } from '../../../community/src/options/community.options';
import { heldDaysAgo, leftDaysAgo } from '../people/people';
import type { Past, PastDay } from './past';
import { storeRows } from './store-rows';

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

/**
 * Lives through a past day by day, by the clock of that day: the community records what was done. At its end it settles
 * the latest period of each leaderboard; a community that runs settles the others. Safe to repeat with the same past
 * after an interruption.
 * @returns whether it did; false: the community has people already.
 */
export async function liveThrough(past: Past, options: LivingOptions): Promise<boolean> {
  const { community, passwordOf, isResumed, onDay, logger = false } = options;
  let nowMs = past.days[0]?.endMs ?? 0;
  const clock = { now: () => nowMs };
  // Nobody waits meanwhile: a busy machine may take its time.
  const activity = { ...community.activity, clock, commandTimeoutMs: 60_000, recordTimeoutMs: 60_000 };
  const settlement = { ...community.settlement, settles: false };
  const app = await createApp({ ...community, activity, settlement }, logger);
  try {
    await app.init();
    const database = app.get<Database>(DATABASE);
    if ((await database.$count(users)) === 0) {
      const hashes: string[] = [];
      // One after the other: the community hashes a few at a time.
      for (const { of } of past.people) hashes.push(await app.get(Passwords).hash(passwordOf(of.name)));
      await storeRows(database, past, hashes);
    } else if (!isResumed) return false;
    for (const [index, day] of past.days.entries()) {
      nowMs = day.endMs - 1;
      await app.get(ActivityService).apply(day.changes);
      await operate(app, past, day);
      onDay?.(index + 1);
    }
    const settling = app.get(SettlementService);
    const byEnd = (await settling.due()).sort((a, b) => a.closedAtMs - b.closedAtMs);
    const latest = new Map(byEnd.map(({ leaderboard, period }) => [leaderboard, period.key]));
    await settling.settleDue(({ leaderboard, period }) => latest.get(leaderboard) === period.key);
    return true;
  } finally {
    await app.close();
  }
}

/** The operators' work of a day. */
async function operate(app: NestFastifyApplication, past: Past, { daysAgo, date }: PastDay): Promise<void> {
  const people = (part: string) => past.people.filter(({ of }) => of.part === part);
  if (daysAgo === leftDaysAgo) for (const { id } of people('left')) await app.get(Erasures).erase(id);
  if (daysAgo !== heldDaysAgo) return;
  for (const { id: userId, joinedAt } of people('ring')) {
    const reason = 'These three praise each other, and nobody else does.';
    await app.get(Reviews).hold({ userId, reason, by: 'Iris', from: joinedAt.toISOString() });
  }
  for (const { id: userId } of people('farmer')) {
    const reason = 'A hundred pages in a quarter of an hour are not read.';
    await app.get(Adjustments).adjust({ userId, points: -100, reason, id: `demo-${date}` });
  }
}
