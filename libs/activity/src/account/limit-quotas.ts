import type { QuotaQuestion } from '@laurel/leaderboard/internals';
import { Injectable, Logger } from '@nestjs/common';
import { identifierFault, maxSubjectBytes, maxUserIdBytes, ownerOf } from '../core/activity/activity';
import { RedisConnection } from '../core/redis/redis-connection';
import { faultsError } from '../core/errors/errors';
import { Ledgers } from '../core/ledgers/ledgers';
import { ledgerField } from '../core/rules/ledger-field';
import { pointsOf } from '../core/points/decimals';
import { limitOf } from '../core/rules/rule-book';
import { RulesInForce } from '../core/rules/rules-in-force';
import type { LimitFault } from '../core/extensions/ports';
import { LabelNames } from '../core/observability/shared-metrics';
import { maxFaultLength, maxFaultyLimits } from '../core/recording/recording-metrics';
import type { QuotaQuery } from './account.dto';
import type { LimitQuota } from './account.responses';

/** Returns what is left of users' limits. */
@Injectable()
export class LimitQuotas {
  private readonly logger = new Logger('Limits');
  private readonly names = new LabelNames(maxFaultyLimits);
  private readonly untold = new Set<string>();

  constructor(
    private readonly ledgers: Ledgers,
    private readonly inForce: RulesInForce,
    private readonly connection: RedisConnection,
  ) {}

  /**
   * A user's quotas now, in the order of the options. Custom limits that fail are left out and logged.
   * Limits on leaderboards with a time zone or points of their own are counted separately, and not returned. Two
   * round trips, seldom more.
   * @throws ActivityError `invalidQuery` with the path of each fault; `unavailable`.
   */
  async of(
    userId: string,
    about: QuotaQuery = {},
    now = new Date(this.ledgers.main.settings.clock.now()),
  ): Promise<LimitQuota[]> {
    this.check(userId, about);
    const { book } = this.inForce;
    const own = book.limits.filter(({ action }) => {
      return about.action === undefined || action === null || action === about.action;
    });
    // As a recording has it: a subject that is a user is its own.
    const ownerId = ownerOf({ subject: about.subject ?? '', ownerId: about.ownerId ?? null });
    const questions = own.map((limit): QuotaQuestion => {
      const action = limit.action ?? about.action;
      const rule = action === undefined ? undefined : book.find(action)?.rule;
      return {
        limit: rule ? limitOf(limit, rule) : limit.onTransition,
        ...(ownerId !== null && { counterpart: ownerId }),
        ...(rule && about.subject !== undefined && { field: ledgerField(rule.code, about.subject) }),
      };
    });
    const reading = () => this.ledgers.main.quotaOf(userId, questions, { atMs: now.getTime() });
    const quotas = await this.connection.read(reading);
    return own.flatMap(({ name, action, config: { type } }, i) => {
      const quota = quotas[i];
      if (!quota) return [];
      const { allowedAgainAtMs, fault, max, used, left, ...rest } = quota;
      if (fault !== undefined) {
        this.reportUntold({ limit: name, fault });
        return [];
      }
      const allowedAgainAt = allowedAgainAtMs === null ? null : new Date(allowedAgainAtMs);
      const decimals = rest.of === 'points' ? book.decimals : 0;
      const shown = (units: number | null) => units && pointsOf(units, decimals);
      const counts = { max: shown(max), used: shown(used), left: shown(left) };
      return { ...rest, ...counts, type, action, allowedAgainAt };
    });
  }

  /** Logs the first failure of each limit; failed limits are left out of quotas. */
  private reportUntold({ limit, fault }: LimitFault): void {
    const name = this.names.of(limit);
    if (this.untold.has(name)) return;
    this.untold.add(name);
    const what = fault.slice(0, maxFaultLength);
    this.logger.error(`The limit "${limit}" cannot be read, so quotas leave it out: ${what}`);
  }

  private check(userId: string, { action, subject, ownerId }: QuotaQuery): void {
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
