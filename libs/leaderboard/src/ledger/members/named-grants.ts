import { groupBy } from '../../lists/lists';
import { scanKeys } from '../../redis/scan';
import { whenAll } from '../../redis/when-all';
import { holdsSince } from '../facts/standing';
import { isAdjustmentField } from '../facts/adjustment';
import { fieldsIn, ForeignFields } from '../history/foreign-fields';
import { standingGrantOf, type StandingGrant } from '../history/standing-grants';
import type { FactReader, MemberLedger } from '../recording/member-ledger';

/** Which grants are looked for, in the ledgers of whomever. */
export interface GrantsWanted {
  /** Each of their fields has one of these texts in it; others may have it as well. */
  readonly pieces: readonly string[];
  /** Whether a field is one of them. */
  readonly includes: (field: string) => boolean;
}

/** A grant that no revoke has ended. */
export interface NamedGrant extends StandingGrant {
  readonly member: string;
  /** Whether it counts; once others are revoked it may where it did not. */
  readonly isCounted: boolean;
}

type Place = ReturnType<typeof fieldsIn>[number];

/** Finds grants by what their fields say, whose ledgers they may be in. */
export class NamedGrants {
  private readonly fields: ForeignFields;

  constructor(private readonly reader: FactReader) {
    this.fields = new ForeignFields(reader);
  }

  /**
   * Hands over the grants, page by page; of what givers gave, those alone whose giver nobody knows any more: others end
   * with the giver's. It looks at every key and into every ledger.
   * @throws LeaderboardError `unavailable` while members are moved to another number of shards.
   */
  async each(wanted: GrantsWanted, take: (grants: readonly NamedGrant[]) => Promise<void>): Promise<void> {
    const { redis, settings, inForce } = this.reader.context;
    const { fieldNames } = settings;
    const isWanted = ({ name }: Place) => fieldNames.giver(name) === null && wanted.includes(fieldNames.long(name));
    await inForce.unmoved(async () => {
      // Ledgers, their pages, old days, and what has no day; other keys that begin so are passed over.
      for await (const page of scanKeys(redis, `{${settings.prefix}:*}:[lpoa]*`)) {
        for await (const found of this.fields.search(page, wanted.pieces)) {
          const places = found.flatMap(fieldsIn).filter(isWanted);
          const byMember = [...groupBy(places, ({ member }) => member)];
          const standing = await whenAll(
            byMember.map(([member, own]) => this.reader.read(member, (ledger) => this.standing(ledger, own))),
          );
          if (standing.some((grants) => grants.length > 0)) await take(standing.flat());
        }
      }
    });
  }

  private standing(ledger: MemberLedger, places: readonly Place[]): NamedGrant[] {
    const grants = new Map<string, NamedGrant>();
    for (const { member, day: found, name } of places) {
      const fact = found === null ? ledger.always(name) : ledger.fact(found, name);
      const day = ledger.isForEver(name, fact.last?.version) ? ledger.dayOf(fact) : found;
      // Only an operator takes an adjustment back.
      if (day === null || !fact.last || !holdsSince(fact) || isAdjustmentField(name)) continue;
      if (ledger.isGift(name) && fact.owner !== null) continue;
      if (!ledger.isForEver(name, fact.last.version) && ledger.revokesAfter(day, name).length > 0) continue;
      const counted = ledger.counted(day, name);
      const grant = standingGrantOf(ledger, { day, name, fact }, counted);
      grants.set(`${day} ${name}`, { ...grant, member, isCounted: counted !== null });
    }
    return [...grants.values()];
  }
}
