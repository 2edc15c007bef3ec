import { limitedGrant, type Asking, type Counts, type Given, type OwnLimit } from '../facts/standing';
import type { TransitionLimit } from '../facts/laws';
import type { LimitQuota } from '../model/ledger.types';
import type { FactReader } from '../recording/member-ledger';
import type { Judging } from '../recording/reading';

/** A limit, and for what it is asked. */
export interface QuotaQuestion {
  readonly limit: TransitionLimit;
  /** For a limit per field: its field. */
  readonly field?: string;
  /** For a limit per pair: the owner. */
  readonly counterpart?: string;
}

/** A member's quotas at a moment, by the function that admits grants: see `Ledger.quotaOf`. */
export function quotasOf(
  facts: FactReader,
  member: string,
  questions: readonly QuotaQuestion[],
  atMs: number,
): Promise<(LimitQuota | null)[]> {
  const limits = questions.map(({ limit }) => limit);
  return facts.read(member, (ledger) => {
    const counts = ledger.countsAt(limits, atMs);
    return questions.map((question) => quotaOf(question, { judging: ledger.judging, counts, atMs }));
  });
}

function quotaOf(
  { limit, field, counterpart }: QuotaQuestion,
  about: { judging: Judging; counts: Counts; atMs: number },
): LimitQuota | null {
  const { settings, calendar } = about.judging;
  const day = calendar.dayOf(about.atMs);
  const moment = { ms: about.atMs, sequence: Infinity };
  const name = field === undefined ? null : settings.fieldNames.short(field);
  const asking: Asking = { day: day.number, moment, name, owner: counterpart ?? null };
  if (limit.type === 'own') return ownQuota(limit, about.counts.within(limit, asking), about.atMs);
  const room = about.counts.room(limit, asking);
  if (!room) return null;
  const { used, left, againAtMs } = room;
  return {
    limit: limit.name,
    of: limit.type === 'daily' && limit.of === 'points' ? 'points' : 'grants',
    ...{ max: limit.max, used, left: Math.max(0, left) },
    allowedAgainAtMs: left <= 0 && againAtMs !== null && Number.isFinite(againAtMs) ? againAtMs : null,
  };
}

/** The quota that a custom limit returns; null if it has no `quota`. */
function ownQuota({ name, quota }: OwnLimit, counted: readonly Given[] | null, atMs: number): LimitQuota | null {
  if (!quota || !counted) return null;
  const none = { limit: name, of: 'grants', max: null, used: null, left: null, allowedAgainAtMs: null } as const;
  try {
    const given = counted.map((one) => limitedGrant(one, one.points));
    const { used, max, allowedAgainAtMs = null } = quota(given, atMs);
    const [finiteUsed, finiteMax] = [used, max].map((number) => (Number.isFinite(number) ? number : null));
    const left = finiteUsed == null || finiteMax == null ? null : Math.max(0, finiteMax - finiteUsed);
    return { ...none, max: finiteMax ?? null, used: finiteUsed ?? null, left, allowedAgainAtMs };
  } catch (error) {
    return { ...none, fault: error instanceof Error ? error.message : String(error) };
  }
}
