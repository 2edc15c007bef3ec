import { agreed, idOf, isWell, ownerOf, withNodes } from './nodes';
import type { RedisServer } from './redis-server';

/** How long one key may take from node to node. */
const migrateTimeoutMs = 10_000;

/**
 * One slot on its way from a master to another, as `redis-cli --cluster reshard` moves it: until {@link finish} the old
 * master answers for the keys that it still has and sends clients to the new one for the others.
 */
export class SlotMove {
  private constructor(
    readonly slot: number,
    private readonly from: RedisServer,
    private readonly to: RedisServer,
    private readonly ids: { readonly from: string; readonly to: string },
  ) {}

  /** Opens the way: from here on the slot is `migrating` on the one and `importing` on the other. */
  static async begin(slot: number, from: RedisServer, to: RedisServer): Promise<SlotMove> {
    const ids = await withNodes([from, to], async ([source, target]) => {
      const [fromId, toId] = await Promise.all([idOf(source), idOf(target)]);
      await target.call('CLUSTER', 'SETSLOT', String(slot), 'IMPORTING', fromId);
      await source.call('CLUSTER', 'SETSLOT', String(slot), 'MIGRATING', toId);
      return { from: fromId, to: toId };
    });
    return new SlotMove(slot, from, to, ids);
  }

  /** Moves up to `count` of the keys that are left, in no order, and says how many there were. */
  async moveKeys(count: number): Promise<number> {
    const { slot, from, to } = this;
    return withNodes([from], async ([source]) => {
      const keys = (await source.callBuffer('CLUSTER', 'GETKEYSINSLOT', String(slot), String(count))) as Buffer[];
      if (keys.length > 0) {
        await source.call('MIGRATE', to.host, String(to.port), '', '0', String(migrateTimeoutMs), 'KEYS', ...keys);
      }
      return keys.length;
    });
  }

  /** Moves the keys that are left and gives the slot to the new master; resolves when all of `servers` know. */
  async finish(servers: readonly RedisServer[]): Promise<void> {
    const { slot, from, to, ids } = this;
    while ((await this.moveKeys(100)) > 0);
    // The new master hears first: were the old one to forget the slot before, nobody would own it.
    await withNodes([to, from], async (nodes) => {
      for (const node of nodes) await node.call('CLUSTER', 'SETSLOT', String(slot), 'NODE', ids.to);
    });
    await withNodes(servers, (nodes) =>
      agreed(
        `to give slot ${slot} away`,
        nodes,
        async (node) => (await isWell(node)) && (await ownerOf(node, slot)) === to.port,
      ),
    );
  }
}
