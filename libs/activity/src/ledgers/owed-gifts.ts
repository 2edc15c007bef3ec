import type { ActivitySettings } from '../options/settings';
import type { PeriodicTasks } from '../periodic/periodic-tasks';
import type { Ledgers } from './ledgers';

/** How often an instance looks for what owners are owed, and how old that is: what is younger is being given. */
const everyMs = 5_000;

/** Gives owners what is theirs where the process that recorded it ended in between, or their shard was away. */
export class OwedGifts {
  constructor(
    private readonly ledgers: Ledgers,
    private readonly settings: ActivitySettings,
    private readonly tasks: PeriodicTasks,
  ) {}

  /** Begins to look. */
  start(): void {
    this.tasks.task('owed', () => this.give()).every(everyMs);
  }

  private async give(): Promise<void> {
    const beforeMs = this.settings.clock.now() - everyMs;
    for (const ledger of this.ledgers.all) {
      for (let shard = 0; shard < ledger.shards && !this.tasks.stopped.aborted; ) {
        const members = await ledger.payOwed(shard, beforeMs);
        if (members < 100) shard += 1;
      }
    }
  }
}
