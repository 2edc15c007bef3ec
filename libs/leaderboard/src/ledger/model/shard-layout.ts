import { shardTags } from '../../keys/shard';

/** Over how many shards members are spread. It changes where they were moved to another number of them. */
export class ShardLayout {
  /** One a shard. Another array where there is another number of them. */
  tags: readonly string[];
  /** Work during which it stays as it is. */
  private readonly pinning = new Set<Promise<unknown>>();
  private adoption: Promise<void> | null = null;

  /** @throws LeaderboardError `invalidOption` unless `shards` is a number of shards. */
  constructor(shards: number) {
    this.tags = shardTags(shards);
  }

  /** Does work of several steps, between which the number of shards stays the same. */
  async pinned<T>(work: () => Promise<T>): Promise<T> {
    await this.adoption;
    const working = work();
    this.pinning.add(working);
    return working.finally(() => this.pinning.delete(working));
  }

  /** Names keys by this number of shards once it resolves: when the work that pins the old number has ended. */
  async adopt(shards: number): Promise<void> {
    while (this.adoption) await this.adoption;
    if (this.tags.length === shards) return;
    this.adoption = this.adoptUnpinned(shards).finally(() => (this.adoption = null));
    await this.adoption;
  }

  private async adoptUnpinned(shards: number): Promise<void> {
    while (this.pinning.size > 0) await Promise.allSettled(this.pinning);
    this.tags = shardTags(shards);
  }
}
