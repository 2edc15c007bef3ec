import { dayKey, dayMs, dayNumber } from '../../time/days';
import { setTimeout as delay } from 'node:timers/promises';
import { readLayout, type BoardPeriod, type Ledger } from '../../ledger';
import { unavailable } from '../../errors/errors';
import { keys, ledgerStem } from '../../keys/keys';
import { chunksOf, sum } from '../../lists/lists';
import { checkedClient, type RedisClient } from '../../redis/redis-client';
import { mastersOf, scanEntries, scanKeys } from '../../redis/scan';
import { runScript } from '../../redis/run';
import { served } from '../../redis/served';
import { scripts } from '../../scripts/scripts.generated';
import { AuditPeriods, gapOf, type AuditedPeriod } from './audit-periods';
import { AuditReport } from './audit-report';
import type { AuditFault, AuditOptions, AuditSummary } from './audit.types';
import { BesideLedgers } from './beside-ledgers';
import { ColdAudit } from './cold-audit';
import { MemberAudit, type MemberFinding, type MemberLook, type MemberState } from './member-audit';
import { PageAudit } from './page-audit';
import { WindowAudit } from './window-audit';

/** How many keys or entries one command gives, and how many members are looked at together. */
const pageSize = 250;

/** How long an entry may lie at the wrong place: an exclusion whose process died is finished by another within that. */
const misplacedForMs = 25_000;

/** The most entries that are looked at again for it; the others are told at once. */
const maxSuspects = 1_000;

/** The faults by the states that audit-member.lua names. */
const faults: Readonly<Partial<Record<MemberState, AuditFault>>> = {
  otherPoints: 'points',
  twice: 'twice',
  misplaced: 'misplaced',
  otherTime: 'time',
};

/** By member, days of ledgers that may have left Redis. */
type OldDays = ReadonlyMap<string, readonly number[]>;
const noDays: OldDays = new Map();

/** Each may read some hundred ledgers. */
const coldAtOnce = 8;

interface Suspect {
  readonly period: AuditedPeriod;
  readonly look: () => Promise<MemberFinding | undefined>;
}

/**
 * Compares each open board with the ledgers that it is the sum of, or repairs it from them, while recording goes on.
 * One script call reads an entry's ledgers and board at one moment, so a difference is never an activity under way. A
 * board that is frozen by then is left alone; so is a board that any host's clock may have closed. The audit also
 * compares counts of daily limits, first days, lists of days and sliding windows; {@link AuditFault} lists the faults.
 *
 * Reads every ledger of the open periods once (and a few EXISTS for each day of its member) and every window once, and
 * asks once for each entry whether it has a ledger; in pages, so memory does not grow with them.
 *
 * On a Cluster, SCAN may miss keys of a slot that moves between two masters: repeat the audit if slots moved.
 */
export class LedgerAudit {
  private readonly periods: AuditPeriods;
  private readonly report: AuditReport;
  private readonly windows: WindowAudit;
  private readonly pages: PageAudit;
  private readonly cold: ColdAudit;
  private members: MemberAudit | undefined;
  private readonly suspects: Suspect[] = [];
  /** Those at the start: they must not change meanwhile. */
  private readonly tags: readonly string[];

  constructor(
    private readonly redis: RedisClient,
    private readonly ledger: Ledger,
    private readonly options: AuditOptions,
  ) {
    checkedClient(redis, 'the prefix of the ledger');
    this.periods = new AuditPeriods(ledger, options);
    this.report = new AuditReport(options);
    this.windows = new WindowAudit(redis, ledger, options, this.periods, this.report);
    this.pages = new PageAudit(redis, ledger, options, this.report);
    this.cold = new ColdAudit(redis, ledger);
    this.tags = ledger.settings.tags;
  }

  /** Runs it, once. @throws LeaderboardError `unavailable`; what `signal` was aborted with. */
  async run(): Promise<AuditSummary> {
    const sizes = await Promise.all(mastersOf(this.redis).map((master) => master.dbsize()));
    this.report.expect(sum(sizes));
    const beside = await BesideLedgers.of(this.redis, this.ledger, this.options);
    this.periods.layout = await readLayout(this.redis, this.ledger.settings.prefix);
    this.members = new MemberAudit(this.redis, this.ledger, this.options, beside, this.cold);
    if (this.options.heals) await this.healPages();
    await this.cold.begin();
    await this.walkKeys();
    await this.walkCold();
    // By now every period is known that a ledger counts on.
    const written = await this.periods.written(() => this.assertGoingOn());
    const all = [...new Set([...written, ...this.periods.seen()])];
    if (this.options.heals) await this.noteWritten(all);
    for (const period of all) await this.walkBoard(period);
    await this.lookAgain();
    const { ledgers, windows, entries, differences, healed } = this.report;
    if (this.options.heals && healed === differences) await this.noteFilled();
    return {
      ...{ ledgers, windows, entries, differences, healed },
      periods: all.map(({ board, period }) => ({ board: board.name, period: period.key })),
      gaps: all.map((period) => gapOf(period, this.periods.isOpen(period))).filter((gap) => gap !== null),
    };
  }

