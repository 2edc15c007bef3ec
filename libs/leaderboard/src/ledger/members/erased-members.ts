import { randomBytes } from 'node:crypto';
import { chunksOf } from '../../lists/lists';
import { keys } from '../../keys/keys';
import { runScript } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import { served } from '../../redis/served';
import type { LedgerContext } from '../periods/ledger-context';

/** Members in one script call. */
const membersACall = 1_000;

/**
 * Erased members, who are refused as long as earlier transitions may still arrive. Redis keeps salted digests of them,
 * with one salt for each prefix, equally on every shard: a transition on one shard may name a member of another.
 */
export class ErasedMembers {
  constructor(private readonly ledger: LedgerContext) {}

  /** Refuses a member from now on, until the ledger of today takes no more. Two round trips. */
  async refuse(member: string): Promise<void> {
    const { clock, clockSkewMs } = this.ledger.settings;
    const nowMs = clock.now();
    // Hosts' clocks differ: another host may date a transition ahead, and accept it later.
    const closesAtMs = this.ledger.calendar.dayOf(nowMs + 2 * clockSkewMs).ledgerClosesAtMs;
    const untilMs = Number.isFinite(closesAtMs) ? String(closesAtMs + 2 * clockSkewMs) : 'inf';
    await this.change(member, nowMs, untilMs);
  }

  /** Lets a member in again; true: they had been refused. Two round trips. */
  async readmit(member: string): Promise<boolean> {
    return this.change(member, this.ledger.settings.clock.now(), 'none');
  }

  /** The refused ones among the members. One round trip, one more for each further 1,000. */
  async among(members: readonly string[]): Promise<ReadonlySet<string>> {
    const { redis, settings } = this.ledger;
    const named = { erased: keys.erased(settings.prefix, this.ledger.tag(0)) };
    const found = new Set<string>();
    for (const some of chunksOf([...members], membersACall)) {
      const args = { nowMs: settings.clock.now(), members: some };
      const places = await runScript(redis, scripts.findErased, named, args);
      for (const place of places as number[]) found.add(some[place - 1] as string);
    }
    return found;
  }

  private async change(member: string, nowMs: number, untilMs: string): Promise<boolean> {
    const { prefix, tags } = this.ledger.settings;
    const salt = await this.salt();
    const args = { member, salt, untilMs, nowMs };
    const was = await Promise.all(
      tags.map((tag) =>
        // Names no member to the guard: a resharding copies the complete list of digests.
        this.ledger.members.run(scripts.refuseMember, { erased: keys.erased(prefix, tag) }, args, { tag, members: [] }),
      ),
    );
    return was.some((one) => one === 1);
  }

  /** One salt for all shards, made by the first process that needs it. */
  private async salt(): Promise<string> {
    const { redis, settings } = this.ledger;
    const [, salt] = await served(redis, keys.layout(settings.prefix), (key) =>
      Promise.all([
        redis.hsetnx(key, 'erasureSalt', randomBytes(24).toString('base64url')),
        redis.hget(key, 'erasureSalt'),
      ]),
    );
    return salt ?? '';
  }
}
