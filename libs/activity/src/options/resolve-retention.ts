import { periodKinds } from '@laurel/leaderboard/internals';
import type { RetentionConfig, RetentionKind } from './activity.options';
import { anyDuration, checkedWhole, optionError } from '../errors/check';

const dayMs = 86_400_000;

/** For each kind of period, and for ledgers, how long they are kept after their end; null: for good. */
export type RetentionSettings = Readonly<Record<RetentionKind, number | null>>;

const defaults: RetentionSettings = {
  day: 31 * dayMs,
  week: 182 * dayMs,
  month: 365 * dayMs,
  year: 1_830 * dayMs,
  all: null,
  contest: 1_830 * dayMs,
  ledger: 31 * dayMs,
};

/** @throws ActivityError `invalidOption` */
export function resolveRetention(config: RetentionConfig = {}): RetentionSettings {
  const kinds: readonly string[] = [...periodKinds, 'contest', 'ledger'];
  const given: unknown = config;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw optionError('retentionMs', given, `use an object with ${kinds.join(', ')}: { day: 86400000 }`);
  }
  for (const [kind, ms] of Object.entries(config)) {
    if (!kinds.includes(kind)) throw optionError(`retentionMs.${kind}`, ms, `its keys are ${kinds.join(', ')}`);
    if (ms !== null) checkedWhole(`retentionMs.${kind}`, ms, anyDuration);
  }
  return { ...defaults, ...config };
}
