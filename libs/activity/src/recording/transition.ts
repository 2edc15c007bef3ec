import { type ActivityChange, nextSequence, ownerOf, userIn } from '../activity/activity';
import { ledgerField, ownerField } from '../rules/ledger-field';
import type { Asked } from './recorders';
import type { RuleEntry } from '../rules/rule-book';

/** Why an activity is worth nothing by its rule, or null where it counts. */
export function reasonToIgnore({ rule }: RuleEntry, change: ActivityChange): string | null {
  if (change.revoke && !rule.revocable) return 'notRevocable';
  return rule.ownSubject === 'ignore' && ownerOf(change) === change.userId ? 'ownSubject' : null;
}

/** What the ledgers are asked for an activity that was checked: its rule found, its ids well-formed. */
export function transitionsOf({ rule, shares, prepare }: RuleEntry, change: ActivityChange, nowMs: number): Asked {
  const { occurredAt, grantedAt, partitions } = change;
  const ownerId = ownerOf(change);
  const named = userIn(change.subject);
  const isStampedHere = occurredAt === undefined || occurredAt === null;
  const occurredAtMs = isStampedHere ? nowMs : occurredAt.getTime();
  const common = {
    kind: change.revoke ? ('revoke' as const) : ('grant' as const),
    member: change.userId,
    field: ledgerField(rule.code, change.subject),
    occurredAtMs,
    sequence: change.sequence ?? (isStampedHere ? nextSequence() : 0),
    ...(change.revoke && grantedAt && { grantedAtMs: grantedAt.getTime() }),
    ...(partitions && { partitions }),
    ...(ownerId !== null && { counterpart: ownerId }),
    ...(named !== null && { names: [named] }),
    ...(prepare.length > 0 && !change.revoke && { prepared: prepared(prepare, change, occurredAtMs) }),
  };
  return shares.map((share) => share && { ...share, ...common });
}

/** What limits of the app's own types are asked with: its own code, before anything is recorded. */
function prepared(prepare: RuleEntry['prepare'], change: ActivityChange, occurredAtMs: number) {
  const { userId, action, subject } = change;
  const activity = { userId, action, subject, ownerId: ownerOf(change), occurredAt: new Date(occurredAtMs) };
  return prepare.map((one) => one(activity));
}

/**
 * The owner's transition for an activity, made from the giver's; null if the rule gives the owner nothing, or the owner
 * is unknown or the giver.
 */
export function ownerTransitionsOf({ rule, owner }: RuleEntry, change: ActivityChange, asked: Asked): Asked | null {
  const ownerId = owner && ownerOf(change);
  if (!owner || ownerId === null || ownerId === change.userId) return null;
  const field = ownerField(rule.code, change.userId, change.subject);
  const named = userIn(change.subject);
  const names = named === null ? [change.userId] : [change.userId, named];
  return owner.shares.map((share, ledger) => {
    const given = asked[ledger];
    if (!share || !given) return null;
    const { kind, occurredAtMs, sequence, grantedAtMs, partitions } = given;
    return {
      ...share,
      kind,
      member: ownerId,
      field,
      names,
      occurredAtMs,
      ...(sequence !== undefined && { sequence }),
      ...(grantedAtMs !== undefined && { grantedAtMs }),
      ...(partitions && { partitions }),
    };
  });
}
