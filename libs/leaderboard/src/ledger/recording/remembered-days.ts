import { keys } from '../../keys/keys';
import { groupBy } from '../../lists/lists';
import type { RedisClient } from '../../redis/redis-client';
import { served } from '../../redis/served';
import { whenAll } from '../../redis/when-all';
import type { LedgerSettings } from '../model/ledger-options';
import type { Transition } from '../model/ledger.types';

/** Whether a transition's field counts once for good. */
export function isForGood({ onceInDays }: Transition): boolean {
  return onceInDays === Infinity;
}

/**
 * Whether a field that counts once for good is followed by another transition of its member: were the first one left to
 * another trip, the second one would be judged before it.
 */
export function areForGoodBeforeOthers(transitions: readonly Transition[]): boolean {
  if (!transitions.some(isForGood)) return false;
  const followed = new Set<string>();
  return transitions.toReversed().some((transition) => {
    if (isForGood(transition) && followed.has(transition.member)) return true;
    followed.add(transition.member);
    return false;
  });
}

/** Whether a transition concerns more days than its own, and no list says which. */
export function concernsOtherDays({ kind, grantedAtMs, onceInDays = 1 }: Transition): boolean {
  return (onceInDays > 1 && onceInDays < Infinity) || (kind === 'revoke' && grantedAtMs === undefined);
}

/** The days on which fields that count once for good stand, as far as a call knows them. */
export class RememberedDays {
  private readonly days = new Map<string, Set<number>>();

  /** Those of a transition's field: a set that the call adds its own days to. */
  of({ member, field }: Pick<Transition, 'member' | 'field'>): Set<number> {
    const id = JSON.stringify([member, field]);
    let days = this.days.get(id);
    if (!days) this.days.set(id, (days = new Set<number>()));
    return days;
  }

  /** Reads those of a shard's transitions: one round trip. */
  async read(
    redis: RedisClient,
    { prefix, fieldNames }: Pick<LedgerSettings, 'prefix' | 'fieldNames'>,
    tag: string,
    transitions: readonly Transition[],
  ): Promise<void> {
    const byMember = groupBy(transitions.filter(isForGood), ({ member }) => member);
    await whenAll(
      [...byMember].map(async ([member, some]) => {
        const fields = [...new Set(some.map(({ field }) => field))];
        const key = keys.remembered(prefix, tag, member);
        const texts = await served(redis, key, () => redis.hmget(key, ...fields.map(fieldNames.short)));
        fields.forEach((field, i) => {
          for (const [day] of (texts[i] ?? '').matchAll(/\d+/g)) this.of({ member, field }).add(Number(day));
        });
      }),
    );
  }
}
