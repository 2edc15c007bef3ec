import { countedBy, limitedGrant, roomOf, type Asking, type Given } from '../facts/standing';
import type { TransitionLimit } from '../facts/laws';
import type { LimitQuota } from '../model/ledger.types';
import type { FactReader } from '../recording/fact-reader';
import type { Judging } from '../recording/member-facts';

type OwnLimit = Extract<TransitionLimit, { type: 'own' }>;

/** A limit, and for what it is asked. */
export interface QuotaQuestion {
  readonly limit: TransitionLimit;
  /** For a limit per field: its field. */
  readonly field?: string;
  /** For a limit per pair: the owner. */
  readonly counterpart?: string;
}

/** The moment for which quotas are asked. */
export interface QuotaOptions {
  /** Default: the clock's now. */
  readonly atMs?: number;
}

/** What limits leave a member at a moment, by the same function that admits grants: see `Ledger.quotaOf`. */
export function quotasOf(
  facts: FactReader,
  member: string,
  questions: readonly QuotaQuestion[],
  atMs: number,
): Promise<(LimitQuota | null)[]> {
  const limits = questions.map(({ limit }) => limit);
  return facts.read(member, (ledger, judging) => {
    const given = ledger.givenBy(limits, atMs);
    return questions.map((question) => quotaOf(question, { judging, given, atMs }));
  });
}

function quotaOf(
  { limit, field, counterpart }: QuotaQuestion,
  about: { judging: Judging; given: readonly Given[]; atMs: number },
): LimitQuota | null {
  const { settings, calendar, almanac } = about.judging;
  const day = calendar.dayOf(about.atMs);
  const moment = { ms: about.atMs, sequence: Infinity };
  const name = field === undefined ? null : settings.fieldNames.short(field);
  const asking: Asking = { day: day.number, moment, name, counterpart: counterpart ?? null };
  const counted = countedBy(limit, asking, about.given, almanac);
  if (!counted) return null;
  if (limit.type === 'own') return ownQuota(limit, counted, about.atMs);
  const { used, left, againAtMs } = roomOf(limit, asking, counted, almanac);
  return {
    limit: limit.name,
    of: limit.type === 'daily' && limit.of === 'points' ? 'points' : 'grants',
    ...{ max: limit.max, used, left: Math.max(0, left) },
    allowedAgainAtMs: left <= 0 && againAtMs !== null && Number.isFinite(againAtMs) ? againAtMs : null,
  };
}

/** What a limit of the caller's own tells of itself; null where it has no `quota`. */
function ownQuota({ name, quota }: OwnLimit, counted: readonly Given[], atMs: number): LimitQuota | null {
  if (!quota) return null;
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
