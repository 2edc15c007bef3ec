import type { PeriodKind, PeriodSpec } from '@laurel/leaderboard';
import { kindOf, periodKinds } from '@laurel/leaderboard/internals';
import { weekStarts, type LeaderboardConfig, type WeekStart } from './activity.options';
import { allowedRefreshMs, allowedRollingDays } from './allowed';
import { checkedDay, checkedKeys, checkedWhole, checkedWord, optionError, optionFault } from '../errors/check';
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

/** @throws ActivityError `invalidOption` */
export function resolvePeriod(config: LeaderboardConfig, option: string, weekStart: WeekStart): ResolvedPeriod {
  const given = (['period', 'contest', 'rolling'] as const).filter((name) => config[name] !== undefined);
  if (given.length !== 1) {
    throw optionError(option, given, 'give one of "period", "contest" and "rolling"');
  }
  const rolling = config.rolling === undefined ? null : resolveRolling(config.rolling, `${option}.rolling`);
  const spec = rolling ? ({ kind: 'rolling', days: rolling.days } as const) : specOf(config, option, weekStart);
  for (const name of ['weekStart', 'weeksFrom'] as const) {
    if (config[name] !== undefined && kindOf(spec) !== 'week') {
      throw optionError(`${option}.${name}`, config[name], `use it only where "period" is "week"`);
    }
  }
  return { period: kindOf(spec), spec: frozen(spec), fedSpec: rolling ? 'day' : frozen(spec), rolling };
}

function specOf(config: LeaderboardConfig, option: string, weekStart: WeekStart): PeriodSpec {
  const { contest } = config;
  if (contest !== undefined) {
    checkedKeys(`${option}.contest`, contest, ['from', 'to']);
    const from = checkedDay(`${option}.contest.from`, contest.from);
    const to = checkedDay(`${option}.contest.to`, contest.to);
    if (to < from) {
      throw optionFault(
        `${option}.contest`,
        `ends on ${to} before it begins on ${from}`,
        'use a "to" on or after "from"',
      );
    }
    return { kind: 'contest', from, to };
  }
  const kind = checkedWord(`${option}.period`, config.period, periodKinds);
  if (kind !== 'week') return kind;
  const start =
    config.weekStart === undefined ? weekStart : checkedWord(`${option}.weekStart`, config.weekStart, weekStarts);
  if (config.weeksFrom !== undefined) return countedFrom(`${option}.weeksFrom`, config.weeksFrom, start);
  return start === 'monday' ? 'week' : { kind: 'week', startsOn: start };
}

function countedFrom(option: string, value: string, start: WeekStart): PeriodSpec {
  const day = checkedDay(option, value);
  if (new Date(`${day}T00:00:00Z`).getUTCDay() !== (start === 'monday' ? 1 : 0)) {
    throw optionError(option, day, `use a ${start}, the day on which its weeks start ("weekStart")`);
  }
  return { kind: 'week', countedFrom: day };
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
