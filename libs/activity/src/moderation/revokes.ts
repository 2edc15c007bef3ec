import type { Ledger, Transition } from '@laurel/leaderboard';
import type { StandingGrant } from '@laurel/leaderboard/internals';

/** A grant, and whose it is. */
type MemberGrant = StandingGrant & { readonly member: string };

/** The revoke of a grant. */
export interface Revoke {
  readonly grant: MemberGrant;
  readonly transition: Transition & Required<Pick<Transition, 'grantedAtMs'>>;
  /** Whether any board of the grant can still be corrected. */
  readonly isOpen: boolean;
  /** The labels of those that are final. */
  readonly final: readonly string[];
}

/**
 * The revokes of grants that stand, each on its own day alone, so that boards stay the sums of ledgers and a repeated
 * delivery of the activity gives nothing back. Points leave the boards and the partitions on which they count: facts
 * know them.
 */
export function revokesOf(
  ledger: Ledger,
  grants: readonly MemberGrant[],
  of: Pick<Transition, 'keepsGifts' | 'sequence'> = {},
): Revoke[] {
  const nowMs = ledger.settings.clock.now();
  return grants.map((grant) => {
    const { member, field, points, grantedAtMs, dayMs, boards } = grant;
    // A grant may be dated some minutes ahead: its revoke must be later.
    const occurredAtMs = Math.max(nowMs, grantedAtMs + 1);
    return {
      grant,
      transition: { kind: 'revoke', member, field, points, occurredAtMs, grantedAtMs: dayMs, ...of },
      isOpen: boards.some(({ closesAtMs }) => nowMs < closesAtMs),
      final: boards.flatMap(({ label, closesAtMs, isTally }) => (nowMs >= closesAtMs && !isTally ? [label] : [])),
    };
  });
}
