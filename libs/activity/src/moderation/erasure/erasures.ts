import type { Erased } from '@laurel/leaderboard/internals';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { identifierFault, maxUserIdBytes } from '../../activity/identifier';
import { AdjustmentTrace } from '../adjustments/adjustment-trace';
import { RedisConnection } from '../../redis/redis-connection';
import { runInRedis } from '../../redis/run-in-redis';
import { faultsError } from '../../errors/errors';
import { Exclusions } from '../exclusions/exclusions';
import { Ledgers } from '../../ledgers/ledgers';
import { namingOf } from '../../rules/owner-field';
import { USER_DIRECTORY, type UserDirectory } from '../../extensions/user-directory';
import { Reviews } from '../reviews/reviews';
import { Extensions } from '../../extensions/extensions';
import { RefusalTrace } from '../../account/refusal-trace';

/** What was erased of a user. */
export interface ErasureReceipt {
  readonly userId: string;
  /** How much there was, by kind. */
  readonly erased: Readonly<Record<string, number>>;
}

/** Erases users. */
@Injectable()
export class Erasures {
  constructor(
    private readonly connection: RedisConnection,
    private readonly ledgers: Ledgers,
    private readonly exclusions: Exclusions,
    private readonly reviews: Reviews,
    private readonly refusals: RefusalTrace,
    private readonly adjustments: AdjustmentTrace,
    private readonly extensions: Extensions,
    @Optional() @Inject(USER_DIRECTORY) private readonly directory?: UserDirectory,
  ) {}

  /**
   * Removes a user from the app (its directory's `erase`), from every board, ledger, window and list, from the archive, and
   * what is known of his exclusions and reviews; the others close up. The receipt counts what there was; a second one is
   * all zeros. Every step finds by itself what there is: where it fails or dies on the way, doing it again goes on.
   *
   * Owners keep what he gave them, from nobody. It looks at every key of Redis and into every ledger: about a second
   * for a million keys, and five for a million ledgers of ten fields, in calls of half a millisecond. What others
   * did to him stays theirs, done to nobody. What comes of the id afterwards, or
   * names it, is refused (`rejected`, `erased`) until nothing of before can arrive any more: the ledgers' retention and the
   * day after; for good where ledgers are kept for good.
   * @throws ActivityError `invalidQuery` with the path of the fault; `unavailable`: some of it may be done.
   */
  async erase(userId: string): Promise<ErasureReceipt> {
    checkUserId(userId);
    return runInRedis(this.connection, async () => {
      // The app first: it lets him do nothing more.
      const ofApp = (await this.directory?.erase?.(userId)) ?? {};
      const ofLedgers: Erased = { boards: 0, rolling: 0, ledgers: 0, limits: 0, lists: 0, named: 0 };
      const sums: Record<string, number> = { ...ofLedgers };
      const naming = namingOf(userId);
      for (const ledger of this.ledgers.all) {
        const counts: Readonly<Record<string, number>> = { ...(await ledger.erase(userId, naming)) };
        for (const [kind, count] of Object.entries(counts)) sums[kind] = (sums[kind] ?? 0) + count;
      }
      const brought: Record<string, number> = {};
      for (const eraser of this.extensions.erasers) brought[eraser.kind] = await eraser.erase(userId);
      const reviews = await this.reviews.forget(userId);
      const refusals = await this.refusals.forget(userId);
      const adjustments = await this.adjustments.forget(userId);
      const exclusions = await this.exclusions.forget(userId);
      return {
        userId,
        erased: { ...sums, archived: 0, ...brought, exclusions, reviews, refusals, adjustments, ...ofApp },
      };
    });
  }

  /**
   * Lets a user in again who was erased, and has come back under the same id. What was on its way from before the erasure
   * then counts as well. True: they had been refused. Safe to repeat. Four round trips a ledger.
   * @throws ActivityError `invalidQuery` with the path of the fault; `unavailable`.
   */
  async readmit(userId: string): Promise<boolean> {
    checkUserId(userId);
    return runInRedis(this.connection, async () => {
      let were = false;
      for (const ledger of this.ledgers.all) were = (await ledger.readmit(userId)) || were;
      return were;
    });
  }
}

function checkUserId(userId: string): void {
  const message = identifierFault(userId, maxUserIdBytes);
  if (message !== null) throw faultsError('invalidQuery', [{ path: 'userId', message }]);
}
