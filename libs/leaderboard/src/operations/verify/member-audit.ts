import type { Ledger } from '../../ledger';
import { compactDay } from '../../time/days';
import { keys, ledgerStem } from '../../keys/keys';
import { recordOf } from '../../redis/record-of';
import { runScript, type RedisClient } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import { served } from '../../redis/served';
import type { AuditedPeriod } from './audit-periods';
import type { AuditOptions } from './audit.types';
import type { BesideFinding, BesideLedgers } from './beside-ledgers';
import type { ColdAudit, OldLedgers } from './cold-audit';

const { records } = scripts.auditMember;

/** What the script says where there is no entry. */
const noEntry = -(2 ** 53);

/** What the script says of one entry; see audit-member.lua. */
export type MemberState = (typeof records.state)[number];

/** What the script says of one entry. */
export interface MemberFinding {
  readonly member: string;
  readonly state: MemberState;
  readonly expected: number;
  readonly found: number | null;
  readonly isHealed: boolean;
  /** Whether there is a ledger of the period. */
  readonly isFounded: boolean;
}

/** What was found of one member. */
export interface MemberLook {
  /** One for each period asked for. */
  readonly findings: readonly MemberFinding[];
  /** Whether the member's list of days lacks the day of the ledger by which they were found. */
  readonly isUnlisted: boolean;
  /** Faults of that ledger besides its fields. */
  readonly beside: readonly BesideFinding[];
  /** The member's list of days changed at each read: there are no findings. */
  readonly isUnread: boolean;
}

/** The days of which a member may have ledgers. */
interface AskedDays {
  /** The day of the ledger by which the member was found; null: they were found on a board. */
  readonly day: number | null;
  readonly numbers: readonly number[];
  /** As audit-member.lua takes it. */
  readonly listed: readonly unknown[] | 0;
  readonly unlisted: number;
  /** What the days before them have, where the member's ledgers of these are asked for. */
  readonly old: OldLedgers | null;
}

/** Parts that one call can take; a period of more is not compared. */
const maxParts = 1_000;

/** How often a member's list of days may change between two round trips before the member is left unread. */
const maxTries = 20;

/** Compares one member's entries with their ledgers, by audit-member.lua. */
export class MemberAudit {
  constructor(
    private readonly redis: RedisClient,
    private readonly ledger: Ledger,
    private readonly options: AuditOptions,
    private readonly beside: BesideLedgers,
    private readonly cold: ColdAudit,
  ) {}

  private get heals(): boolean {
    return this.options.heals ?? false;
  }

  /**
   * One script call, after one command if members' days are listed.
   * @param day of the ledger by which the member was found; null: they were found on the boards of these periods;
   * `old`: by a ledger that may have left Redis, and all of these are added to the others.
   */
  async look(member: string, day: number | 'old' | null, periods: readonly AuditedPeriod[]): Promise<MemberLook> {
    const first = Math.min(...periods.map(({ firstDay }) => firstDay));
    const last = Math.max(...periods.map(({ lastDay }) => lastDay));
    for (let tries = 1; tries <= maxTries; tries++) {
      const old = day === 'old' ? await this.cold.read(member, periods) : null;
      const own = day === 'old' ? null : day;
      const found = await this.daysOf(member, own, first, last);
      const { isUnlisted, listed } = found;
      const numbers = [...new Set([...(old?.hot ?? []), ...(old?.cold ?? []), ...found.numbers])].sort((a, b) => a - b);
      const unlisted = isUnlisted && this.heals ? (own ?? 0) : 0;
      const reply = await this.ask(member, { day: own, numbers, listed, unlisted, old }, periods);
      if (reply.length === 0) continue;
      const findings = this.read(member, day !== null, periods, reply);
      return { findings, isUnlisted, beside: this.beside.read(reply.slice(3 * periods.length)), isUnread: false };
    }
    return { findings: [], isUnlisted: false, beside: [], isUnread: true };
  }

  /** Whether the member has a ledger of the period. One command, after another if members' days are listed. */
  async hasLedger(member: string, { firstDay, lastDay }: AuditedPeriod): Promise<boolean> {
    const { prefix, tags } = this.ledger.settings;
    const tag = tags[this.ledger.shardOf(member)] as string;
    const { numbers } = await this.daysOf(member, null, firstDay, lastDay);
    const ledgers = numbers.map((number) => ledgerStem(prefix, tag, compactDay(number)) + member);
    const [first] = ledgers;
    return first !== undefined && (await served(this.redis, first, () => this.redis.exists(...ledgers))) > 0;
  }

