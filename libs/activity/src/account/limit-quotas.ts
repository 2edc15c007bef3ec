import { checkPrepared, type PreparedLimit, type QuotaQuestion } from '@laurel/leaderboard/internals';
import { Injectable } from '@nestjs/common';
import { identifierFault, maxSubjectBytes, maxUserIdBytes } from '../activity/identifier';
import { RedisConnection } from '../redis/redis-connection';
import { faultsError } from '../errors/errors';
import { Ledgers } from '../ledgers/ledgers';
import { ownerOf } from '../activity/owner';
import { ledgerField } from '../rules/ledger-field';
import type { RuleEntry } from '../rules/rule-book';
import { RulesInForce } from '../rules/rules-in-force';
import type { ResolvedOwnLimit } from '../rules/limit';
import { LimitFaults } from '../recording/limit-faults';
import type { LimitedActivity } from '../rules/limit-type';

/** What quotas are asked for. Limits that need more than is given are left out. */
export interface QuotaAbout {
  /** Only the limits that this action is under. Default: all. */
  readonly action?: string;
  /** For limits per subject, and of the app's own types. */
  readonly subject?: string;
  /** For limits per pair. Default: of a subject `user:42`, that user. */
  readonly ownerId?: string;
}

/** What is left of one limit, now. */
export interface LimitQuotaNow {
  readonly limit: string;
  readonly type: string;
  /** null: all actions together. */
  readonly action: string | null;
  readonly of: 'grants' | 'points';
  /** null where a limit of the app's own type does not say, here and in `used` and `left`. */
  readonly max: number | null;
  readonly used: number | null;
  readonly left: number | null;
  /** Where nothing is left: from when on there is. */
  readonly allowedAgainAt: Date | null;
}

/** Tells users what is left of their limits. */
@Injectable()
export class LimitQuotas {
  constructor(
    private readonly ledgers: Ledgers,
    private readonly inForce: RulesInForce,
    private readonly connection: RedisConnection,
    private readonly faults: LimitFaults,
  ) {}

  /**
   * What is left of a user's limits now, in the order of the options; none where there are no limits. One round trip.
   * A limit of the app's own that fails is left out, and logged. By the module's own ledger: leaderboards with a time zone or points of their own count their limits apart.
   * @throws ActivityError `invalidQuery` with the path of each fault; `unavailable`.
   */
  async of(
    userId: string,
    about: QuotaAbout = {},
    now = new Date(this.ledgers.main.settings.clock.now()),
  ): Promise<LimitQuotaNow[]> {
    this.check(userId, about);
    const { book } = this.inForce;
    const own = book.limits.filter(({ limit }) => {
      return about.action === undefined || limit.action === null || limit.action === about.action;
    });
    // As a recording has it: a subject that is a user is its own.
    const ownerId = ownerOf({
      subject: about.subject ?? '',
      ...(about.ownerId !== undefined && { ownerId: about.ownerId }),
    });
    const questions = own.map(({ limit, onTransition }): QuotaQuestion => {
      const action = limit.action ?? about.action;
      const { subject } = about;
      const isWhole = action !== undefined && subject !== undefined;
      const prepared =
        isWhole && limit.type === 'own'
          ? this.preparedBy(limit, { userId, action, subject, ownerId, occurredAt: now })
          : null;
      return {
        limit: onTransition,
        ...(ownerId !== null && { counterpart: ownerId }),
        ...(isWhole && { field: ledgerField((book.find(action) as RuleEntry).rule.code, subject) }),
        ...(prepared && { prepared }),
      };
    });
    const { counts } = book;
    const options = { atMs: now.getTime(), ...(counts && { counts }) };
    const quotas = await this.connection.read(() => this.ledgers.main.quotaOf(userId, questions, options));
    return own.flatMap(({ limit }, i) => {
      const quota = quotas[i];
      if (!quota) return [];
      const { allowedAgainAtMs, fault, ...rest } = quota;
      if (fault !== undefined) {
        this.faults.reportUntold({ limit: limit.name, fault });
        return [];
      }
      const type = limit.type === 'own' ? limit.kind : limit.type;
      const allowedAgainAt = allowedAgainAtMs === null ? null : new Date(allowedAgainAtMs);
      return { ...rest, type, action: limit.action, allowedAgainAt };
    });
  }

  /** Null where it fails: a limit of which nothing is prepared stands in no quota. */
  private preparedBy({ name, prepare }: ResolvedOwnLimit, activity: LimitedActivity): PreparedLimit | null {
    try {
      const prepared = prepare(activity);
      checkPrepared(prepared);
      return prepared;
    } catch (error) {
      const fault = error instanceof Error ? error.message : 'what it is prepared by threw no error';
      this.faults.reportUntold({ limit: name, fault });
      return null;
    }
  }

  private check(userId: string, { action, subject, ownerId }: QuotaAbout): void {
    const faultOf = (value: string | undefined, maxBytes: number) =>
      value === undefined ? null : identifierFault(value, maxBytes);
    const { book } = this.inForce;
    const isKnown = action === undefined || book.find(action) !== undefined;
    const faults = Object.entries({
      userId: faultOf(userId, maxUserIdBytes),
      action: isKnown ? null : `must be one of ${book.actions.join(', ')}`,
      subject: faultOf(subject, maxSubjectBytes),
      ownerId: faultOf(ownerId, maxUserIdBytes),
    }).flatMap(([path, message]) => (message === null ? [] : { path, message }));
    if (faults.length > 0) throw faultsError('invalidQuery', faults);
  }
}
