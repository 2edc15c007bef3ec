import type { Transition } from '@laurel/leaderboard';
import { ledgerField } from '../rules/ledger-field';
import type { RuleEntry } from '../rules/rule-book';
import type { ActivityChange } from './activity';
import { nextSequence } from './sequence';

/** Why an activity is worth nothing by its rule, or null where it counts. */
export function reasonToIgnore({ rule }: RuleEntry, change: ActivityChange): string | null {
  if (change.revoke && !rule.revocable) return 'notRevocable';
  return rule.ownSubject === 'ignore' && change.ownerId === change.userId ? 'ownSubject' : null;
}

/** What the ledger is asked for an activity that was checked: its rule found, its ids well-formed. */
export function transitionOf({ rule, common }: RuleEntry, change: ActivityChange, nowMs: number): Transition {
  const { occurredAt, grantedAt } = change;
  const isStampedHere = occurredAt === undefined || occurredAt === null;
  const transition: Transition = {
    ...common,
    kind: change.revoke ? 'revoke' : 'grant',
    member: change.userId,
    field: ledgerField(rule.code, change.subject),
    occurredAtMs: isStampedHere ? nowMs : occurredAt.getTime(),
    sequence: change.sequence ?? (isStampedHere ? nextSequence() : 0),
  };
  return change.revoke && grantedAt ? { ...transition, grantedAtMs: grantedAt.getTime() } : transition;
}
