import type { LedgerOptions } from '@laurel/leaderboard';
import { hourMs, ManualClock } from '../../../support/clock';

/** What an instance is told at its start. */
export interface MortalOrders {
  readonly url: string;
  readonly prefix: string;
  readonly shards: number;
  /** It dies at this step, from 1; null: never. */
  readonly dieAt: number | null;
  readonly dieBefore: boolean;
}

/** Longer than any of the living pauses: the test releases what the dead held. */
export const leaseMs = 600_000;

/** The moment at which the instances live: the week is over and closed, and its first days are. */
export const settlingAt = '2036-11-10T02:00:00Z';

/** The boards that they settle. */
export function mortalLedger(prefix: string, shards: number, clockAt = settlingAt): LedgerOptions {
  const board = { retentionMs: null, latenessMs: hourMs, freezes: true };
  return {
    prefix,
    shards,
    ledgerRetentionMs: null,
    boards: [
      { name: 'day', period: 'day', ...board },
      { name: 'week', period: 'week', ...board },
      { name: 'month', period: 'month', ...board },
    ],
    clock: new ManualClock(clockAt),
  };
}
