import { digits, longestMs, optional, refused, type Schema, whole } from '@laurel/activity/internals';

const dayMs = 86_400_000;
const daysKept = digits(whole(0, longestMs / dayMs));
const allowed =
  'none, or leaderboards, each at most once and separated by commas: day=400,month=none, with a number of days or none';

/**
 * How long the archive keeps each leaderboard's periods, from `day=400,month=none,…` in days: `none` keeps a
 * leaderboard, and alone it keeps all. The module knows which leaderboards there are.
 */
export const archiveRetention = optional<null | Readonly<Record<string, number | null>>>(((given, place) => {
  if (given === 'none') return null;
  const kept: Record<string, number | null> = {};
  for (const part of String(given).split(',')) {
    const [, name, text] = /^\s*([a-z0-9_-]{1,32})\s*=\s*(\w+)\s*$/.exec(part) ?? [];
    if (name === undefined || text === undefined || Object.hasOwn(kept, name)) return place.expect(given, allowed);
    const days = text === 'none' ? null : daysKept(text, place.part(name));
    if (days === refused) return refused;
    kept[name] = days && days * dayMs;
  }
  return kept;
}) satisfies Schema<null | Readonly<Record<string, number | null>>>);
