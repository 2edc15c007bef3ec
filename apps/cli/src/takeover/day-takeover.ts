import type { Ledger, LedgerLine, Period } from '@laurel/leaderboard';
import type { ActivityChange } from '@laurel/activity';
import { type RedisConnection, type RuleBook, codeOfField, ledgerField, pointsOf } from '@laurel/activity/internals';

/** An action that another system has counted for a user, on some day. */
export interface SourceAction {
  readonly action: string;
  readonly subject: string;
}

/** A user, and all that another system has counted for them on one day. */
export interface SourceDay {
  readonly userId: string;
  readonly actions: readonly SourceAction[];
}

/** How a user's day differs from what another system has counted. */
export interface DayDifference {
  readonly userId: string;
  /** Grants that the other system counts and that do not stand here. */
  readonly grants: readonly ActivityChange[];
  /** Grants that stand here and that the other system has taken back. */
  readonly revokes: readonly ActivityChange[];
  /** How many of its actions stand already, and their points. */
  readonly standing: number;
  readonly points: number;
}

/** Of which day, and up to when the other system counted. */
export interface DayTakeoverOptions {
  readonly day: Period;
  /** Records before this moment are the other system's, later ones are not; Infinity: all are. */
  readonly switchedAtMs: number;
  /** Whether the other system forgets such an action when it is cancelled. */
  readonly isRevocable: (action: SourceAction) => boolean;
}

/**
 * Compares days with what another system counted. Grants are dated before the switch, so whatever the app records from
 * then on is later; what the app records again is the same field, and counts once.
 */
export class DayTakeover {
  private readonly stampMs: number;

  constructor(
    private readonly ledger: Ledger,
    private readonly book: RuleBook,
    private readonly connection: RedisConnection,
    private readonly options: DayTakeoverOptions,
  ) {
    const { day, switchedAtMs } = options;
    const [firstMs, lastMs] = [day.start.getTime(), (day.end as Date).getTime() - 1];
    const untilMs = Math.min(ledger.settings.clock.now(), switchedAtMs - 1);
    this.stampMs = Math.min(Math.max(untilMs, firstMs), lastMs);
  }

  /** One round trip, two where something was revoked on a later day. @throws ActivityError `unavailable` */
  async compare(days: readonly SourceDay[]): Promise<DayDifference[]> {
    const { ledger, connection } = this;
    const ledgers = await connection.read(() =>
      Promise.all(days.map(({ userId }) => ledger.history.lines(userId, this.options.day))),
    );
    return days.map((day, i) => this.difference(day, ledgers[i] ?? []));
  }

  private difference({ userId, actions }: SourceDay, lines: readonly LedgerLine[]): DayDifference {
    const { short } = this.ledger.settings.fieldNames;
    const standing = new Map(lines.filter(stands).map((line) => [short(line.field), line]));
    const grants: ActivityChange[] = [];
    let [count, points] = [0, 0];
    for (const { action, subject } of actions) {
      const code = this.book.find(action)?.rule.code;
      const name = code === undefined ? null : short(ledgerField(code, subject));
      const line = name === null ? undefined : standing.get(name);
      if (name === null || !line) grants.push({ userId, action, subject, occurredAt: new Date(this.stampMs) });
      else {
        standing.delete(name);
        [count, points] = [count + 1, points + line.points];
      }
    }
    const revokes = [...standing.values()].flatMap((line) => this.revokeOf(userId, line) ?? []);
    return { userId, grants, revokes, standing: count, points: pointsOf(points, this.book.decimals) };
  }

  private revokeOf(userId: string, { field, grantedAtMs }: LedgerLine): ActivityChange | null {
    const { switchedAtMs, isRevocable } = this.options;
    if (grantedAtMs === null || grantedAtMs >= switchedAtMs) return null;
    const code = codeOfField(field);
    const [action, subject] = [this.book.actionOfCode(code), field.slice(code.length + 1)];
    if (!isRevocable({ action, subject })) return null;
    const untilMs = Math.min(this.ledger.settings.clock.now(), switchedAtMs - 1);
    const occurredAt = new Date(Math.max(untilMs, grantedAtMs + 1));
    return { userId, action, subject, revoke: true, grantedAt: new Date(grantedAtMs), occurredAt };
  }
}

function stands({ grantedAtMs, revokedAtMs }: LedgerLine): boolean {
  return grantedAtMs !== null && revokedAtMs === null;
}
