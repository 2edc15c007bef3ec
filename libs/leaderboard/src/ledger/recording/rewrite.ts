import { keys } from '../../keys/keys';
import { scripts } from '../../scripts/scripts.generated';
import type { LedgerContext } from '../periods/ledger-context';
import { CommitPlan, type Unit } from './commit-plan';
import { daysText, judgingAt, stemOf } from './reading';

/** What is written of a member's keys without being judged: what stands stays as it is. */
export type Rewritten = Pick<Unit, 'view' | 'oldKey' | 'expiries'> & Partial<Unit>;

/** Writes of each member where nothing that was read has changed; tells of each whether it did. One round trip. */
export async function rewrite(context: LedgerContext, tag: string, all: readonly Rewritten[]): Promise<boolean[]> {
  const { settings, members } = context;
  const { prefix, tags, clock } = settings;
  const nowMs = clock.now();
  const judging = judgingAt(context, nowMs);
  const plan = new CommitPlan(tags.indexOf(tag));
  const none = { names: [], entries: [], totals: [], highest: [], lists: [], room: null, owing: null, firstDay: 0 };
  for (const one of all) plan.add({ ...none, ...one });
  const text = plan.pack({ nowMs, token: '', marks: new Map(), isErasing: false, firstDays: null });
  const own = { erased: keys.erased(prefix, tag), claims: keys.claims(prefix, tag), others: plan.others };
  const args = { plan: text, stem: stemOf(prefix, tag), days: daysText(judging), first: judging.firstDay };
  const concerned = { tag, members: all.map(({ view }) => view.member) };
  const states = (await members.run(scripts.commitFacts, own, args, concerned)) as number[];
  return states.map((state) => state === 1);
}
