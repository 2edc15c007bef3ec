import { randomBytes } from 'node:crypto';
import { chunksOf } from '../../lists/lists';
import { keys } from '../../keys/keys';
import type { MemberScripts } from '../sharding/guard';
import { runScript, type RedisClient } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import { served } from '../../redis/served';
import type { Calendar } from '../periods/calendar';
import type { LedgerSettings } from '../model/ledger-options';

/** Members in one script call. */
const membersACall = 1_000;

/**
 * Erased members, who are refused as long as earlier transitions may still arrive. Redis keeps salted digests of them,
 * with one salt for each prefix, equally on every shard: a transition on one shard may name a member of another.
 */
export class ErasedMembers {
  constructor(
    private readonly redis: RedisClient,
    private readonly settings: LedgerSettings,
    private readonly calendar: Calendar,
    private readonly members: MemberScripts,
  ) {}

  /** Refuses a member from now on, until the ledger of today takes no more. Two round trips. */
  async refuse(member: string): Promise<void> {
    const { clock, clockSkewMs } = this.settings;
    const nowMs = clock.now();
    // Hosts' clocks differ: another host may date a transition ahead, and accept it later.
    const closesAtMs = this.calendar.dayOf(nowMs + 2 * clockSkewMs).ledgerClosesAtMs;
    const untilMs = Number.isFinite(closesAtMs) ? String(closesAtMs + 2 * clockSkewMs) : 'inf';
    await this.change(member, nowMs, untilMs);
  }

  /** Lets a member in again; true: they had been refused. Two round trips. */
  async readmit(member: string): Promise<boolean> {
    return this.change(member, this.settings.clock.now(), 'none');
  }

  /** The refused ones among the members. One round trip, one more for each further 1,000. */
  async among(members: readonly string[]): Promise<ReadonlySet<string>> {
    const { prefix, tags, clock } = this.settings;
    const [tag = ''] = tags;
    const found = new Set<string>();
    for (const some of chunksOf([...members], membersACall)) {
      const args = { nowMs: clock.now(), members: some };
      const places = await runScript(this.redis, scripts.findErased, { erased: keys.erased(prefix, tag) }, args);
      for (const place of places as number[]) found.add(some[place - 1] as string);
    }
    return found;
  }

  private async change(member: string, nowMs: number, untilMs: string): Promise<boolean> {
    const { prefix, tags } = this.settings;
    const salt = await this.salt();
    const args = { member, salt, untilMs, nowMs };
    const was = await Promise.all(
      tags.map((tag) =>
        // Names no member to the guard: a resharding copies the complete list of digests.
        this.members.run(scripts.refuseMember, { erased: keys.erased(prefix, tag) }, args, { tag, members: [] }),
      ),
    );
    return was.some((one) => one === 1);
  }

  /** One salt for all shards, made by the first process that needs it. */
  private async salt(): Promise<string> {
    const layout = keys.layout(this.settings.prefix);
    const [, salt] = await served(this.redis, layout, () =>
      Promise.all([
        this.redis.hsetnx(layout, 'erasureSalt', randomBytes(24).toString('base64url')),
        this.redis.hget(layout, 'erasureSalt'),
      ]),
    );
    return salt ?? '';
  }
}
