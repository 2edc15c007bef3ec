import type { LeaderboardConfig, WeekStart } from './activity.options';
import { isTally, type Tally } from '../rules/tally';
import { allowedPoints } from '../rules/resolve-rules';
import { checkedTimezone } from './allowed';
import {
  anyDuration,
  checkedKeys,
  checkedList,
  checkedText,
  checkedUnique,
  checkedWhole,
  checkedWord,
  optionError,
  optionFault,
} from '../errors/check';
import { resolvePeriod } from './resolve-period';
import type { RetentionSettings } from './resolve-retention';
import type { LeaderboardSettings } from './settings';

/** Where an app says nothing else: the day and the month. */
export const defaultLeaderboards: readonly LeaderboardConfig[] = Object.freeze([
  { name: 'day', period: 'day' },
  { name: 'month', period: 'month' },
]);

interface LeaderboardDefaults {
  readonly actions: readonly string[];
  readonly retention: RetentionSettings;
  readonly latenessMs: number;
  readonly timezone: string;
  readonly weekStart: WeekStart;
}

const names = [
  'name',
  'period',
  'contest',
  'rolling',
  'timezone',
  'weekStart',
  'weeksFrom',
  'partition',
  'actions',
  'points',
  'tallies',
  'latenessMs',
  'retentionMs',
] as const satisfies (keyof LeaderboardConfig)[];

const dayMs = 86_400_000;

/** @throws ActivityError `invalidOption` */
export function resolveLeaderboards(
  configs: readonly LeaderboardConfig[],
  defaults: LeaderboardDefaults,
): readonly LeaderboardSettings[] {
  if (configs.length === 0 || configs.length > 32) {
    throw optionFault('leaderboards', `has ${configs.length} items`, 'configure 1 to 32');
  }
  const resolved = configs.map((config, index) => resolveOne(config, `leaderboards[${index}]`, defaults));
  checkedUnique(
    'leaderboards[].name',
    resolved.map(({ name }) => name),
    'give each its own name',
  );
  if (resolved.every(({ hasOwnLedger }) => hasOwnLedger)) {
    throw optionError(
      'leaderboards',
      resolved.map(({ name }) => name),
      `each has a "timezone" other than ${JSON.stringify(defaults.timezone)} or "points" of its own; ` +
        'let at least one have the "timezone" of the module and the points of the rules',
    );
  }
  return Object.freeze(resolved);
}

function resolveOne(config: LeaderboardConfig, option: string, defaults: LeaderboardDefaults): LeaderboardSettings {
  checkedKeys(option, config, names);
  const name = checkedText(`${option}.name`, config.name, /^[a-z0-9_-]{1,32}$/, 'use 1 to 32 of a-z, 0-9, "-" and "_"');
  const timezone =
    config.timezone === undefined ? defaults.timezone : checkedTimezone(`${option}.timezone`, config.timezone);
  const cut = resolvePeriod(config, option, defaults.weekStart);
  const actions = config.actions && checkedList(`${option}.actions`, config.actions);
  actions?.forEach((action, index) => checkedWord(`${option}.actions[${index}]`, action, defaults.actions));
  const points = config.points ? resolvePoints(config.points, `${option}.points`, actions ?? defaults.actions) : null;
  return Object.freeze({
    name,
    ...cut,
    timezone,
    actions: actions && Object.freeze([...actions]),
    points,
    partition:
      config.partition === undefined
        ? null
        : checkedText(
            `${option}.partition`,
            config.partition,
            /^[A-Za-z][A-Za-z0-9_-]{0,31}$/,
            'use 1 to 32 of letters, digits, "-" and "_", a letter first',
          ),
    tallies: resolveTallies(config, option, actions ?? defaults.actions),
    hasOwnLedger: timezone !== defaults.timezone || points !== null,
    latenessMs: checkedWhole(`${option}.latenessMs`, config.latenessMs ?? defaults.latenessMs, anyDuration),
    retentionMs: resolveRetention(config, option, { retention: defaults.retention, cut }),
  });
}

/** The points of the actions named; the others count as their rules say. */
function resolvePoints(
  points: Readonly<Record<string, number>>,
  option: string,
  actions: readonly string[],
): Readonly<Record<string, number>> {
  checkedKeys(option, points, actions);
  if (Object.keys(points).length === 0) throw optionError(option, points, 'name at least one action, or leave it out');
  for (const [action, value] of Object.entries(points)) checkedWhole(`${option}.${action}`, value, allowedPoints);
  return Object.freeze({ ...points });
}

function resolveTallies(
  { tallies = [], rolling, partition }: LeaderboardConfig,
  option: string,
  actions: readonly string[],
): readonly Tally[] {
  checkedList(`${option}.tallies`, tallies).forEach((tally, index) => {
    if (isTally(tally, actions)) return;
    const allowed = `use "given:" or "received:" and an action that counts on it, one of ${actions.join(', ')}`;
    throw optionError(`${option}.tallies[${index}]`, tally, allowed);
  });
  checkedUnique(`${option}.tallies`, tallies, 'name each once');
  if (tallies.length > 0 && (rolling !== undefined || partition !== undefined)) {
    throw optionError(
      `${option}.tallies`,
      tallies,
      'leave it out: rolling windows and partitioned leaderboards have none',
    );
  }
  return Object.freeze([...tallies]);
}

/** A window is made from the boards of its days: they are kept until the windows of a month ago have what they need. */
function resolveRetention(
  { retentionMs: given }: LeaderboardConfig,
  option: string,
  { retention, cut }: { readonly retention: RetentionSettings; readonly cut: ReturnType<typeof resolvePeriod> },
): number | null {
  const { rolling, period } = cut;
  // A day may have 25 hours, and a zone may even repeat one.
  const windowMs = rolling ? (rolling.days + 1) * dayMs : 0;
  const byDefault = retention[period === 'rolling' ? 'day' : period];
  const retentionMs = given === undefined ? byDefault && byDefault + windowMs : given;
  return retentionMs === null ? null : checkedWhole(`${option}.retentionMs`, retentionMs, [windowMs, anyDuration[1]]);
}
