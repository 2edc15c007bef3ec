import { type Ledger, type LedgerBoard, type LedgerOptions, type Period, type RedisClient } from '@laurel/leaderboard';
import { PackedScore, type CalendarKind } from '@laurel/leaderboard/internals';
import { ManualClock } from './clock';
import { keys } from './keys';
import { LawfulLedger, type LawfulTransition } from './lawful-ledger';
import { freshPrefix } from './redis';

/** A board that is kept for good; late transitions count on it for `latenessMs`. */
export function keptBoard(period: CalendarKind, latenessMs = 1e13): LedgerBoard {
  return { name: period, period, retentionMs: null, latenessMs };
}

/** A ledger's options; a number is a clock that stands there. */
type KeptOptions = Partial<Omit<LedgerOptions, 'clock'>> & { readonly clock?: LedgerOptions['clock'] | number };

/**
 * A ledger of a prefix of its own, with a board of days whose data is kept for good, unless it is told otherwise;
 * grants may say by which law they count.
 */
export function keptLedger(redis: RedisClient, { clock, ...options }: KeptOptions): LawfulLedger {
  return new LawfulLedger(redis, {
    ...{ ledgerRetentionMs: null, prefix: freshPrefix(), boards: [keptBoard('day')] },
    ...(clock !== undefined && { clock: typeof clock === 'number' ? new ManualClock(clock) : clock }),
    ...options,
  });
}

/** Grants of one point at a moment. */
export const grantsAt =
  (occurredAtMs: number) =>
  (member: string, field: string, change: Partial<LawfulTransition> = {}): LawfulTransition => ({
    ...{ kind: 'grant', member, field, points: 1, occurredAtMs, ...change },
  });

/** One line of a board as checksums have it. */
interface BoardLine {
  readonly member: string;
  readonly score: number;
  readonly reachedAtMs: number;
}

/** One board in rank order, read as raw sorted sets and put in order here: no word of the engine's own reads in it. */
export async function rawBoard(
  redis: RedisClient,
  ledger: Ledger,
  board: string,
  period: Period,
): Promise<BoardLine[]> {
  const { prefix, tags, maxPoints } = ledger.settings;
  const packed = new PackedScore({ period, maxPoints });
  const parts = await Promise.all(
    tags.map((tag) => redis.zrange(keys.board(prefix, tag, board, period.key), '0', '-1', 'WITHSCORES')),
  );
  const lines: (BoardLine & { readonly raw: number })[] = [];
  for (const flat of parts) {
    for (let i = 0; i < flat.length; i += 2) {
      const raw = Number(flat[i + 1]);
      lines.push({ member: flat[i] ?? '', score: packed.points(raw), reachedAtMs: packed.reachedAtMs(raw), raw });
    }
  }
  return lines
    .filter((line) => line.score > 0)
    .sort((a, b) => b.raw - a.raw || Buffer.compare(Buffer.from(b.member), Buffer.from(a.member)))
    .map(({ member, score, reachedAtMs }) => ({ member, score, reachedAtMs }));
}
