import { setTimeout as delay } from 'node:timers/promises';
import {
  claimMs,
  commit,
  isClaimed,
  isErased,
  isOfHours,
  readLayout,
  type BoardPeriod,
  type Ledger,
} from '../../ledger';
import { unavailable } from '../../errors/errors';
import { keys, memberHash } from '../../keys/keys';
import { chunksOf, sum } from '../../lists/lists';
import { type RedisClient, checkedClient } from '../../redis/redis-client';
import { runScript } from '../../redis/run';
import { mastersOf, scanEntries, scanKeys } from '../../redis/scan';
import { served } from '../../redis/served';
import { scripts } from '../../scripts/scripts.generated';
import { compactDay, dayKey, dayMs } from '../../time/days';
import { AuditPeriods, type AuditedPeriod } from './audit-periods';
import type { AuditOptions, AuditSummary } from './audit.types';
import { lookAt, type Finding, type MemberLook } from './member-look';

/** How many keys or entries one command gives, and how many members are looked at together. */
const pageSize = 250;
const membersAtOnce = 32;

/** A member is read again until the facts stay as they are, at most so often. */
const maxTries = 20;

/** How many characters of facts a repair compares again: a few ms of Redis. Points that change move scores as well. */
const maxCompared = 500_000;

/** How long an entry may lie at the wrong place: an exclusion whose process died is finished by another within that. */
const misplacedForMs = 25_000;

/** The most entries that are looked at again for it; the others are told at once. */
const maxSuspects = 1_000;

/** So many days back lie ledgers that no list names. */
const unlistedDays = 64;

/** Facts that no version of ours wrote. */
const unreadable = /cannot be read\.$|^WRONGTYPE/;

interface Suspect {
  readonly member: string;
  readonly set: BoardPeriod;
}

/**
 * Compares each open board with the facts that it follows from, or repairs it, while recording continues. A difference
 * is reported, or repaired, by a commit, if facts and entries are still as they were read; else it is read again. A
 * board that is frozen by then is left alone; so is a board that any host's clock may have closed. Owners first get the
 * points they are owed. The audit also compares first days; `AuditFault` lists the faults.
 *
 * Reads every member's facts once, in four round trips and as many commands as there are days, and asks once for each
 * entry whether its member has facts; in pages, so memory does not grow with them.
 *
 * On a Cluster, SCAN may miss keys of a slot that moves between two masters: repeat the audit if slots moved.
 */
export class LedgerAudit {
  private readonly periods: AuditPeriods;
  private readonly counts = { ledgers: 0, entries: 0, differences: 0, healed: 0 };
  /** Keys and entries that were read, of about how many. */
  private readonly progress = { done: 0, total: 0 };
  private readonly suspects: Suspect[] = [];
  /** Differences already reported. */
  private readonly told = new Set<string>();
  /** Those at the start: they must not change meanwhile. */
  private readonly tags: readonly string[];
  private firstDaysFrom: number | null = null;

  constructor(
    private readonly redis: RedisClient,
    private readonly ledger: Ledger,
    private readonly options: AuditOptions = {},
  ) {
    checkedClient(redis, 'the prefix of the ledger');
    this.periods = new AuditPeriods(ledger, options);
    this.tags = ledger.settings.tags;
  }

  /** Runs it, once. @throws LeaderboardError `unavailable`; what `signal` was aborted with. */
  async run(): Promise<AuditSummary> {
    const { redis, counts, periods } = this;
    const { keepsFirstDays, prefix, clock } = this.ledger.settings;
    const goOn = () => this.assertGoingOn();
    const sizes = await Promise.all(mastersOf(redis).map((master) => master.dbsize()));
    this.progress.total = sum(sizes);
    periods.layout = await readLayout(redis, prefix);
    const { firstDaysFrom: from } = periods.layout;
    this.firstDaysFrom = keepsFirstDays && from !== undefined ? Number(from) : null;
    await this.ledger.payOwed(clock.now(), this.options.signal);
    await this.walkMembers();
    const all = await periods.written(goOn);
    for (const audited of all) await this.walkBoard(audited);
    await this.lookAgain();
    if (this.options.heals && counts.healed === counts.differences) await this.noteFilled();
    return {
      ...counts,
      periods: all.map(({ board, period, firstDay }) => ({
        ...{ board: board.name, period: period.key, from: dayKey(firstDay) },
      })),
      gaps: periods.gaps(),
    };
  }

