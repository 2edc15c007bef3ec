import type { LeaderboardConfig } from '@laurel/activity';
import { Period } from '@laurel/leaderboard';

const dayMs = 86_400_000;

/** The demo's contests, in days before and after its first start: one that was won, one that runs. */
const contests = [
  { name: 'reading-marathon', fromDay: -45, toDay: -32, actions: ['view'] },
  { name: 'writing-sprint', fromDay: -5, toDay: 8, actions: ['publish', 'comment'] },
];

/** The contests of a demo that was first started at a moment. */
export function contestsOf(begunAt: Date, timezone: string): LeaderboardConfig[] {
  const dayAt = (days: number) => Period.of('day', new Date(begunAt.getTime() + days * dayMs), timezone).key;
  return contests.map(({ fromDay, toDay, ...contest }) => {
    return { ...contest, contest: { from: dayAt(fromDay), to: dayAt(toDay) } };
  });
}
