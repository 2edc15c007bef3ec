import { LeaderboardError } from '../../errors/errors';
import { keys as keyNames } from '../../keys/keys';
import type { LedgerSettings } from '../model/ledger-options';
import { type Argument, type Given, type RedisClient, behind, runScript } from '../../redis/run';
import { ReplicatedScripts } from '../../redis/replicated';
import type { Names, Script } from '../../scripts/script';
import { scripts } from '../../scripts/scripts.generated';

/** Members of the shard have moved to others, or will have in a moment: nothing was done. */
export class MembersMovedError extends LeaderboardError {
  constructor() {
    super('unavailable', 'Members are being moved to other shards. Try again in a moment.');
  }
}

/** The script behind a check that its members still belong to this shard. */
export const guarded = behind(scripts.guardMembers, { keys: { moving: 'list' }, args: { members: 'one' } });

/** Runs the scripts that change members' data, each behind its guard. */
export class MemberScripts {
  /** Whether a resharding is under way: while one is, each call names its members, as they are being copied. */
  isTracked = false;
  private readonly replicated: ReplicatedScripts | null;

  constructor(
    private readonly redis: RedisClient,
    private readonly settings: LedgerSettings,
  ) {
    const { waitForReplicas } = settings;
    this.replicated = waitForReplicas && new ReplicatedScripts(redis, waitForReplicas);
  }

  /** Lets go of connections of its own. */
  close(): void {
    this.replicated?.close();
  }

  /**
   * As `runScript`, one round trip; two for the first call of a resharding.
   * @param concerned the shard's tag, and the members that the call concerns.
   * @throws MembersMovedError where nothing was done, as the members are written elsewhere.
   */
  async run<K extends Names, A extends Names>(
    script: Script<K, A>,
    own: Given<K, string>,
    args: Given<A, Argument>,
    concerned: { readonly tag: string; readonly members: readonly string[] },
  ): Promise<unknown> {
    const { prefix } = this.settings;
    const { tag, members } = concerned;
    const send = (isNamed: boolean) => {
      const written = isNamed ? (['keys', 'sets', 'members'] as const) : [];
      const moving = [...written.map((what) => keyNames.written(prefix, tag, what)), keyNames.moving(prefix, tag)];
      const all = { ...own, moving } as Given<Names, string>;
      const given = { ...args, members: isNamed ? JSON.stringify([...new Set(members)]) : '' };
      return this.replicated
        ? this.replicated.run(guarded(script), all, given, keyNames.confirmed(prefix, tag))
        : runScript(this.redis, guarded(script), all, given);
    };
    let reply = await send(this.isTracked);
    if (reply === 'TRACK') {
      this.isTracked = true;
      reply = await send(true);
    }
    if (reply === 'MOVED') throw new MembersMovedError();
    return reply;
  }
}
