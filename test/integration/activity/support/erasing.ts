import { ManualClock } from '../../../support/clock';
import { TinyApp, type TinyAppOptions } from './tiny-app';

const noonMs = Date.parse('2036-11-20T12:00:00Z');
const at = new Date(noonMs);

/** An app whose limits refuse the third of {@link eventsAbout a user's events} of a kind. */
export const startWithLimits = async (
  url: string,
  { shards = 1, extras = {} }: { readonly shards?: number; readonly extras?: TinyAppOptions['extras'] } = {},
): Promise<{ readonly app: TinyApp; readonly clock: ManualClock; readonly prefix: string }> => {
  const clock = new ManualClock(noonMs);
  const day = 86_400_000;
  const app = await TinyApp.start({
    extras,
    options: {
      ...{ redis: { url }, clock, shards },
      limits: [
        { type: 'sliding', action: 'view', max: 2, windowMs: day, per: 'action' },
        { type: 'sliding', action: 'follow', max: 2, windowMs: day, per: 'subject' },
      ],
      leaderboards: [
        { name: 'day', period: 'day', tallies: ['received:praise'] },
        { name: 'recent', rolling: { days: 7 } },
      ],
    },
  });
  return { app, clock, prefix: app.prefix };
};

/** All that may come of a user, or name them. */
export const eventsAbout = (userId: string) => [
  { userId, action: 'view', subject: '/a', occurredAt: at },
  { userId, action: 'praise', subject: 'article:1', ownerId: 'bob', occurredAt: at },
  { userId, action: 'praise', subject: 'article:1', ownerId: 'bob', revoke: true, occurredAt: at },
  { userId, action: 'follow', subject: 'user:bob', occurredAt: at },
  { userId: 'cho', action: 'follow', subject: `user:${userId}`, occurredAt: at },
  { userId: 'cho', action: 'follow', subject: `user:${userId}`, revoke: true, occurredAt: at },
];
