import { PastRanks, RankService } from '@laurel/activity';
import { steady, type RankApp } from './rank-app';

const dayMs = 86_400_000;
export const memberNamed = (place: number): string => `user-${place}`;

/** A request to the app, for another user each time, and how many commands it may send besides one a shard. */
export interface Asked {
  readonly name: string;
  /** Commands beside one a shard; null: no bound. */
  readonly beside: number | null;
  readonly ask: (app: RankApp, user: number) => Promise<unknown>;
}

export const ranksOf = ({ nest }: RankApp) => nest.get(RankService);

const lookedUp = (user: number, members: number) =>
  Array.from({ length: 50 }, (_, i) => memberNamed((user + i * 97) % members));

/** Requests of the table in docs/run-on-a-cluster.md. */
export const askedOf = (members: number): readonly Asked[] => [
  { name: 'own standing', beside: 1, ask: (app, user) => ranksOf(app).standing('day', memberNamed(user)) },
  { name: 'around', beside: 1, ask: (app, user) => ranksOf(app).around('day', memberNamed(user), { radius: 5 }) },
  { name: 'lookup of 50', beside: 1, ask: (app, user) => ranksOf(app).lookup('day', lookedUp(user, members)) },
  {
    name: 'page at the middle',
    beside: 1,
    ask: (app, user) => ranksOf(app).standings('day', { offset: Math.floor(members / 2) + (user % 100), limit: 10 }),
  },
  {
    name: 'points of 31 days',
    beside: null,
    ask: ({ nest, nowMs }, user) => {
      const from = new Date(nowMs - 30 * dayMs).toISOString().slice(0, 10);
      return nest.get(PastRanks).points('day', memberNamed(user % steady), { from });
    },
  },
];
