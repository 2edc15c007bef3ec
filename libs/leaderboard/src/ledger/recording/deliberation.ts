import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '../../errors/errors';
import { keys } from '../../keys/keys';
import { groupBy } from '../../lists/lists';
import { runScript, type RedisClient } from '../../redis/run';
import { sendTogether, type Command } from '../../redis/send';
import { scripts } from '../../scripts/scripts.generated';
import type { MemberScripts } from '../sharding/guard';
import { commit } from './commit';
import { MemberCase } from './member-case';
import type { Judging } from './member-facts';
import type { OpenTransition } from './planned';
import { readWanted, viewOf } from './reading';
import { notRead, View } from './view';

/** A member who is judged anew is claimed, so one more try is enough unless the claim ends before it. */
const maxTries = 30;
/** How long a claim lasts at most, as commit-facts.lua has it, and what lies between two looks whether it has gone. */
export const [claimMs, pauseMs] = [2_000, 10];
const contended = 'Other calls have changed the same member again and again. Repeat the call: it is safe.';

/** The replies of commit-facts.lua for members who were not written, except 0. */
const [isErased, isClaimed] = [2, 3];

/** The services that a deliberation uses. */
export interface DeliberationParts {
  readonly redis: RedisClient;
  readonly members: MemberScripts;
  readonly judging: Judging;
  readonly shard: number;
  readonly tag: string;
  readonly nowMs: number;
}

/**
 * Judges what is no plain grant: reads what each member's transitions concern, judges them in TypeScript, and commits
 * all of a member's changes or, where anything that they were judged by has changed meanwhile, none; then that member
 * is claimed, read and judged again. Other calls wait until a claim has gone: they hold none meanwhile.
 */
export class Deliberation {
  private readonly marks = new View('', () => ['echo', '']);
  private readonly erasedMembers = new Set<string>();
  private readonly token = randomUUID();
  /** How often members were judged in vain: these may be claimed. */
  private readonly tries = new Map<string, number>();

  constructor(private readonly parts: DeliberationParts) {}

  /** The results, in the order asked. Two round trips, and more where days before the own one are concerned. */
  async run(asked: readonly OpenTransition[]): Promise<MemberCase[]> {
    let open = [...groupBy(asked, ({ transition: { member } }) => member)].map(([member, own]) =>
      this.caseOf(member, own),
    );
    const done: MemberCase[] = [];
    for (let isJudged = false; open.length > 0;) {
      if (!isJudged) await this.judgeAll(open);
      const refused = await this.commit(open);
      done.push(...open.filter((one) => !refused.has(one)));
      const inVain = [...refused].filter(([, state]) => state !== isClaimed);
      for (const [{ view }] of inVain) this.countTry(view.member);
      isJudged = inVain.length === 0;
      open = [...refused.keys()].map((one) => (isJudged ? one : this.caseOf(one.view.member, one.asked)));
      if (isJudged) await this.waitFor(open);
    }
    return done;
  }

  /** Waits until some members are claimed by no other call, or that one must have crashed. */
  private async waitFor(cases: readonly MemberCase[]): Promise<void> {
    if (cases.length === 0) return;
    const { judging, tag, redis } = this.parts;
    const look: Command = ['hmget', keys.claims(judging.settings.prefix, tag), ...cases.map(({ view }) => view.member)];
    const untilMs = performance.now() + claimMs;
    for (let isClaimed = true; isClaimed && performance.now() < untilMs;) {
      await delay(pauseMs * (0.5 + Math.random()));
      const [claims] = (await sendTogether(redis, [look])) as [unknown[]];
      isClaimed = claims.every((claim) => claim !== null);
    }
  }

  private countTry(member: string): void {
    const tries = (this.tries.get(member) ?? 0) + 1;
    if (tries === maxTries) throw unavailable(contended);
    this.tries.set(member, tries);
  }

  private caseOf(member: string, asked: readonly OpenTransition[]): MemberCase {
    const { judging, tag } = this.parts;
    const view = viewOf({ prefix: judging.settings.prefix, tag, member }, judging);
    return new MemberCase(view, asked, { ...this.parts, marks: this.marks, erased: this.erasedMembers });
  }

  private async judgeAll(cases: readonly MemberCase[]): Promise<void> {
    const { prefix } = this.parts.judging.settings;
    this.marks.marks.clear();
    this.marks.wantMark(keys.erased(prefix, this.parts.tag));
    let open = cases;
    for (;;) {
      open = open.filter((one) => !this.isJudged(one));
      if (open.length === 0 && this.marks.wanted.size === 0) return;
      await readWanted(this.parts.redis, [this.marks, ...open.map(({ view }) => view)]);
    }
  }

  private isJudged(one: MemberCase): boolean {
    try {
      one.judge();
      return true;
    } catch (error) {
      if (error !== notRead) throw error;
      return false;
    }
  }

  /**
   * Writes all that was judged, or makes sure that it still holds where nothing is to be written; gives those for whom
   * it does not, with what the script says of each.
   */
  private async commit(cases: readonly MemberCase[]): Promise<ReadonlyMap<MemberCase, number>> {
    const refused = new Map<MemberCase, number>();
    const judged = cases.filter(({ unit }) => unit !== null);
    if (judged.length === 0) return refused;
    const units = judged.flatMap(({ unit }) => unit ?? []);
    const reply = await commit(this.parts, units, { ...this.parts, token: this.token, marks: this.marks.marks });
    let at = 0;
    for (const one of judged) {
      const state = reply[at] as number;
      at += 1;
      if (state === 1) at += one.takeScores(reply, at);
      else refused.set(one, state);
      if (state === isErased) await this.findErased(one);
    }
    return refused;
  }

  private async findErased({ view, unit }: MemberCase): Promise<void> {
    const { judging, tag, redis, nowMs } = this.parts;
    const named = [view.member, ...(unit?.names ?? [])];
    const own = { erased: keys.erased(judging.settings.prefix, tag) };
    const found = await runScript(redis, scripts.findErased, own, { nowMs, members: named });
    for (const place of found as number[]) this.erasedMembers.add(named[place - 1] as string);
  }
}
