import type { Transition } from '@laurel/leaderboard';
import type { DrawUser } from '../harness/random';

/** One activity, as both sides are given it. */
export interface BenchEvent {
  readonly userId: string;
  readonly subject: string;
  readonly points: number;
  readonly occurredAtMs: number;
}

/**
 * Endless activities of today: users as drawn, each on one of 5,000 articles, a second apart from the next of a
 * thousand.
 */
export function eventSource(draw: DrawUser, random: () => number, dayStartMs: number): () => BenchEvent {
  let made = 0;
  return () => {
    made += 1;
    return {
      userId: `user-${draw()}`,
      subject: `article:${Math.floor(random() * 5_000)}`,
      points: 2,
      occurredAtMs: dayStartMs + made,
    };
  };
}

export function transitionOf({ userId, subject, points, occurredAtMs }: BenchEvent): Transition {
  return { kind: 'grant', member: userId, field: `p:${subject}`, points, occurredAtMs };
}