  /** New boards have by now what ledgers have, unless another start has begun them anew. */
  private async noteFilled(): Promise<void> {
    const layout = keys.layout(this.ledger.settings.prefix);
    for (const [field, sinceMs] of this.periods.filled()) {
      await runScript(this.redis, scripts.storeSettings, { layout }, { fields: [field, sinceMs, ''] });
    }
  }

  /** Every ledger, with the boards that it is the first of its member's to count on, and every window. */
  private async walkKeys(): Promise<void> {
    // Keys of ledgers and of windows, and no others.
    const pattern = `{${this.ledger.settings.prefix}:*}:[lw][ei][dn]*`;
    for await (const page of scanKeys(this.redis, pattern, pageSize)) {
      this.assertGoingOn();
      const old = await this.cold.daysOf(page.flatMap((key) => this.readLedgerKey(key)?.member ?? []));
      await Promise.all(page.map((key) => this.lookAtKey(key, old)));
      this.report.advance(pageSize);
    }
  }

  /** Puts totals right before any entry is put right by them. */
  private async healPages(): Promise<void> {
    for await (const page of scanKeys(this.redis, `{${this.ledger.settings.prefix}:*}:ledger-page:*`)) {
      this.assertGoingOn();
      await Promise.all(page.map((key) => this.lookAtPage(key)));
    }
  }

  private async lookAtPage(key: string): Promise<void> {
    const page = this.pages.named(key);
    if (page && (await this.openPeriods(page.day)).length > 0) await this.pages.look(page);
  }

  private async openPeriods(day: number): Promise<AuditedPeriod[]> {
    return (await this.periods.ofDay(day)).filter((period) => this.periods.isOpen(period));
  }

  private async lookAtKey(key: string, old: OldDays): Promise<void> {
    const named = this.readLedgerKey(key);
    if (!named) return this.lookBeside(key);
    // Those that began before are compared with all old ledgers of theirs.
    const periods = (await this.openPeriods(named.day)).filter((period) => !hasOld(old.get(named.member), period));
    if (periods.length === 0) return;
    this.report.ledgers += 1;
    await this.compare(named.member, named.day, periods);
  }

  private async lookBeside(key: string): Promise<void> {
    if (!this.pages.named(key)) return this.windows.look(key);
    if (!this.options.heals) await this.lookAtPage(key);
  }

  /** Everybody with ledgers that may have left Redis, on the boards that these count on. */
  private async walkCold(): Promise<void> {
    for await (const page of this.cold.members()) {
      for (const members of chunksOf(page, coldAtOnce)) {
        this.assertGoingOn();
        const old = await this.cold.daysOf(members);
        await Promise.all(members.map((member) => this.compareOld(member, old.get(member) ?? [])));
      }
    }
  }

  private async compareOld(member: string, days: readonly number[]): Promise<void> {
    const periods = new Set<AuditedPeriod>();
    for (const day of days) for (const period of await this.openPeriods(day)) periods.add(period);
    const all = [...periods].filter((period) => hasOld(days, period));
    if (all.length > 0) await this.compare(member, 'old', all);
  }

  /** Visits every entry, shown or excluded, to find those without a ledger. */
  private async walkBoard(period: AuditedPeriod): Promise<void> {
    for (const set of await period.sets()) {
      if (!this.periods.isOpen(period)) return;
      for (const key of [...set.keys, ...set.asideKeys]) await this.walkSet(period, set, key);
    }
  }

  private async walkSet(period: AuditedPeriod, set: BoardPeriod, key: string): Promise<void> {
    const only: AuditedPeriod = { ...period, sets: () => Promise.resolve([set]) };
    this.report.expect(await served(this.redis, key, () => this.redis.zcard(key)));
    for await (const page of scanEntries(this.redis, key, pageSize)) {
      this.assertGoingOn();
      if (!this.periods.isOpen(period)) return;
      const old = this.cold.reachesBack(period) ? await this.cold.daysOf(page.map(([member]) => member)) : noDays;
      const young = page.filter(([member]) => !hasOld(old.get(member), period));
      await Promise.all(young.map(([member]) => this.compareUnfounded(member, only)));
      this.report.advance(page.length);
    }
  }

  /** A member who has a ledger of the period was compared by it. */
  private async compareUnfounded(member: string, period: AuditedPeriod): Promise<void> {
    if (await (this.members as MemberAudit).hasLedger(member, period)) return;
    await this.compare(member, null, [period]);
  }

