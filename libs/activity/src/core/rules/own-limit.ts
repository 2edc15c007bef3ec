import type { TransitionLimit } from '@laurel/leaderboard';
import type { LimitedGrant } from '@laurel/leaderboard/internals';
import { fieldNames, subjectInField } from './ledger-field';
import { pointsOf } from '../points/decimals';
import type { ConfiguredLimit, LimitedActivity } from './limit-type';

/** The engine's words for what has a window of its own. */
export const perOf = { action: 'member', subject: 'field', pair: 'pair' } as const;

/** The engine's form of a limit of the app's own. */
export function ownLimit(name: string, limit: ConfiguredLimit, decimals: number): TransitionLimit {
  const { windowMs, per, allows, quota } = limit;
  const activityOf = (grant: LimitedGrant): LimitedActivity => ({
    subject: subjectInField(fieldNames.long(grant.field)).subject,
    points: pointsOf(grant.points, decimals),
    at: new Date(grant.ms),
    ownerId: grant.counterpart,
  });
  return {
    ...{ type: 'own', name, windowMs, per: perOf[per] },
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

/** Null: no moment, an invalid date. */
function msOf(date: Date): number | null {
  const ms = date.getTime();
  return Number.isNaN(ms) ? null : ms;
}
