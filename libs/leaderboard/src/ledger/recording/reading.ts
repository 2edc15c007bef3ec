import { compactDay } from '../../time/days';
import { keys } from '../../keys/keys';
import { cached } from '../../lists/lists';
import { type RedisClient, loadScript } from '../../redis/run';
import { sendTogether } from '../../redis/send';
import { scripts } from '../../scripts/scripts.generated';
import type { Laws } from '../facts/laws';
import type { Almanac } from '../facts/standing';
import type { LedgerSettings } from '../model/ledger-options';
import type { Calendar } from '../periods/calendar';
import type { LedgerContext } from '../periods/ledger-context';
import { isRead, type View } from './view';

/** A day's ledger is packed when it is so many days old. */
export const daysInMemory = 31;

/** Rules, clock and boards by which facts of one shard are judged. */
export interface Judging {
  readonly settings: LedgerSettings;
  readonly calendar: Calendar;
  readonly laws: Laws;
  readonly almanac: Almanac;
  readonly nowMs: number;
  readonly shard: number;
  readonly tag: string;
  /** Days before this one may be packed. */
  readonly packedBefore: number;
  /** The earliest day that may lie in memory, and the latest that any host may know. */
  readonly firstDay: number;
  readonly lastDay: number;
}

export function judgingAt({ settings, calendar }: LedgerContext, nowMs: number, shard: number): Judging {
  // Hosts' clocks may differ by the skew allowed: a revoke that another host accepts is dated at most so far ahead.
  const lastDay = calendar.dayOf(nowMs + 2 * settings.clockSkewMs).number;
  return {
    ...{ settings, calendar, laws: settings.laws, nowMs, lastDay, shard, tag: settings.tags[shard] as string },
    almanac: {
      subjectOf: settings.fieldNames.subject,
      spanOf: ({ period }, day) => calendar.spanOf(period, day),
    },
    packedBefore: lastDay - daysInMemory + 2,
    firstDay: Math.max(0, Math.min(settings.memory.firstDay ?? Infinity, lastDay - 2 * daysInMemory)),
  };
}

/**
 * Works on each view: what the work asks for is read, of all views together, and it begins again, until it asks for
 * nothing that is not read. A round trip each time.
 * @param shared what all of them ask.
 */
export async function readFor(
  redis: RedisClient,
  works: readonly (readonly [view: View, work: () => void])[],
  shared: readonly View[] = [],
): Promise<void> {
  for (let open = works; ;) {
    open = open.filter(([, work]) => !isRead(work));
    const wanted = [...shared, ...open.map(([view]) => view)].flatMap((view) => view.takeWanted());
    if (open.length === 0 && wanted.length === 0) return;
    const commands = wanted.map(({ command }) => command);
    let replies: unknown[];
    try {
      replies = await sendTogether(redis, commands);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      await Promise.all([scripts.readFieldDays, scripts.findThere].map((script) => loadScript(redis, script)));
      replies = await sendTogether(redis, commands);
    }
    wanted.forEach(({ take }, i) => take(replies[i]));
  }
}

/** The prefix of a shard's ledger keys, before their day. */
export function stemOf(prefix: string, tag: string): string {
  return keys.ledger(prefix, tag, '', '').slice(0, -1);
}

const daysTexts = new Map<string, string>();

/** The dates of the days that may lie in memory, one after the other; made once a day. */
export function daysText({ firstDay: first, lastDay: last }: Judging): string {
  const made = () => Array.from({ length: last - first + 1 }, (_, i) => compactDay(first + i)).join('');
  return cached(daysTexts, `${first} ${last}`, made, 100);
}
