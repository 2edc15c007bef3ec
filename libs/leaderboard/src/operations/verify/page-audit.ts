import { keys } from '../../keys/keys';
import { compactDay, dayKey, dayNumber } from '../../time/days';
import { type Ledger, pathsBelow } from '../../ledger';
import { recordOf } from '../../redis/record-of';
import { runScript, type RedisClient } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import type { AuditReport } from './audit-report';
import type { AuditOptions } from './audit.types';

/** What a page's key says. */
export interface PageName {
  readonly tag: string;
  readonly day: number;
  readonly path: string;
  readonly member: string;
}

/**
 * Compares the totals of a page with what lies in it and right below it, by audit-page.lua: if all are right, those of
 * the first page are those of all fields, and entries are compared with these.
 */
export class PageAudit {
  constructor(
    private readonly redis: RedisClient,
    private readonly ledger: Ledger,
    private readonly options: AuditOptions,
    private readonly report: AuditReport,
  ) {}

  /** One script call. */
  async look({ tag, day, path, member }: PageName): Promise<void> {
    const { heals = false } = this.options;
    const keyOf = (of: string) => keys.ledgerPage(this.ledger.settings.prefix, tag, compactDay(day), of, member);
    const above = Array.from(path, (_, length) => keyOf(path.slice(0, length)));
    const own = { page: keyOf(path), above, below: pathsBelow(path).map(keyOf) };
    const asked = { day, above: above.length, heals: heals ? 1 : 0 };
    const plan = JSON.stringify(recordOf(scripts.auditPage.records.page, asked));
    const reply = heals
      ? this.ledger.members.run(scripts.auditPage, own, { plan }, { tag, members: [member] })
      : runScript(this.redis, scripts.auditPage, own, { plan });
    const [expected = 0, found = 0] = (await reply) as number[];
    if (expected === found) return;
    const about = { board: 'pages', period: dayKey(day), member, of: path };
    this.report.tell({ fault: 'page', ...about, expected, found, isHealed: heals });
  }

  /** What a key says, if it is a page of a ledger in one of these shards. */
  named(key: string): PageName | null {
    const { prefix, tags } = this.ledger.settings;
    const [, tag = '', date = '', path = '', member = ''] =
      /^\{[^}]*:([^:}]*)\}:ledger-page:(\d{8}):([\da-f]*):([^]+)$/.exec(key) ?? [];
    if (!tags.includes(tag) || keys.ledgerPage(prefix, tag, date, path, member) !== key) return null;
    return { tag, day: dayNumber(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`), path, member };
  }
}
