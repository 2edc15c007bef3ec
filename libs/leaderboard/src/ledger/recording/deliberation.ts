import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '../../errors/errors';
import { keys } from '../../keys/keys';
import { groupBy } from '../../lists/lists';
import { runScript } from '../../redis/run';
import { sendTogether, type Command } from '../../redis/send';
import { scripts } from '../../scripts/scripts.generated';
import type { LedgerContext } from '../periods/ledger-context';
import { claimMs, commit, isClaimed, isErased, pauseMs } from './commit';
import { MemberCase } from './member-case';
import { MemberLedger } from './member-ledger';
import type { OpenTransition } from './planned';
import { readFor, type Judging } from './reading';
import { View } from './view';

/** A member who is judged anew is claimed, so one more try is enough unless the claim ends before it. */
const maxTries = 30;
const contended = 'Other calls have changed the same member again and again. Repeat the call: it is safe.';

/**
 * Judges what is no plain grant: reads what each member's transitions concern, judges them in TypeScript, and commits
 * all of a member's changes or, where anything that they were judged by has changed meanwhile, none; then that member
 * is claimed, read and judged again. Other calls wait until a claim has gone: they hold none meanwhile.
 */
export class Deliberation {
  /** What all cases ask. */
  private readonly shared = new View('');
  private readonly erased = new Set<string>();
  private readonly token = randomUUID();
  /** How often members were judged in vain: these may be claimed. */
  private readonly tries = new Map<string, number>();

  constructor(
    private readonly context: Pick<LedgerContext, 'redis' | 'members'>,
    private readonly judging: Judging,
  ) {}

  /** The results, in the order asked. Two round trips, and more where days before the own one are concerned. */
  async run(asked: readonly OpenTransition[]): Promise<MemberCase[]> {
    let open = [...groupBy(asked, ({ transition: { member } }) => member)].map(([member, own]) =>
      this.caseOf(member, own),
    );
    const done: MemberCase[] = [];
    for (let isJudged = false; open.length > 0;) {
      await (isJudged ? this.waitFor(open) : this.judgeAll(open));
      const refused = await this.commit(open);
      done.push(...open.filter((one) => !refused.has(one)));
      const inVain = [...refused].filter(([, state]) => state !== isClaimed);
      for (const [{ view }] of inVain) this.countTry(view.member);
      isJudged = inVain.length === 0;
      open = [...refused.keys()].map((one) => (isJudged ? one : this.caseOf(one.view.member, one.asked)));
    }
    return done;
  }

  /** Waits until some members are claimed by no other call, or that one must have crashed. */
  private async waitFor(cases: readonly MemberCase[]): Promise<void> {
    const { settings, tag } = this.judging;
    const look: Command = ['hmget', keys.claims(settings.prefix, tag), ...cases.map(({ view }) => view.member)];
    const untilMs = performance.now() + claimMs;
    for (let isWaiting = true; isWaiting && performance.now() < untilMs;) {
      await delay(pauseMs * (0.5 + Math.random()));
      const [claims] = (await sendTogether(this.context.redis, [look])) as [unknown[]];
      isWaiting = claims.every((claim) => claim !== null);
    }
  }

  private countTry(member: string): void {
    const tries = (this.tries.get(member) ?? 0) + 1;
    if (tries === maxTries) throw unavailable(contended);
    this.tries.set(member, tries);
  }

  private caseOf(member: string, asked: readonly OpenTransition[]): MemberCase {
    return new MemberCase(new MemberLedger(member, this.judging, this.shared.marks), asked, this.erased);
  }

  private async judgeAll(cases: readonly MemberCase[]): Promise<void> {
    const { settings, tag } = this.judging;
    this.shared.marks.clear();
    for (const keyOf of [keys.erased, keys.holding]) this.shared.marks.want(keyOf(settings.prefix, tag));
    const works = cases.map((one) => [one.view, () => one.judge()] as const);
    await readFor(this.context.redis, works, [this.shared]);
  }

  /** Commits all that was judged; gives those for whom it no longer holds, with what the script says of each. */
  private async commit(cases: readonly MemberCase[]): Promise<ReadonlyMap<MemberCase, number>> {
    const refused = new Map<MemberCase, number>();
    const judged = cases.filter(({ unit }) => unit !== null);
    if (judged.length === 0) return refused;
    const units = judged.flatMap(({ unit }) => unit ?? []);
    const states = await commit(this.context, units, this.judging, { token: this.token, marks: this.shared.marks });
    for (const [i, one] of judged.entries()) {
      const state = states[i] as number;
      if (state === 1) one.answer();
      else refused.set(one, state);
      if (state === isErased) await this.findErased(one);
    }
    return refused;
  }

  private async findErased({ view, unit }: MemberCase): Promise<void> {
    const { settings, tag, nowMs } = this.judging;
    const named = [view.member, ...(unit?.names ?? [])];
    const own = { erased: keys.erased(settings.prefix, tag) };
    const found = await runScript(this.context.redis, scripts.findErased, own, { nowMs, members: named });
    for (const place of found as number[]) this.erased.add(named[place - 1] as string);
  }
}