  /** Everybody who has facts, by the first of the keys that may hold any. */
  private async walkMembers(): Promise<void> {
    // Ledgers, old days, and what has no day.
    const pattern = `{${this.ledger.settings.prefix}:*}:[loa][el][dw]*`;
    for await (const page of scanKeys(this.redis, pattern, pageSize)) {
      this.assertGoingOn();
      const members = await Promise.all(page.map((key) => this.memberBy(key)));
      await this.compareAll([...new Set(members.filter((member) => member !== null))], null);
      this.advance(pageSize);
    }
  }

  /** The member whose first key it is; null: another key comes before. */
  private async memberBy(key: string): Promise<string | null> {
    const { settings } = this.ledger;
    const { tag, member, kind, day, oldKey } = memberHash(settings, key) ?? { member: null };
    if (member === null || settings.tags[this.ledger.shardOf(member)] !== tag) return null;
    if (kind === 'always') return member;
    const before = [keys.always(settings.prefix, tag, member)];
    if (day !== null) before.push(oldKey, ...this.ledgersOf(tag, member, day - unlistedDays, day - 1));
    return (await this.countThere(before)) === 0 ? member : null;
  }

  /** Visits every entry, shown or excluded, to find those that no fact of their members explains. */
  private async walkBoard(audited: AuditedPeriod): Promise<void> {
    for await (const set of this.ledger.periods.sets(audited.board.name, audited.period)) {
      for (const key of [...set.keys, ...set.asideKeys]) {
        this.progress.total += await served(this.redis, key, () => this.redis.zcard(key));
        for await (const page of scanEntries(this.redis, key, pageSize)) {
          this.assertGoingOn();
          if (!this.periods.isOpen(audited)) return;
          const members = page.map(([member]) => member);
          const isSeen = await Promise.all(members.map((member) => this.isSeen(member, audited)));
          await this.compareAll(
            members.filter((_, i) => !isSeen[i]),
            set,
          );
          this.advance(page.length);
        }
      }
    }
  }

  /** Whether an entry was compared by its member's facts: on a board of days without parts, by any of the period. */
  private async isSeen(member: string, { board, firstDay, lastDay }: AuditedPeriod): Promise<boolean> {
    if (board.partition || isOfHours(board)) return false;
    const { prefix } = this.ledger.settings;
    const tag = this.tags[this.ledger.shardOf(member)] as string;
    const first = Math.max(firstDay, lastDay - unlistedDays);
    if ((await this.countThere([...this.ledgersOf(tag, member, first, lastDay)])) > 0) return true;
    const days = await served(this.redis, keys.old(prefix, tag, member), (key) => this.redis.hkeys(key));
    return days.some((day) => Number(day) >= firstDay && Number(day) <= lastDay);
  }

  private async compareAll(members: readonly string[], only: BoardPeriod | null): Promise<void> {
    for (const some of chunksOf(members, membersAtOnce)) {
      await Promise.all(some.map((member) => this.compare(member, only)));
    }
  }

