import { keys } from '../../keys/keys';
import { scripts } from '../../scripts/scripts.generated';
import type { LedgerContext } from '../periods/ledger-context';
import { CommitPlan, type Unit } from './commit-plan';
import type { Judging } from './member-facts';
import { daysText, judgingAt, stemOf } from './reading';

/** What is written of a member; what is left out is nothing. */
export type Written = Pick<Unit, 'view' | 'oldKey' | 'expiries'> & Partial<Unit>;

const none = { names: [], entries: [], totals: [], highest: [], lists: [], room: null, owing: null, firstDay: 0 };

/** By what a commit was judged. */
interface CommitOptions {
  readonly judging: Judging;
  readonly shard: number;
  readonly tag: string;
  /** Claims members of whom something has changed; empty: it claims none. */
  readonly token: string;
  readonly marks: ReadonlyMap<string, boolean>;
}

/** Commits what is written of members of one shard; gives what commit-facts.lua returns. One round trip. */
export async function commit(
  { members }: Pick<LedgerContext, 'members'>,
  units: readonly Written[],
  { judging, shard, tag, token, marks }: CommitOptions,
): Promise<(number | string)[]> {
  const { settings, nowMs, firstDay } = judging;
  const { prefix, keepsFirstDays } = settings;
  const erased = keys.erased(prefix, tag);
  const plan = new CommitPlan(shard);
  for (const unit of units) plan.add({ ...none, ...unit });
  const isErasing = marks.get(erased) === true;
  const firstDays = keepsFirstDays ? keys.firstDays(prefix, tag) : null;
  const packed = plan.pack({ nowMs, token, marks, isErasing, firstDays });
  const named = { erased, claims: keys.claims(prefix, tag), others: plan.others };
  const args = { plan: packed, stem: stemOf(prefix, tag), days: daysText(judging), first: firstDay };
  const concerned = { tag, members: units.map(({ view }) => view.member) };
  return (await members.run(scripts.commitFacts, named, args, concerned)) as (number | string)[];
}

/** Writes of each member, without judging, where nothing that was read has changed; tells of each whether it did. */
export async function rewrite(context: LedgerContext, tag: string, all: readonly Written[]): Promise<boolean[]> {
  const { clock, tags } = context.settings;
  const judging = judgingAt(context, clock.now());
  const options = { judging, shard: tags.indexOf(tag), tag, token: '', marks: new Map<string, boolean>() };
  return (await commit(context, all, options)).map((state) => state === 1);
}
