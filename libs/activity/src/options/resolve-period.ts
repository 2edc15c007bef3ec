import { Period, type PeriodKind, type PeriodSpec } from '@laurel/leaderboard';
import { kindOf, periodKinds } from '@laurel/leaderboard/internals';
import { weekStarts, type LeaderboardConfig, type WeekStart } from './activity.options';
import { allowedRefreshMs, allowedRollingDays } from './allowed';
import { checkedByEngine, checkedKeys, checkedWhole, checkedWord, optionError } from '../errors/check';
import type { RollingSettings } from './settings';

/** How a leaderboard's time is cut. */
export interface ResolvedPeriod {
  readonly period: PeriodKind;
  /** The periods that are read. */
  readonly spec: PeriodSpec;
  /** The periods that are written: those of a rolling window's days. */
  readonly fedSpec: PeriodSpec;
  readonly rolling: RollingSettings | null;
}

interface PeriodDefaults {
  readonly timezone: string;
  readonly weekStart: WeekStart;
}

/** @throws ActivityError `invalidOption` */
export function resolvePeriod(config: LeaderboardConfig, option: string, defaults: PeriodDefaults): ResolvedPeriod {
  const given = (['period', 'contest', 'rolling'] as const).filter((name) => config[name] !== undefined);
  if (given.length !== 1) {
    throw optionError(option, given, 'give one of "period", "contest" and "rolling"');
  }
  const rolling = config.rolling === undefined ? null : resolveRolling(config.rolling, `${option}.rolling`);
  const spec = rolling ? ({ kind: 'rolling', days: rolling.days } as const) : specOf(config, option, defaults);
  for (const name of ['weekStart', 'weeksFrom'] as const) {
    if (config[name] !== undefined && kindOf(spec) !== 'week') {
      throw optionError(`${option}.${name}`, config[name], `it belongs to a leaderboard whose "period" is "week"`);
    }
  }
  return { period: kindOf(spec), spec: frozen(spec), fedSpec: rolling ? 'day' : frozen(spec), rolling };
}

function specOf(config: LeaderboardConfig, option: string, { timezone, weekStart }: PeriodDefaults): PeriodSpec {
  const { contest } = config;
  if (contest !== undefined) {
    checkedKeys(`${option}.contest`, contest, ['from', 'to']);
    const spec = { kind: 'contest', from: contest.from, to: contest.to } as const;
    checkedByEngine(`${option}.contest`, contest, () => Period.nearest(spec, new Date(0), timezone));
    return spec;
  }
  const kind = checkedWord(`${option}.period`, config.period, periodKinds);
  if (kind !== 'week') return kind;
  const start =
    config.weekStart === undefined ? weekStart : checkedWord(`${option}.weekStart`, config.weekStart, weekStarts);
  if (config.weeksFrom !== undefined) return countedFrom(config.weeksFrom, start, { option, timezone });
  return start === 'monday' ? 'week' : { kind: 'week', startsOn: start };
}

function countedFrom(
  day: string,
  start: WeekStart,
  { option, timezone }: { readonly option: string; readonly timezone: string },
): PeriodSpec {
  const spec = { kind: 'week', countedFrom: day } as const;
  checkedByEngine(`${option}.weeksFrom`, day, () => Period.nearest(spec, new Date(0), timezone));
  if (new Date(`${day}T00:00:00Z`).getUTCDay() !== (start === 'monday' ? 1 : 0)) {
    throw optionError(`${option}.weeksFrom`, day, `use a ${start}, the day on which its weeks start ("weekStart")`);
  }
  return spec;
}

function resolveRolling(rolling: NonNullable<LeaderboardConfig['rolling']>, option: string): RollingSettings {
  checkedKeys(option, rolling, ['days', 'refreshMs']);
  return Object.freeze({
    days: checkedWhole(`${option}.days`, rolling.days, allowedRollingDays),
    refreshMs: checkedWhole(`${option}.refreshMs`, rolling.refreshMs ?? 10_000, allowedRefreshMs),
  });
}

function frozen(spec: PeriodSpec): PeriodSpec {
  return Object.freeze(spec);
}
