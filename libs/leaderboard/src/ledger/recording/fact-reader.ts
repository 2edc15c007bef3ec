import type { LedgerContext } from '../periods/ledger-context';
import type { Judging } from './member-facts';
import { MemberLedger } from './member-ledger';
import { judgingAt, readWanted, viewOf } from './reading';
import { notRead } from './view';

/** Reads members' facts, and what stands of them. */
export class FactReader {
  constructor(private readonly context: LedgerContext) {}

  /**
   * Works on a member's facts: what the work asks for is read, and it begins again, until it asks for nothing that is
   * not read. A round trip each time.
   */
  async read<T>(member: string, work: (ledger: MemberLedger, judging: Judging) => T): Promise<T> {
    const { settings, redis } = this.context;
    const judging = judgingAt(this.context, settings.clock.now());
    const place = { prefix: settings.prefix, tag: this.context.tagOf(member), member };
    const view = viewOf(place, judging);
    const ledger = new MemberLedger(view, place, judging);
    for (;;) {
      try {
        return work(ledger, judging);
      } catch (error) {
        if (error !== notRead) throw error;
      }
      await readWanted(redis, [view]);
    }
  }
}
