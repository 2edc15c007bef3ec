import { periodKinds } from '@laurel/leaderboard';
import type { LeaderboardConfig } from '../activity.options';
import { anyDuration, checkedList, checkedText, checkedUnique, checkedWhole, checkedWord, optionError } from './check';
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
}

/** @throws ActivityError `invalidOption` */
export function resolveLeaderboards(
  configs: readonly LeaderboardConfig[],
  defaults: LeaderboardDefaults,
): readonly LeaderboardSettings[] {
  if (configs.length === 0 || configs.length > 32) {
    throw optionError('leaderboards', `${configs.length} of them`, 'configure 1 to 32');
  }
  const resolved = configs.map((config, index) => resolveOne(config, `leaderboards[${index}]`, defaults));
  checkedUnique(
    'leaderboards[].name',
    resolved.map(({ name }) => name),
    'give each its own name',
  );
  return Object.freeze(resolved);
}

function resolveOne(
  config: LeaderboardConfig,
  option: string,
  { actions: known, retention, latenessMs }: LeaderboardDefaults,
): LeaderboardSettings {
  const name = checkedText(`${option}.name`, config.name, /^[a-z0-9_-]{1,32}$/, 'use 1 to 32 of a-z, 0-9, "-" and "_"');
  const period = checkedWord(`${option}.period`, config.period, periodKinds);
  const retentionMs = config.retentionMs === undefined ? retention[period] : config.retentionMs;
  const actions = config.actions && checkedList(`${option}.actions`, config.actions);
  actions?.forEach((action, index) => checkedWord(`${option}.actions[${index}]`, action, known));
  return Object.freeze({
    name,
    period,
    actions: actions && Object.freeze([...actions]),
    latenessMs: checkedWhole(`${option}.latenessMs`, config.latenessMs ?? latenessMs, anyDuration),
    retentionMs: retentionMs === null ? null : checkedWhole(`${option}.retentionMs`, retentionMs, anyDuration),
  });
}
