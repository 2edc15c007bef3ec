import type { SourceAction } from '../../takeover/day-takeover';
import type { RedisClient } from '@laurel/leaderboard';
import { scanKeys } from '@laurel/leaderboard/internals';

/** The keys of paicoding's activity ranking. */
export interface PaicodingKeys {
  /** By day, `2026-11-20`: the users who have a hash of that day. */
  readonly days: ReadonlyMap<string, readonly string[]>;
  /** The days, and the months, that have a board. */
  readonly dayBoards: ReadonlySet<string>;
  readonly monthBoards: ReadonlySet<string>;
}

/** A day as paicoding writes it: `20261120`. */
export function compact(day: string): string {
  return day.replaceAll('-', '');
}

/**
 * Looks through all keys that begin so. Behind that stand, with nothing between, a user id and a day; or a board's day
 * or month.
 */
export async function findKeys(redis: RedisClient, beginning: string): Promise<PaicodingKeys> {
  const days = new Map<string, Set<string>>();
  const [dayBoards, monthBoards] = [new Set<string>(), new Set<string>()];
  for await (const page of scanKeys(redis, `${escaped(beginning)}*`)) {
    for (const key of page) {
      const [, user, year, month, date] = /^(\d*?)(\d{4})(\d{2})(\d{2})?$/.exec(key.slice(beginning.length)) ?? [];
      const day = `${year}-${month}-${date}`;
      if (year === undefined) continue;
      if (user !== '' && isDay(day)) days.set(day, (days.get(day) ?? new Set()).add(user as string));
      else if (user === '' && date === undefined && isDay(`${year}-${month}-01`)) monthBoards.add(`${year}-${month}`);
      else if (user === '' && isDay(day)) dayBoards.add(day);
    }
  }
  return { days: new Map([...days].sort().map(([day, users]) => [day, [...users]])), dayBoards, monthBoards };
}

/** Of SCAN, whose patterns these characters are part of. */
function escaped(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&');
}

function isDay(text: string): boolean {
  return !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
}

const actionOf = { praise: 'praise', collect: 'collect', rate: 'comment', publish: 'publish' } as const;

/** The meaning of a field in a user's hash; null if it is unknown. */
export function actionIn(field: string, articlePrefix: string): SourceAction | null {
  if (field.startsWith('path_'))
    return field === 'path_' ? null : { action: 'view', subject: field.slice('path_'.length) };
  const [, id, what] = /^(\d+)_(praise|collect|rate|publish|follow)$/.exec(field) ?? [];
  if (id === undefined) return null;
  if (what === 'follow') return { action: 'follow', subject: `user:${id}` };
  return { action: actionOf[what as keyof typeof actionOf], subject: articlePrefix + id };
}

/** Whether paicoding deletes the field of such an action when it is cancelled. */
export function isCancelled({ action, subject }: SourceAction, articlePrefix: string): boolean {
  const isId = (prefix: string) => subject.startsWith(prefix) && /^\d+$/.test(subject.slice(prefix.length));
  if (action === 'follow') return isId('user:');
  return ['praise', 'collect', 'comment'].includes(action) && isId(articlePrefix);
}
