import type { Ledger, Transition, TransitionResult } from '@laurel/leaderboard';
import type { StandingGrant } from '@laurel/leaderboard/internals';
import { Injectable } from '@nestjs/common';
import { Ledgers } from '../core/ledgers/ledgers';

/** A grant, and whose it is. */
export interface MemberGrant extends StandingGrant {
  readonly member: string;
}

/** The revoke of a grant. */
export interface Revoke extends Openness {
  readonly transition: Transition & Required<Pick<Transition, 'grantedAtMs'>>;
}

/** Which boards of a grant can still be corrected. */
interface Openness {
  /** Whether any can be. */
  readonly isOpen: boolean;
  /** The labels of those that are final. */
  readonly final: readonly string[];
}

/** The points that a revoke took from a user. */
export interface Taken {
  readonly userId: string;
  readonly points: number;
}

/**
 * Revokes grants that stand, each on its own day alone, so that boards stay the sums of ledgers and a repeated delivery
 * of the activity gives nothing back. Points leave the boards and the partitions on which they count: facts know them.
 */
@Injectable()
export class GrantRevokes {
  constructor(private readonly ledgers: Ledgers) {}

  of(ledger: Ledger, grants: readonly MemberGrant[], { keepsGifts = false } = {}): Revoke[] {
    const nowMs = ledger.settings.clock.now();
    return grants.map(({ member, field, points, grantedAtMs, boards }) => {
      // A grant may be dated some minutes ahead: its revoke must be later.
      const occurredAtMs = Math.max(nowMs, grantedAtMs + 1);
      const transition = { kind: 'revoke' as const, member, field, points, occurredAtMs, grantedAtMs, keepsGifts };
      const final = boards.filter(({ closesAtMs, isTally }) => nowMs >= closesAtMs && !isTally);
      return {
        transition,
        isOpen: boards.some(({ closesAtMs }) => nowMs < closesAtMs),
        final: final.map(({ label }) => label),
      };
    });
  }

  /** The points that revokes took, as the module's own ledger counts them. */
  taken(ledger: Ledger, revokes: readonly Revoke[], results: readonly TransitionResult[]): Taken[] {
    if (ledger !== this.ledgers.main) return [];
    return results.flatMap(({ outcome, points }, i) =>
      outcome === 'revoked' ? [{ userId: (revokes[i] as Revoke).transition.member, points: -points }] : [],
    );
  }

  /** The points that owners lost by it, likewise. */
  takenFromOwners(ledger: Ledger, results: readonly TransitionResult[]): Taken[] {
    if (ledger !== this.ledgers.main) return [];
    return results.flatMap(({ gift }) =>
      gift?.outcome === 'revoked' ? [{ userId: gift.member, points: -gift.points }] : [],
    );
  }
}
