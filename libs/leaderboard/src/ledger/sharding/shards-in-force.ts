import { keys } from '../../keys/keys';
import { MembersMovedError, type MemberScripts } from './guard';
import type { RedisClient } from '../../redis/run';
import { served } from '../../redis/served';
import type { LedgerSettings } from '../model/ledger-options';
import { checkTimezone } from '../settings/settings-mismatch';
import { unpackedField } from '../settings/stored-settings';

/** Follows members where they are moved to another number of shards. */
export class ShardsInForce {
  /** Whether their number has changed since the start. */
  hasMoved = false;

  constructor(
    private readonly redis: RedisClient,
    private readonly settings: LedgerSettings,
    private readonly members: MemberScripts,
  ) {}

  /** As `Ledger.syncShards`. */
  async sync(): Promise<boolean> {
    const fields = ['shards', 'run', 'step', 'timezone', unpackedField];
    const [shards, run, step, timezone, unpacked] = await this.read(...fields);
    // Ledgers of days before are packed by now.
    if (unpacked != null) this.settings.memory.firstDay = Number(unpacked);
    checkTimezone(timezone, this.settings);
    this.members.isTracked = step === 'copying';
    // Data that was never moved has the configured number.
    if (shards == null || run == null || Number(shards) === this.settings.tags.length) return false;
    await this.settings.layout.adopt(Number(shards));
    this.hasMoved = true;
    return true;
  }

  /** As `Ledger.placement`. */
  async placement(): Promise<{ readonly mark: string; readonly isMoving: boolean }> {
    const [shards, run, step] = await this.read('shards', 'run', 'step');
    return { mark: `${shards ?? ''} ${run ?? ''}`, isMoving: step != null };
  }

  /** Runs work on a member's shard, and repeats it if the member has moved to another shard meanwhile. */
  async inShards<T>(work: () => Promise<T>): Promise<T> {
    const { tags } = this.settings;
    try {
      return await this.settings.layout.pinned(work);
    } catch (error) {
      if (!(error instanceof MembersMovedError)) throw error;
      await this.sync();
      // Another call may have found it out first.
      if (tags === this.settings.tags) throw error;
      return this.inShards(work);
    }
  }

  /**
   * Runs work on all data of members.
   * @throws MembersMovedError if a resharding runs meanwhile, which may copy that data.
   */
  async unmoved<T>(work: () => Promise<T>): Promise<T> {
    const before = await this.placement();
    if (before.isMoving) throw new MembersMovedError();
    const result = await work();
    if ((await this.placement()).mark !== before.mark) throw new MembersMovedError();
    return result;
  }

  private read(...fields: string[]): Promise<(string | null)[]> {
    return served(this.redis, keys.layout(this.settings.prefix), (key) => this.redis.hmget(key, ...fields));
  }
}
