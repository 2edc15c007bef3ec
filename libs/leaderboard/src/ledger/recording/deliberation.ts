import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { LeaderboardError } from '../../errors/errors';
import { keys } from '../../keys/keys';
import type { RedisClient } from '../../redis/run';
import { sendTogether, type Command } from '../../redis/send';
import { scripts } from '../../scripts/scripts.generated';
import type { BoardPeriod } from '../periods/calendar';
import type { MemberScripts } from '../sharding/guard';
import { CommitPlan } from './commit-plan';
import { MemberCase, type Asked } from './member-case';
import type { Judging } from './member-ledger';
import { daysText, readWanted, stemOf, viewOf } from './reading';
import { notRead, View } from './view';

/** After so many refusals a member is claimed for a moment, so that no other call comes in between. */
const triesBeforeClaim = 3;
/** So often it is tried, and for so long: who waits for claims of others has tried often by then. */
const maxTries = 30;
const patienceMs = 10_000;
const claimedForMs = 2_000;
const pauseMs = 2;
const contended = 'Other calls have changed the same member again and again. Repeat the call: it is safe.';

/** What a deliberation works with. */
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
 * is read and judged again.
 */
export class Deliberation {
  private readonly marks = new View('', () => ['echo', '']);
  private readonly erasedMembers = new Set<string>();
  private readonly token = randomUUID();
  private readonly claimed = new Set<string>();

  constructor(private readonly parts: DeliberationParts) {}

  /** The results, in the order asked. Two round trips, and more where days before the own one are concerned. */
  async run(asked: readonly Asked[]): Promise<MemberCase[]> {
    const byMember = new Map<string, Asked[]>();
    for (const one of asked) {
      const own = byMember.get(one.transition.member);
      if (own) own.push(one);
      else byMember.set(one.transition.member, [one]);
    }
    let open = [...byMember].map(([member, own]) => this.caseOf(member, own));
    const done: MemberCase[] = [];
    const deadlineMs = performance.now() + patienceMs;
    for (let tries = 1; open.length > 0; tries += 1) {
      await this.judgeAll(open);
      const refused = await this.commit(open);
      done.push(...open.filter((one) => !refused.has(one)));
      if (refused.size > 0 && tries >= maxTries && performance.now() >= deadlineMs)
        throw new LeaderboardError('unavailable', contended);
      open = [...refused].map((one) => this.caseOf(one.view.member, one.asked));
      if (open.length > 0 && tries >= triesBeforeClaim) await this.claim(open.map(({ view }) => view.member));
    }
    return done;
  }

  private caseOf(member: string, asked: readonly Asked[]): MemberCase {
    const { judging, shard, tag, nowMs } = this.parts;
    const { prefix } = judging.settings;
    const view = viewOf({ prefix, tag, member }, judging);
    const excludedKey = keys.excluded(prefix, tag);
    return new MemberCase(view, asked, {
      ...{ judging, shard, tag, nowMs },
      isFrozen: (period: BoardPeriod) => this.marks.mark(period.frozenKeys[shard] as string),
      hasExcluded: () => this.marks.mark(excludedKey),
      isErased: (name: string) => this.erasedMembers.has(name),
    });
  }

  private async judgeAll(cases: readonly MemberCase[]): Promise<void> {
    const { prefix } = this.parts.judging.settings;
    this.marks.wantMark(keys.excluded(prefix, this.parts.tag));
    this.marks.wantMark(keys.erased(prefix, this.parts.tag));
    let open = cases;
    for (;;) {
      open = open.filter((one) => !this.isJudged(one));
      if (open.length === 0 && this.marks.wanted.size === 0) return;
      await this.read(open);
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

  private async read(cases: readonly MemberCase[]): Promise<void> {
    await readWanted(this.parts.redis, [this.marks, ...cases.map(({ view }) => view)]);
  }

  /** Writes all that was judged; gives those of whom something has changed meanwhile. */
  private async commit(cases: readonly MemberCase[]): Promise<ReadonlySet<MemberCase>> {
    const { judging, shard, tag, members, nowMs } = this.parts;
    const { prefix, keepsFirstDays } = judging.settings;
    const writing = cases.filter((one) => one.unit !== null);
    if (writing.length === 0) return new Set();
    const plan = new CommitPlan(shard);
    for (const { unit } of writing) if (unit) plan.add(unit);
    const marks = new Map(this.marks.marks);
    const isErasing = marks.get(keys.erased(prefix, tag)) === true;
    const packed = plan.pack({
      ...{ nowMs, token: this.token, marks, isErasing },
      firstDays: keepsFirstDays ? keys.firstDays(prefix, tag) : null,
    });
    const named = { erased: keys.erased(prefix, tag), claims: keys.claims(prefix, tag), others: plan.others };
    const args = { plan: packed, stem: stemOf(prefix, tag), days: daysText(judging), first: judging.firstDay };
    const concerned = { tag, members: writing.map(({ view }) => view.member) };
    const reply = (await members.run(scripts.commitFacts, named, args, concerned)) as (number | string)[];
    const refused = new Set<MemberCase>();
    let [at, isClaimed] = [0, false];
    for (const one of writing) {
      const state = reply[at];
      at += 1;
      if (state === 1) at += one.takeScores(reply, at);
      else refused.add(one);
      isClaimed ||= state === 3;
      if (state === 2) await this.findErased(one);
    }
    if (refused.size > 0) this.marks.forget();
    if (isClaimed) await delay(pauseMs);
    return refused;
  }

  private async findErased({ view, unit }: MemberCase): Promise<void> {
    const { judging, tag, redis, nowMs } = this.parts;
    const named = [view.member, ...(unit?.names ?? [])];
    const { sha1, lua } = scripts.findErased;
    const args = [1, keys.erased(judging.settings.prefix, tag), nowMs, ...named] as const;
    const found = (await redis.evalsha(sha1, ...args).catch(() => redis.eval(lua, ...args))) as number[];
    for (const place of found) this.erasedMembers.add(named[place - 1] as string);
  }

  /** Keeps other calls from changing members until this one has: waits for its turn, and a moment at most. */
  private async claim(members: readonly string[]): Promise<void> {
    const { judging, tag, redis } = this.parts;
    const key = keys.claims(judging.settings.prefix, tag);
    const untilMs = performance.now() + claimedForMs;
    let open = members.filter((member) => !this.claimed.has(member));
    while (open.length > 0 && performance.now() < untilMs) {
      const replies = await sendTogether(redis, [
        ...open.map((member): Command => ['hsetnx', key, member, this.token]),
        // Only once: what a process that crashed has claimed is free in time, however many wait for it.
        ['pexpire', key, claimedForMs, 'NX'],
      ]);
      open.forEach((member, i) => replies[i] === 1 && this.claimed.add(member));
      open = open.filter((member) => !this.claimed.has(member));
      if (open.length > 0) await delay(pauseMs * (1 + 8 * Math.random()));
    }
  }
}