  private async compare(member: string, day: number | 'old' | null, periods: readonly AuditedPeriod[]): Promise<void> {
    const look = await this.look(member, day, periods);
    if (look.isUnread || look.isUnlisted || look.beside.length > 0)
      this.tellOfDay(member, typeof day === 'number' ? day : 0, look);
    look.findings.forEach((finding, i) => {
      const period = periods[i] as AuditedPeriod;
      // What closed while it was read may have ledgers that went on without it.
      if (finding.state === 'left' || (!finding.isHealed && !this.periods.isOpen(period))) return;
      this.report.entries += 1;
      if (finding.state === 'misplaced' && !this.options.heals && this.suspects.length < maxSuspects) {
        const again = async () => (await this.look(member, day, [period])).findings[0];
        this.suspects.push({ period, look: again });
      } else {
        this.tell(period, finding);
      }
    });
  }

  /** What lay at the wrong place may have been on its way to the right one. */
  private async lookAgain(): Promise<void> {
    const deadline = performance.now() + misplacedForMs;
    let suspects: readonly Suspect[] = this.suspects;
    while (suspects.length > 0) {
      this.assertGoingOn();
      const isLast = performance.now() >= deadline;
      const left: Suspect[] = [];
      for (const suspect of suspects) {
        const finding = await suspect.look();
        this.assertGoingOn();
        if (finding?.state === 'misplaced' && !isLast) left.push(suspect);
        else if (finding && this.periods.isOpen(suspect.period)) this.tell(suspect.period, finding);
      }
      suspects = left;
      if (suspects.length > 0) await delay(500);
    }
  }

  private tell({ board, period }: AuditedPeriod, finding: MemberFinding): void {
    const fault = faults[finding.state];
    if (fault === undefined) return;
    const { member, expected, found, isHealed, isFounded } = finding;
    this.report.tell({
      fault: fault === 'points' && !isFounded ? 'unfounded' : fault,
      board: board.name,
      period: period.key,
      ...{ member, expected, found, isHealed },
    });
  }

  /** What is wrong with a day of a member, not with an entry. */
  private tellOfDay(member: string, day: number, { isUnread, isUnlisted, beside }: MemberLook): void {
    const period = dayKey(day);
    const isHealed = this.options.heals ?? false;
    const list = { board: 'days', period, member, expected: 1, found: null };
    if (isUnread) this.report.tell({ fault: 'unread', ...list, isHealed: false });
    if (isUnlisted) this.report.tell({ fault: 'unlisted', ...list, isHealed });
    for (const { fault, of, expected, found } of beside) {
      if (fault === 'count') {
        this.report.tell({ fault, board: 'counts', period, member, of: of ?? '', expected, found, isHealed });
      } else {
        const [asMs, foundMs] = [expected * dayMs, found === null ? null : found * dayMs];
        this.report.tell({ fault, board: 'firstDays', period, member, expected: asMs, found: foundMs, isHealed });
      }
    }
  }

  private look(member: string, day: number | 'old' | null, periods: readonly AuditedPeriod[]): Promise<MemberLook> {
    return (this.members as MemberAudit).look(member, day, periods);
  }

  /** Periods that Redis forgot are known again. */
  private async noteWritten(all: readonly AuditedPeriod[]): Promise<void> {
    const { prefix } = this.ledger.settings;
    for (const { board, period, sets } of all) {
      this.assertGoingOn();
      const isThere = (await sets()).flatMap((set) => [...set.keys, ...set.asideKeys]);
      const found = await Promise.all(isThere.map((key) => served(this.redis, key, () => this.redis.exists(key))));
      if (!found.includes(1)) continue;
      const add = (key: string) => this.redis.zadd(key, period.start.getTime(), period.key);
      await served(this.redis, keys.periods(prefix, board.name), add);
    }
  }

  private readLedgerKey(key: string): { readonly member: string; readonly day: number } | null {
    const { prefix } = this.ledger.settings;
    const [, tag = '', year, month, date] = /^\{[^}]*:([^:}]*)\}:ledger:(\d{4})(\d\d)(\d\d):/.exec(key) ?? [];
    const stem = ledgerStem(prefix, tag, `${year}${month}${date}`);
    if (!this.tags.includes(tag) || !key.startsWith(stem)) return null;
    return { member: key.slice(stem.length), day: dayNumber(`${year}-${month}-${date}`) };
  }

  private assertGoingOn(): void {
    this.options.signal?.throwIfAborted();
    if (this.ledger.settings.tags === this.tags) return;
    throw unavailable('Members were moved to other shards meanwhile: run it again.');
  }
}

/** Whether a period has one of these days. */
function hasOld(days: readonly number[] | undefined, { firstDay, lastDay }: AuditedPeriod): boolean {
  return days?.some((day) => day >= firstDay && day <= lastDay) ?? false;
}