  private async ask(
    member: string,
    { day, numbers: days, listed, unlisted, old }: AskedDays,
    periods: readonly AuditedPeriod[],
  ): Promise<readonly number[]> {
    const { prefix, tags, clock, fieldNames } = this.ledger.settings;
    const shard = this.ledger.shardOf(member);
    const tag = tags[shard] as string;
    const sets: string[] = [];
    const frozen: string[] = [];
    const boards: unknown[] = [];
    for (const [i, { board, period, firstDay, lastDay, comparison, prefixes, sets: setsOf }] of periods.entries()) {
      const parts = await setsOf();
      const taken = parts.length <= maxParts ? parts : [];
      const { score, expireAtMs, frozenKeys } = this.ledger.periods.boardPeriod(
        board.name,
        period,
        board.partition ? '-' : null,
      );
      const lastElapsed = Math.floor((score.endMs - 1 - score.originMs) / score.tickMs);
      boards.push(
        recordOf(records.audited, {
          firstSet: sets.length + 1,
          setPairs: taken.length,
          firstLedger: days.filter((number) => number < firstDay).length + 1,
          lastLedger: days.filter((number) => number <= lastDay).length,
          unit: score.unit,
          originMs: score.originMs,
          tickMs: score.tickMs,
          lastElapsed,
          expireAtMs,
          name: board.name,
          prefixes: prefixes?.flatMap(fieldNames.beginnings) ?? 0,
          isTally: board.tallyOf == null ? 0 : 1,
          comparison: records.comparison.indexOf(comparison),
          heals: this.heals && !board.partition ? 1 : 0,
          coldPoints: old?.sums[i]?.points ?? 0,
          coldLatest: old?.sums[i]?.latestMs ?? -1,
        }),
      );
      frozen.push(frozenKeys[shard] as string);
      for (const { keys: shown, asideKeys } of taken) sets.push(shown[shard] as string, asideKeys[shard] as string);
    }
    const own = old ? -1 : day === null ? 0 : days.indexOf(day) + 1;
    const ledgers = days.map((number) => ledgerStem(prefix, tag, compactDay(number)) + member);
    const pages = days.map((number) => keys.ledgerPage(prefix, tag, compactDay(number), '', member));
    const named = {
      excluded: keys.excluded(prefix, tag),
      days: keys.days(prefix, tag, member),
      firstDays: keys.firstDays(prefix, tag),
      counting: keys.counting(prefix, tag),
      rebuilt: keys.rebuilt(prefix, tag, member),
      erased: keys.erased(prefix, tag),
      recalled: keys.recalled(prefix, tag, member),
      ...{ sets, ledgers, pages, frozen },
    };
    const plan = recordOf(records.audit, {
      member,
      own,
      listed,
      boards,
      unlistedDay: unlisted,
      days,
      beside: this.beside.argsOf(day ?? 0),
      nowMs: clock.now(),
      cold: old ? old.cold.map((number) => days.indexOf(number) + 1) : 0,
      wantedSince: this.cold.wantedSinceMs,
      wanted: old?.wanted ?? 0,
    });
    const args = { plan: JSON.stringify(plan) };
    const reply = this.heals
      ? this.ledger.members.run(scripts.auditMember, named, args, { tag, members: [member] })
      : runScript(this.redis, scripts.auditMember, named, args);
    return (await reply) as number[];
  }

  private read(
    member: string,
    isFounded: boolean,
    periods: readonly AuditedPeriod[],
    reply: readonly number[],
  ): MemberFinding[] {
    return periods.map(({ board }, i) => {
      const [code = 0, expected = 0, found = noEntry] = reply.slice(3 * i, 3 * i + 3);
      const state = records.state[code] ?? 'left';
      return {
        ...{ member, state, expected },
        found: found === noEntry ? null : found,
        isHealed: this.heals && !board.partition && code > records.state.indexOf('right'),
        isFounded,
      };
    });
  }

  /** The days of which the member may have ledgers. */
  private async daysOf(member: string, day: number | null, first: number, last: number) {
    const { prefix, tags, indexesDays } = this.ledger.settings;
    if (!indexesDays) {
      // Those before are asked for apart.
      const from = this.cold.isOn ? Math.max(first, this.cold.firstHotDay) : first;
      const numbers = Array.from({ length: Math.max(0, last - from + 1) }, (_, i) => from + i);
      return { numbers, isUnlisted: false, listed: 0 as const };
    }
    const tag = tags[this.ledger.shardOf(member)] as string;
    const found = await served(this.redis, keys.days(prefix, tag, member), (key) =>
      this.redis.zrange(key, String(first), String(last), 'BYSCORE'),
    );
    const numbers = found.map(Number);
    const listed = recordOf(records.listed, { first, last, count: numbers.length });
    if (day === null || numbers.includes(day)) return { numbers, isUnlisted: false, listed };
    numbers.push(day);
    numbers.sort((a, b) => a - b);
    // The member may have been erased since their ledger was found.
    const ledger = ledgerStem(prefix, tag, compactDay(day)) + member;
    const isUnlisted = (await served(this.redis, ledger, () => this.redis.exists(ledger))) === 1;
    return { numbers, isUnlisted, listed };
  }
}
