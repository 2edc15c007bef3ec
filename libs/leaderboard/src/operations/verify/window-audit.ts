import { keys, ledgerStem } from '../../keys/keys';
import type { Ledger } from '../../ledger';
import { dayKey, dayMs } from '../../time/days';
import { recordOf } from '../../redis/record-of';
import { runScript, type RedisClient } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import type { AuditPeriods } from './audit-periods';
import { type AuditReport } from './audit-report';
import type { AuditedLimit, AuditOptions } from './audit.types';

const { records } = scripts.auditWindow;

/** What a window's key says: whose it is, of which limit and, where there are several, of what. */
interface WindowName {
  readonly tag: string;
  readonly limit: AuditedLimit;
  readonly member: string;
  readonly of: string;
}

/**
 * Compares sliding windows with the grants that filled them, by audit-window.lua: each moment in a window must have its
 * grant in the ledger of its day. The reverse is not compared: a repeated grant no longer tells when it was made, and a
 * grant made without the limit is in no window.
 */
export class WindowAudit {
  private readonly limits: ReadonlyMap<string, AuditedLimit>;

  constructor(
    private readonly redis: RedisClient,
    private readonly ledger: Ledger,
    private readonly options: AuditOptions,
    private readonly periods: Pick<AuditPeriods, 'startOf' | 'dayAt'>,
    private readonly report: AuditReport,
  ) {
    this.limits = new Map((options.limits ?? []).map((limit) => [`${limit.name}:${limit.per}`, limit]));
  }

  /** Looks at a key, where it is a window of a limit that is known. One script call. */
  async look(key: string): Promise<void> {
    const window = this.named(key);
    if (!window) return;
    const { tag, limit, member, of } = window;
    const { prefix } = this.ledger.settings;
    const days = this.daysOf(limit);
    const starts = days.map((day) => this.periods.startOf(day) as number);
    const end = this.periods.startOf((days.at(-1) as number) + 1) ?? (starts.at(-1) as number) + 2 * dayMs;
    const ledgers = days.map((day) => ledgerStem(prefix, tag, dayKey(day).replaceAll('-', '')) + member);
    const { heals = false, spread = [] } = this.options;
    const { short, beginnings } = this.ledger.settings.fieldNames;
    const prefixes = limit.fieldPrefixes.flatMap(beginnings);
    const several = spread.flatMap(beginnings);
    const field = limit.per === 'field' ? short(of) : 0;
    const asked = { field, prefixes, days, starts: [...starts, end], spread: several };
    const plan = JSON.stringify(recordOf(records.window, { ...asked, heals: heals ? 1 : 0 }));
    const own = { window: key, ledgers };
    const reply = heals
      ? this.ledger.members.run(scripts.auditWindow, own, { plan }, { tag, members: [member] })
      : runScript(this.redis, scripts.auditWindow, own, { plan });
    const [code = 0, found = 0, expected = 0, firstMs = 0] = (await reply) as number[];
    const state = records.state[code];
    if (state === 'none') return;
    this.report.windows += 1;
    if (state === 'right') return;
    const isWindow = state === 'unfounded';
    const period = isWindow ? dayKey(this.periods.dayAt(Math.min(firstMs, end))) : '';
    const about = { board: 'windows', period, member, of: limit.name };
    this.report.tell({ fault: 'place', ...about, expected, found: isWindow ? found : null, isHealed: heals });
  }

  /** The days whose places can still refuse anything, as far as there are ledgers of them. */
  private daysOf({ windowMs }: AuditedLimit): number[] {
    const { clock, clockSkewMs, ledgerRetentionMs } = this.ledger.settings;
    const nowMs = clock.now();
    const backMs = Math.min(windowMs, (ledgerRetentionMs ?? Infinity) - clockSkewMs);
    const first = this.periods.dayAt(Math.max(0, nowMs - backMs));
    const last = this.periods.dayAt(nowMs + 2 * clockSkewMs);
    const all = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    return all.filter((day) => this.periods.startOf(day) !== null);
  }

  private named(key: string): WindowName | null {
    const { prefix, tags } = this.ledger.settings;
    const [, tag = '', name = '', per = '', length = '', rest = ''] =
      /^\{[^}]*:([^:}]*)\}:window:([^:]+):([a-z]+):(\d+):([^]*)$/.exec(key) ?? [];
    const limit = this.limits.get(`${name}:${per}`);
    const [member, of] = [rest.slice(0, Number(length)), rest.slice(Number(length) + 1)];
    if (!limit || !tags.includes(tag) || member === '') return null;
    return keys.window(prefix, tag, name, limit.per, member, of) === key ? { tag, limit, member, of } : null;
  }
}
