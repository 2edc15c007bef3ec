import { type ActivityModuleOptions, type LeaderboardConfig } from '@laurel/activity';
import type { Review } from '@laurel/activity/internals';
import { systemClock } from '@laurel/leaderboard';
import { dayMs, ManualClock } from '../../../support/clock';
import { TinyApp, type TinyAppOptions, withKey } from './tiny-app';

/** Noon, so that a minute more or less is of the same day. */
export const noonMs = Math.floor(systemClock.now() / dayMs) * dayMs + dayMs / 2;

const leaderboards: readonly LeaderboardConfig[] = [
  { name: 'day', period: 'day' },
  { name: 'month', period: 'month' },
  { name: 'recent', rolling: { days: 7, refreshMs: 1_000 } },
  { name: 'team', period: 'month', partition: 'team' },
  { name: 'views', period: 'month', points: { view: 3 } },
];

type Options = Partial<ActivityModuleOptions>;
type Extras = TinyAppOptions['extras'];

/** An app whose users are reviewed, at noon. */
export async function startReviewing(options: Options = {}, extras: Extras = {}) {
  const clock = new ManualClock(noonMs);
  const given = { clock, settlement: false, latenessMs: 3_600_000, leaderboards, ...options } as const;
  const app = await TinyApp.start({ extras, options: given });
  const view = (userId: string, subject: string, more: object = {}) => ({
    ...{ userId, action: 'view', subject, partitions: { team: 'red' } },
    occurredAt: new Date(clock.now()),
    ...more,
  });
  const record = (...views: object[]) => app.record(...views);
  const post = (path: string, body: object = {}) => app.post<Review>(`/activity/reviews${path}`, body, withKey);
  return { app, clock, view, record, post };
}
