import type { TransitionLimit } from '@laurel/leaderboard';
import type { LimitedGrant } from '@laurel/leaderboard/internals';
import { fieldNames, subjectInField } from './ledger-field';
import { pointsOf, unitsOf } from '../points/decimals';
import { type ResolvedRule, worthsOf } from './rule';
import type { ResolvedLimit } from './limit';
import type { LimitedActivity } from './limit-type';

const windowsPer = { action: 'member', subject: 'field', pair: 'pair' } as const;

/** The engine's form of a limit. */
export function transitionLimit(limit: ResolvedLimit, rules: readonly ResolvedRule[], decimals = 0): TransitionLimit {
  const { type, name } = limit;
  if (type === 'own') {
    const { windowMs, per, allows, quota } = limit;
    const activityOf = (grant: LimitedGrant): LimitedActivity => ({
      subject: subjectInField(fieldNames.long(grant.field)).subject,
      points: pointsOf(grant.points, decimals),
      at: new Date(grant.ms),
      ownerId: grant.counterpart,
    });
    return {
      ...{ type, name, windowMs, per: windowsPer[per] },
      allows: (grant, given) => {
        const allowed = allows(activityOf(grant), given.map(activityOf));
        return allowed instanceof Date ? (msOf(allowed) ?? false) : allowed;
      },
      ...(quota && {
        quota: (given: readonly LimitedGrant[], atMs: number) => {
          const { allowedAgainAt = null, ...told } = quota(given.map(activityOf), new Date(atMs));
          return { ...told, allowedAgainAtMs: allowedAgainAt && msOf(allowedAgainAt) };
        },
      }),
    };
  }
  if (type === 'sliding') return { type, name, max: limit.max, windowMs: limit.windowMs, per: windowsPer[limit.per] };
  const counted = rules.filter(({ action }) => limit.action === null || action === limit.action);
  // An action worth nothing is counted where it stands: nothing of it has points.
  const isOfNothing =
    limit.of === 'grants' && limit.action !== null && counted.flatMap(worthsOf).every(({ points }) => points === 0);
  const { period } = limit;
  return {
    type,
    name,
    max: limit.of === 'points' ? unitsOf(limit.max, decimals) : limit.max,
    of: isOfNothing ? 'standing' : limit.of,
    ...(period && { period }),
  };
}

/** Null: no moment, an invalid date. */
function msOf(date: Date): number | null {
  const ms = date.getTime();
  return Number.isNaN(ms) ? null : ms;
}
