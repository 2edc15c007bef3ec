import { chunksOf } from '../../lists/lists';
import { keys } from '../../keys/keys';
import { runScript } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import type { LedgerContext } from '../periods/ledger-context';

const namesACall = 500;
const listsACall = 500;

/**
 * On every shard, lists of the shard's keys that name a member without being found by the member's id: hashes with such
 * a field or fact. The scripts that record keep them, so that an erasure looks them up.
 */
export class NamingLists {
  constructor(private readonly ledger: LedgerContext) {}

  /** Some names of keys of a shard that name a member by one of the texts. One round trip. */
  async read(tag: string, texts: readonly string[]): Promise<string[]> {
    const lists = this.keysOf(tag, texts);
    const names = await runScript(this.ledger.redis, scripts.readNaming, { lists }, { count: namesACall });
    return [...new Set(names as string[])];
  }

  /** Takes keys out of the lists that they stand in. One round trip for each 500 lists and names. */
  async unlist(tag: string, texts: Iterable<string>, names: readonly string[]): Promise<void> {
    for (const lists of chunksOf(this.keysOf(tag, texts), listsACall)) {
      for (const some of chunksOf(names, namesACall)) {
        await runScript(this.ledger.redis, scripts.unlistKeys, { lists }, { names: some });
      }
    }
  }

  private keysOf(tag: string, texts: Iterable<string>): string[] {
    return [...new Set(texts)].map((text) => keys.naming(this.ledger.settings.prefix, tag, text));
  }
}
