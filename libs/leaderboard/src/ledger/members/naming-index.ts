import { chunksOf, groupBy } from '../../lists/lists';
import { memberHash, nameAfterTag, nameInShard, type Shards } from '../../keys/keys';
import { scanFields, scanKeys } from '../../redis/scan';
import { scripts } from '../../scripts/scripts.generated';
import { whenAll } from '../../redis/when-all';
import type { FieldTexts } from '../history/foreign-fields';
import type { LedgerContext } from '../periods/ledger-context';
import { NamingLists, textsInWindow } from './naming-lists';

/** How the listing of keys goes on. */
export interface NamingIndexOptions extends FieldTexts {
  /** Told how many keys were looked at. */
  readonly onProgress?: (keys: number) => void;
  /** Stops it between two pages. */
  readonly signal?: AbortSignal;
}

/** One key that names somebody. */
interface NamedKey {
  readonly tag: string;
  readonly text: string;
  readonly key: string;
  /** The field that does; empty: the key's own name. */
  readonly field: string;
}

const keysAPage = 500;
const hashesAtOnce = 50;
const entriesACall = 200;

/** Lists what data of an earlier version names, so that erasures look it up from then on. */
export class NamingIndex {
  private readonly lists: NamingLists;

  constructor(private readonly ledger: LedgerContext) {
    this.lists = new NamingLists(ledger);
  }

  /** Whether erasures look up what names a member. One round trip. */
  isComplete(): Promise<boolean> {
    return this.ledger.inForce.inShards(() => this.lists.areComplete());
  }

  /**
   * Looks at every key once, while recording goes on, and lists the keys that name others than their member. Every
   * instance must be of a version that lists keys itself by now. Safe to repeat. Returns how many keys name somebody. A
   * round trip for each 50 keys, and one for each 200 names in them.
   * @throws LeaderboardError `unavailable` while members are moved to another number of shards.
   */
  async complete({ textsIn, onProgress, signal }: NamingIndexOptions): Promise<number> {
    const { inForce, redis, settings } = this.ledger;
    const shards = { prefix: settings.prefix, tags: new Set(settings.tags) };
    return inForce.unmoved(() =>
      inForce.inShards(async () => {
        let [looked, listed] = [0, 0];
        // Ledgers, lists of revokes, windows and keys of custom limits.
        for await (const page of scanKeys(redis, `{${settings.prefix}:*}:[lrw][ie]*`, keysAPage)) {
          signal?.throwIfAborted();
          for (const some of chunksOf(page, hashesAtOnce)) {
            const found = await whenAll(some.map((key) => this.namedBy(key, shards, { textsIn })));
            listed += found.filter(({ length }) => length > 0).length;
            await this.list(found.flat());
          }
          onProgress?.((looked += page.length));
        }
        await this.lists.markComplete();
        return listed;
      }),
    );
  }

  private async namedBy(key: string, shards: Shards, texts: FieldTexts): Promise<NamedKey[]> {
    const inShard = nameInShard(shards, key);
    if (!inShard) return [];
    const { tag, name } = inShard;
    if (!memberHash(shards, key)) return textsInWindow(name, texts).map((text) => ({ tag, text, key, field: '' }));
    const named: NamedKey[] = [];
    for await (const fields of scanFields(this.ledger.redis, key)) {
      for (const field of fields) for (const text of texts.textsIn(field)) named.push({ tag, text, key, field });
    }
    return named;
  }

  private async list(named: readonly NamedKey[]): Promise<void> {
    const { members, settings } = this.ledger;
    for (const [tag, ofTag] of groupBy(named, (one) => one.tag)) {
      for (const some of chunksOf(ofTag, entriesACall)) {
        const places = new Map<string, number>();
        const place = (key: string) => {
          if (!places.has(key)) places.set(key, places.size + 1);
          return places.get(key) as number;
        };
        const entries = some.flatMap(({ text, key, field }) => {
          const [list = ''] = this.lists.keysOf(tag, [text]);
          return [place(list), place(key), nameAfterTag(key), field];
        });
        // The guard notes the lists themselves: a resharding copies them as they are.
        const concerned = { tag, members: [] };
        await members.run(
          scripts.listKeys,
          { keys: [...places.keys()] },
          { nowMs: settings.clock.now(), entries },
          concerned,
        );
      }
    }
  }
}
