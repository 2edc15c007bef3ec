import { compactDay } from '../../time/days';
import { keys } from '../../keys/keys';
import { loadScript, type RedisClient } from '../../redis/run';
import { sendTogether, type Command } from '../../redis/send';
import { scripts } from '../../scripts/scripts.generated';
import { escaped } from '../facts/old-day';
import type { LedgerContext } from '../periods/ledger-context';
import type { Judging, MemberPlace } from './member-facts';
import { View } from './view';

/** A day's ledger is packed when it is so many days old. */
export const daysInMemory = 31;

/** Clock, boards and limits by which facts are judged. */
export function judgingAt(
  { settings, calendar }: Pick<LedgerContext, 'settings' | 'calendar'>,
  nowMs: number,
): Judging {
  // Hosts' clocks may differ by the skew allowed: a revoke that another host accepts is dated at most so far ahead.
  const lastDay = calendar.dayOf(nowMs + 2 * settings.clockSkewMs).number;
  return {
    ...{ settings, calendar, laws: settings.laws, nowMs, lastDay },
    almanac: {
      subjectOf: settings.fieldNames.subject,
      spanOf: ({ period }, day) => calendar.spanOf(period, day),
    },
    packedBefore: lastDay - daysInMemory + 2,
    firstDay: Math.max(0, Math.min(settings.memory.firstDay ?? Infinity, lastDay - 2 * daysInMemory)),
  };
}

/** A view of one member's keys. */
export function viewOf({ prefix, tag, member }: MemberPlace, judging: Judging): View {
  return new View(member, (name): Command => {
    const { sha1 } = scripts.readFieldDays;
    const args = [stemOf(prefix, tag), member, daysText(judging), judging.firstDay, name, escaped(name)];
    return ['evalsha', sha1, 1, keys.old(prefix, tag, member), ...args];
  });
}

/** Reads all that is wanted of some views, together. */
export async function readWanted(redis: RedisClient, views: readonly View[]): Promise<void> {
  const wanted = views.flatMap((view) => view.takeWanted());
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

/** The prefix of a shard's ledger keys, before their day. */
export function stemOf(prefix: string, tag: string): string {
  return keys.ledger(prefix, tag, '', '').slice(0, -1);
}

let latest = { first: 0, last: -1, text: '' };

/** The dates of the days that may lie in memory, one after the other; made once a day. */
export function daysText({ firstDay: first, lastDay: last }: Judging): string {
  if (latest.first !== first || latest.last !== last) {
    const text = Array.from({ length: last - first + 1 }, (_, i) => compactDay(first + i)).join('');
    latest = { first, last, text };
  }
  return latest.text;
}
