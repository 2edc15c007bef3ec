import { keys, nameAfterTag, type MemberHash } from '../../keys/keys';
import { scanEntries, scanKeys } from '../../redis/scan';
import { sendTogether } from '../../redis/send';
import { compactDay, dayNumber } from '../../time/days';
import { chunksOf } from '../../lists/lists';
import { thawed } from '../cold/cold-form';
import type { ColdRecall } from '../cold/cold-recall';
import { ForeignFields, type FoundFields } from '../history/foreign-fields';
import { fieldsIn, ledgerLine } from '../history/ledger-lines';
import { pagesOf } from '../pages/read-pages';
import type { StandingGrant } from '../history/standing-grants';
import type { ColdPlace } from '../model/cold-ledgers';
import type { LedgerContext } from '../periods/ledger-context';
import { NamingLists } from './naming-lists';

/** Which grants are looked for, in the ledgers of whomever. */
export interface GrantsWanted {
  /** The texts by which their fields name a member, as `namedAs` of transitions gives them; null: they name nobody. */
  readonly texts: readonly string[] | null;
  /** Each such field fits one of them, as `MATCH` of Redis has it; others may fit as well. */
  readonly patterns: readonly string[];
  /** Whether a field is one of them. */
  readonly includes: (field: string) => boolean;
  /** Default: as far as ledgers are kept. */
  readonly sinceMs?: number;
}

/** A grant that no revoke of its day has ended. */
export interface NamedGrant extends StandingGrant {
  readonly member: string;
  /** Whether it counts; a grant may come again before its rule lets it count again. */
  readonly isCounted: boolean;
}

const namesAPage = 500;
const bodiesAtOnce = 100;

/** Finds grants by what their fields say, whose ledgers they may be in. */
export class NamedGrants {
  private readonly fields: ForeignFields;
  private readonly lists: NamingLists;

  constructor(
    private readonly ledger: LedgerContext,
    private readonly cold: ColdRecall,
  ) {
    this.fields = new ForeignFields(ledger);
    this.lists = new NamingLists(ledger);
  }

  /**
   * Hands over the grants, page by page. With texts it looks the ledgers up: a round trip a shard and text, and two for
   * each 100 ledgers that name the member. Without them, it looks at every key and into every
   * ledger.
   * @throws LeaderboardError `unavailable` while members are moved to another number of shards.
   */
  async each(wanted: GrantsWanted, take: (grants: readonly NamedGrant[]) => Promise<void>): Promise<void> {
    const { inForce, settings } = this.ledger;
    const shards = { prefix: settings.prefix, tags: new Set(settings.tags) };
    await inForce.unmoved(async () => {
      const { texts } = wanted;
      for await (const page of texts ? this.listed(texts) : this.all(wanted)) {
        if (texts && this.cold.isOn) await this.cold.bring(page.flatMap((key) => placeOf(key) ?? []));
        for await (const found of this.fields.search(this.since(page, wanted.sinceMs ?? 0), shards, wanted.patterns)) {
          const grants = await this.standing(found, wanted);
          if (grants.length > 0) await take(grants);
        }
      }
    });
  }

  private async *listed(texts: readonly string[]): AsyncGenerator<string[]> {
    const { redis, settings } = this.ledger;
    for (const tag of settings.tags) {
      for (const list of this.lists.keysOf(tag, texts)) {
        for await (const entries of scanEntries(redis, list, namesAPage)) {
          yield entries.map(([name]) => `{${settings.prefix}:${tag}}:${name}`);
        }
      }
    }
  }

  private async *all(wanted: GrantsWanted): AsyncGenerator<string[]> {
    const { redis, settings } = this.ledger;
    yield* scanKeys(redis, `{${settings.prefix}:*}:ledger*`);
    const { store } = settings.cold;
    for await (const members of store?.members() ?? []) {
      for (const member of members) yield* this.coldOf(member, wanted);
    }
  }

  /** The old ledgers of a member that may have such grants, in Redis by then. */
  private async *coldOf(member: string, { includes, sinceMs = 0 }: GrantsWanted): AsyncGenerator<string[]> {
    const { settings, calendar } = this.ledger;
    const first = calendar.dayOf(Math.max(0, sinceMs)).number;
    const [days = []] = await this.cold.daysWith([{ member }]);
    const old = days.filter((day) => day >= first);
    for (const some of chunksOf(old, bodiesAtOnce)) {
      const bodies = await this.cold.bodies(some.map((day) => ({ member, day })));
      const found = some.filter((day, i) => {
        const body = bodies[i];
        if (!body) return false;
        const { fields, pages } = thawed(body);
        const all = [fields, ...Object.values(pages)].flat();
        return fieldsIn(all, day, settings).some(([field]) => includes(field));
      });
      await this.cold.bring(found.map((day) => ({ member, day })));
      const tag = this.ledger.tagOf(member);
      for (const day of found) {
        const keyOf = (path: string) => keys.ledgerPage(settings.prefix, tag, compactDay(day), path, member);
        const pages: string[] = [];
        for await (const { key } of pagesOf(this.ledger.redis, keyOf)) pages.push(key);
        yield [keys.ledger(settings.prefix, tag, compactDay(day), member), ...pages];
      }
    }
  }

  private since(page: readonly string[], sinceMs: number): string[] {
    const first = this.ledger.calendar.dayOf(Math.max(0, sinceMs)).number;
    return page.filter((key) => (dayOfLedger(key) ?? -1) >= first);
  }

  private async standing({ hashes, found }: FoundFields, wanted: GrantsWanted): Promise<NamedGrant[]> {
    const { redis, settings } = this.ledger;
    const { includes, sinceMs = 0 } = wanted;
    const unique = [...new Map(found.map((one) => [one.join(), one] as const)).values()];
    const values = await sendTogether(
      redis,
      unique.map(([of, field]) => ['hget', (hashes[of - 1] as MemberHash).key, field] as const),
    );
    return unique.flatMap(([of, name], i) => {
      const { key, member } = hashes[of - 1] as MemberHash;
      const value = values[i] as string | null;
      // A page has totals beside its fields.
      const isTotal = nameAfterTag(key).startsWith('ledger-page:') && !settings.fieldNames.isPaged(name);
      if (value === null || isTotal) return [];
      // An adjustment names nobody, and only an operator takes it back.
      return fieldsIn([[name, value]], dayOfLedger(key) ?? 0, settings).flatMap(([field, text]) => {
        const { points, version, grantedAtMs, revokedAtMs, adjustment } = ledgerLine(field, text);
        const isWanted = grantedAtMs !== null && grantedAtMs >= sinceMs && revokedAtMs === null;
        if (!isWanted || adjustment || !includes(field)) return [];
        return [{ member, field, points, grantedAtMs, isCounted: version !== null }];
      });
    });
  }
}

/** Whose ledger of which day a key, or that of a page, belongs to; null: to none. */
function placeOf(key: string): ColdPlace | null {
  const day = dayOfLedger(key);
  const [, member] = /^(?:ledger:\d+|ledger-page:\d+:[\da-f]*):([^]+)$/.exec(nameAfterTag(key)) ?? [];
  return day === null || member === undefined ? null : { member, day };
}

/** The number of a ledger's day by its key; null where it is none. */
function dayOfLedger(key: string): number | null {
  const [, year, month, day] = /^ledger(?:-page)?:(\d{4})(\d\d)(\d\d):/.exec(nameAfterTag(key)) ?? [];
  return year === undefined ? null : dayNumber(`${year}-${month}-${day}`);
}