  private async compare(member: string, only: BoardPeriod | null): Promise<void> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      this.assertGoingOn();
      const look = await this.look(member, only);
      if (!look) break;
      const found = await this.proved(look);
      if (!found) continue;
      if (!only) this.counts.ledgers += look.ledgers;
      this.counts.entries += look.entries;
      for (const finding of found) this.consider(member, finding);
      return;
    }
    this.tell({ fault: 'unread', at: null, expected: 1, found: null, commands: [] }, member);
  }

  /** Differences that a commit, if of nothing, proves, as it is refused after a change; null: to be read again. */
  private async proved({ view, judging, findings }: MemberLook): Promise<readonly Finding[] | null> {
    if (findings.length === 0) return [];
    const { heals = false } = this.options;
    const commands = heals ? findings.flatMap((finding) => finding.commands) : [];
    const unit = { view: view.within(maxCompared), commands };
    const [state] = await commit(this.ledger, [unit], judging, { marks: view.marks });
    if (state === isClaimed) await delay(2 * (claimMs / maxTries));
    if (state !== 1) return state === isErased ? [] : null;
    for (const { at } of findings) if (at && heals) await this.noteWritten(at.audited);
    return findings;
  }

  /** Null: the facts cannot be read. */
  private async look(member: string, only: BoardPeriod | null): Promise<MemberLook | null> {
    const options = { periods: this.periods, firstDaysFrom: this.firstDaysFrom, only };
    try {
      return await this.ledger.facts.read(member, (facts) => lookAt(facts, options));
    } catch (error) {
      if (error instanceof Error && unreadable.test(error.message)) return null;
      throw error;
    }
  }

  private consider(member: string, finding: Finding): void {
    const { at, fault } = finding;
    // Facts of a board that closed during the read may have gone on without it.
    if (at && !this.options.heals && !this.periods.isOpen(at.audited)) return;
    const isSuspect = fault === 'misplaced' && !this.options.heals && this.suspects.length < maxSuspects;
    if (at && isSuspect) this.suspects.push({ member, set: at.set });
    else this.tell(finding, member);
  }

  /** Reads misplaced entries again: they may have been on their way to their right place. */
  private async lookAgain(): Promise<void> {
    const deadline = performance.now() + misplacedForMs;
    for (let suspects: readonly Suspect[] = this.suspects; suspects.length > 0;) {
      const isLast = performance.now() >= deadline;
      const left: Suspect[] = [];
      for (const suspect of suspects) {
        this.assertGoingOn();
        const { findings = [] } = (await this.look(suspect.member, null)) ?? {};
        const finding = findings.find(({ at }) => at?.set === suspect.set);
        if (finding?.fault !== 'misplaced') continue;
        if (isLast) this.tell(finding, suspect.member);
        else left.push(suspect);
      }
      suspects = left;
      if (suspects.length > 0) await delay(500);
    }
  }

  private tell({ fault, at, expected, found }: Finding, member: string): void {
    const isDay = fault === 'firstDay';
    const part = at?.set.partition ?? null;
    const board = at?.set.board.name ?? (isDay ? 'firstDays' : 'days');
    const day = isDay ? expected : Math.floor(this.ledger.settings.clock.now() / dayMs);
    const period = at?.set.period.key ?? dayKey(day);
    const id = JSON.stringify([fault, board, period, part, member]);
    if (this.told.has(id)) return;
    this.told.add(id);
    const isHealed = this.options.heals === true && fault !== 'unread';
    this.counts.differences += 1;
    if (isHealed) this.counts.healed += 1;
    this.options.onDifference?.({
      ...{ fault, board, period, member, isHealed },
      ...(part !== null && { of: part }),
      expected: isDay ? expected * dayMs : expected,
      found: isDay && found !== null ? found * dayMs : found,
    });
  }

  private advance(count: number): void {
    const { progress } = this;
    progress.done = Math.min(progress.done + count, progress.total);
    this.options.onProgress?.(progress.done, progress.total);
  }

  /** Periods that Redis forgot are known again. */
  private async noteWritten({ board, period }: AuditedPeriod): Promise<void> {
    const key = keys.periods(this.ledger.settings.prefix, board.name);
    await served(this.redis, key, () => this.redis.zadd(key, period.start.getTime(), period.key));
  }

  /** New boards have by now what ledgers have, unless another start has begun them anew. */
  private async noteFilled(): Promise<void> {
    const layout = keys.layout(this.ledger.settings.prefix);
    for (const [field, sinceMs] of this.periods.filled()) {
      await runScript(this.redis, scripts.storeSettings, { layout }, { fields: [field, sinceMs, ''] });
    }
  }

  private *ledgersOf(tag: string, member: string, first: number, last: number): Generator<string> {
    const { prefix } = this.ledger.settings;
    for (let day = Math.max(0, first); day <= last; day += 1) yield keys.ledger(prefix, tag, compactDay(day), member);
  }

  /** How many of these keys, all of one member, are there. */
  private async countThere(all: readonly string[]): Promise<number> {
    const [first] = all;
    return first === undefined ? 0 : served(this.redis, first, () => this.redis.exists(...all));
  }

  private assertGoingOn(): void {
    this.options.signal?.throwIfAborted();
    if (this.ledger.settings.tags === this.tags) return;
    throw unavailable('Members were moved to other shards meanwhile: run it again.');
  }
}
