import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { waitUntil } from '../../support/wait-until';
import { ask, type Person } from './person';

/** A user's points on a board; 0 without an entry. */
export async function pointsOf(app: NestFastifyApplication, { id }: Person, board = 'day', period = 'current') {
  const { status, body, text } = await ask<{ entry: { score: number } }>(
    app,
    'GET',
    `/ranks/${board}/users/${id}?period=${period}`,
  );
  if (status !== 200) throw new Error(`The standing gave ${status}: ${text}`);
  return body.entry.score;
}

/** Points follow the answer by a moment: waits until the person has so many. */
export async function untilPoints(app: NestFastifyApplication, person: Person, points: number, board = 'day') {
  let last: number | undefined;
  await waitUntil(async () => (last = await pointsOf(app, person, board)) === points, {
    what: `${points} points of ${person.name}`,
  }).catch((error: unknown) => {
    throw new Error(`${person.name} has ${last} points, not ${points}`, { cause: error });
  });
}
