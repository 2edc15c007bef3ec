import { setTimeout as delay } from 'node:timers/promises';
import { keys } from '../../keys/keys';
import type { BoardPeriod, Ledger } from '../../ledger';
import { Period } from '../../time/period';
import { closedOf } from '../../keys/rolling-keys';
import { PackedScore } from '../../board';
import { recordOf } from '../../redis/record-of';
import { runScript, type RedisClient } from '../../redis/run';
import { scanEntries } from '../../redis/scan';
import { scripts } from '../../scripts/scripts.generated';
import { served } from '../../redis/served';
import type { AuditReport } from './audit-report';
import type { AuditOptions } from './audit.types';

/** How many entries one command gives. */
const pageSize = 250;

/** Who is erased meanwhile leaves boards first, and what is made from them right after. */
const erasedWithinMs = 1_000;

/** A sum of closed days on one shard, and the boards that it is the sum of. */
interface ClosedDays {
  readonly tag: string;
  readonly shard: number;
  readonly key: string;
  readonly board: string;
  readonly window: Period;
  readonly closed: string;
  readonly days: readonly BoardPeriod[];
}

const { records } = scripts.auditRolling;

/** What the script says where there is no entry. */
const noEntry = -(2 ** 53);

/** What the script says of an entry. */
interface RollingFinding {
  readonly member: string;
  readonly state: (typeof records.state)[number] | undefined;
  readonly expected: number;
  readonly found: number | null;
}

/**
 * Compares what rolling windows keep, the sums of their closed days, with the boards of these days, by
 * audit-rolling.lua. The windows themselves are put together anew from it, and from the days that are open, whenever
 * they are read and older than `refreshMs`.
 */
export class RollingAudit {
  constructor(
    private readonly redis: RedisClient,
    private readonly ledger: Ledger,
    private readonly options: AuditOptions,
    private readonly report: AuditReport,
  ) {}

  /** All that Redis has. @param assertGoingOn asked before every page. */
  async run(assertGoingOn: () => void): Promise<void> {
    const { prefix, tags } = this.ledger.settings;
    for (const [shard, tag] of tags.entries()) {
      const names = await served(this.redis, keys.windows(prefix, tag), (key) => this.redis.zrange(key, '0', '-1'));
      for (const name of names) {
        const sum = this.closedDays(name, shard, tag);
        if (sum) await this.walk(sum, assertGoingOn);
      }
    }
  }

  private async walk(sum: ClosedDays, assertGoingOn: () => void): Promise<void> {
    const boards = boardsOf(sum);
    // First the members in the sum, then the missing ones, each reported once: by the first of their boards.
    for (const [place, key] of [sum.key, ...boards].entries()) {
      for await (const page of scanEntries(this.redis, key, pageSize)) {
        assertGoingOn();
        this.report.expect(page.length);
        await this.compare(
          sum,
          page.map(([member]) => member),
          place,
        );
        this.report.advance(page.length);
      }
    }
  }

  private async compare(sum: ClosedDays, members: readonly string[], place: number): Promise<void> {
    const heals = this.options.heals ?? false;
    let wrong = await this.ask(sum, members, { place, heals });
    if (!heals && wrong.length > 0) {
      await delay(erasedWithinMs);
      const suspects = wrong.map(({ member }) => member);
      wrong = await this.ask(sum, suspects, { place, heals });
    }
    for (const { member, state, expected, found } of wrong) {
      const about = { board: sum.board, period: sum.window.key, member, of: sum.closed };
      this.report.tell({
        fault: state === 'otherTime' ? 'rollingTime' : 'rolling',
        ...about,
        expected,
        found,
        isHealed: heals,
      });
    }
  }

  private async ask(
    sum: ClosedDays,
    members: readonly string[],
    { place, heals }: { readonly place: number; readonly heals: boolean },
  ): Promise<RollingFinding[]> {
    if (members.length === 0) return [];
    const { days, window, key: base, tag } = sum;
    const into = new PackedScore({ period: window, maxPoints: this.ledger.settings.maxPoints });
    const asked = {
      layout: recordOf(records.layout, into),
      layouts: days.map(({ score }) => recordOf(records.layout, score)),
      only: place,
      heals: heals ? 1 : 0,
    };
    const plan = JSON.stringify(recordOf(records.sum, asked));
    const own = { base, boards: boardsOf(sum) };
    const args = { plan, named: members } as const;
    const reply = heals
      ? this.ledger.members.run(scripts.auditRolling, own, args, { tag, members })
      : runScript(this.redis, scripts.auditRolling, own, args);
    const told = (await reply) as number[];
    return Array.from({ length: told.length / 4 }, (_, i) => {
      const [at = 0, code = 0, expected = 0, found = noEntry] = told.slice(4 * i, 4 * i + 4);
      return {
        member: members[at - 1] as string,
        state: records.state[code],
        expected,
        found: found === noEntry ? null : found,
      };
    });
  }

  /**
   * The days that a listed name of the shard is the sum of; null if it is no sum, or its boards are gone or not
   * audited.
   */
  private closedDays(name: string, shard: number, tag: string): ClosedDays | null {
    const { settings } = this.ledger;
    const named = closedOf(name);
    const board = settings.boards.find((one) => one.name === named?.board);
    if (!named || !board || this.options.includes?.(board.name, named.day) === false) return null;
    const window = Period.parse({ kind: 'rolling', days: named.days }, named.day, settings.timezone);
    const days: BoardPeriod[] = [];
    let day: Period | null = Period.of('day', window.start, settings.timezone);
    for (; day && day.key <= named.closed; day = day.next()) {
      days.push(this.ledger.periods.boardPeriod(board.name, day, named.partition));
    }
    // What expires while it is read does not count as there.
    const { expireAtMs } = days[0] ?? { expireAtMs: 1 };
    if (expireAtMs > 0 && expireAtMs <= settings.clock.now() + settings.clockSkewMs) return null;
    const key = keys.windowNamed(settings.prefix, tag, name);
    return { tag, shard, key, board: board.name, window, closed: named.closed, days };
  }
}

function boardsOf({ days, shard }: ClosedDays): string[] {
  return days.flatMap(({ keys: shown, asideKeys }) => [shown[shard] as string, asideKeys[shard] as string]);
}
