import type { Ledger, TransitionResult } from '@laurel/leaderboard';
import { Inject, Injectable } from '@nestjs/common';
import { Extensions } from '../../core/extensions/extensions';
import { Ledgers } from '../../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { RulesInForce } from '../../core/rules/rules-in-force';
import { pointsOf } from '../../core/points/decimals';
import { GrantRevokes, type MemberGrant, type Revoke, type Taken } from '../grant-revokes';
import type { Review, Voided, VoidedGifts } from './review';

/** The owners who are named among those from whom was taken. */
const maxLosses = 100;

/** The part of a user's points to void. */
export interface InQuestion {
  readonly userId: string;
  readonly fromMs: number;
  /** Undefined: whatever they did. */
  readonly action: string | undefined;
  /** Whether owners keep what the user's activities gave them. */
  readonly keepsGifts: boolean;
}

/** Takes for good the points that a user was granted from some moment on, and what they gave to owners. */
@Injectable()
export class Voiding {
  constructor(
    private readonly ledgers: Ledgers,
    private readonly extensions: Extensions,
    private readonly revokes: GrantRevokes,
    private readonly rules: RulesInForce,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * The points that {@link run} would take now, by the module's own ledger. Nothing is taken.
   * @throws ActivityError `unavailable` where the app's answer fails.
   */
  async count(inQuestion: InQuestion): Promise<Voided> {
    const ledger = this.ledgers.main;
    const grants = await this.standing(ledger, inQuestion);
    const open = this.revokes.of(ledger, grants).flatMap(({ isOpen }, i) => (isOpen ? (grants[i] ?? []) : []));
    const units = open.reduce((sum, { points }) => sum + points, 0);
    const voided = { grants: open.length, points: pointsOf(units, this.settings.decimals), removedFrom: [] };
    if (inQuestion.keepsGifts) return voided;
    const losses = new Losses(this.settings.decimals);
    const given = await ledger.grants.given(inQuestion.userId, open);
    for (const { member, points } of given) losses.add({ userId: member, points });
    return { ...voided, gifts: losses.all() };
  }

  /**
   * Revokes each grant that stands, in every ledger, as {@link GrantRevokes} does. Final standings are not corrected:
   * the user is removed from those that such points count on, and owners keep what they have there. Safe to repeat: a
   * grant is revoked after its final standings, so a call after an interruption finds the grant again.
   * @param onRemoved called for each final standing that the user was removed from, `leaderboard period`; once or
   * twice.
   * @throws ActivityError `unavailable` where the app's answer fails: nothing is taken of that ledger yet.
   */
  async run(
    inQuestion: InQuestion,
    onRemoved: (standing: string) => Promise<unknown>,
  ): Promise<Omit<Voided, 'removedFrom'>> {
    const own = new Losses(this.settings.decimals);
    const gifts = new Losses(this.settings.decimals);
    for (const ledger of this.ledgers.all) {
      // An interrupted call may have taken from the user alone.
      await ledger.payOwed(this.settings.clock.now());
      const { revokes, results } = await this.takeOwn(ledger, inQuestion, onRemoved);
      for (const taken of this.revokes.taken(ledger, revokes, results)) own.add(taken);
      for (const taken of this.revokes.takenFromOwners(ledger, results)) gifts.add(taken);
    }
    const { grants, points } = own.all();
    return { grants, points, ...(!inQuestion.keepsGifts && { gifts: gifts.all() }) };
  }

  /** The owners named by a review who were erased. One round trip where there are any. */
  async erasedAmong({ voided }: Review): Promise<ReadonlySet<string>> {
    const owners = (voided?.gifts?.losses ?? []).map(({ userId }) => userId);
    return owners.length === 0 ? new Set() : this.ledgers.main.erasure.among(owners);
  }

  private async takeOwn(
    ledger: Ledger,
    inQuestion: InQuestion,
    onRemoved: (standing: string) => Promise<unknown>,
  ): Promise<{ readonly revokes: readonly Revoke[]; readonly results: readonly TransitionResult[] }> {
    const { userId, keepsGifts } = inQuestion;
    const revokes = this.revokes.of(ledger, await this.standing(ledger, inQuestion), { keepsGifts });
    const removed = new Set<string>();
    const remove = async (label: string, atMs: number): Promise<void> => {
      const [board = '', ...rest] = label.split('/');
      const period = ledger.periods.of(board, atMs);
      const standing = `${label} ${period.key}`;
      if (removed.has(standing)) return;
      const partition = rest.length > 0 ? rest.join('/') : null;
      // Reported one by one: if the second fails, a repeated call does not find the first again.
      if (await ledger.erasure.eraseFrom(board, period, userId, partition)) await onRemoved(standing);
      const archived = await this.extensions.past?.eraseFrom({ leaderboard: label, period: period.key }, userId);
      if (archived) await onRemoved(standing);
      removed.add(standing);
    };
    for (const { final, transition } of revokes) {
      // Nobody leaves final standings for what gave no points.
      for (const label of transition.points > 0 ? final : []) await remove(label, transition.grantedAtMs);
    }
    const results = await ledger.apply(revokes.map(({ transition }) => transition));
    for (const [i, { boards }] of results.entries()) {
      const { grantedAtMs, points } = (revokes[i] as Revoke).transition;
      if (points === 0) continue;
      // Boards that have become final since the revokes were made.
      for (const [label, word] of Object.entries(boards)) if (word === 'closed') await remove(label, grantedAtMs);
    }
    if (results.length > 0) await ledger.erasure.eraseFromWindows(userId);
    return { revokes, results };
  }

  private async standing(ledger: Ledger, { userId, fromMs, action }: InQuestion): Promise<MemberGrant[]> {
    const standing = await ledger.grants.since(userId, fromMs);
    const isOf = (field: string) => action === undefined || this.rules.book.actionOfField(field) === action;
    // Points taken from the user are not given back.
    return standing
      .filter(({ points, field }) => points >= 0 && isOf(field))
      .map((grant) => ({ ...grant, member: userId }));
  }
}

/** Adds up what is taken, user by user. */
class Losses {
  private readonly byUser = new Map<string, { userId: string; grants: number; points: number }>();

  constructor(private readonly decimals: number) {}

  add({ userId, points }: Taken): void {
    const loss = this.byUser.get(userId) ?? { userId, grants: 0, points: 0 };
    loss.grants += 1;
    loss.points += points;
    this.byUser.set(userId, loss);
  }

  all(): VoidedGifts {
    const all = [...this.byUser.values()].sort(
      (a, b) => b.points - a.points || b.grants - a.grants || (a.userId < b.userId ? -1 : 1),
    );
    const grants = all.reduce((sum, loss) => sum + loss.grants, 0);
    const inPoints = (units: number) => pointsOf(units, this.decimals);
    const points = inPoints(all.reduce((sum, loss) => sum + loss.points, 0));
    const losses = all.slice(0, maxLosses).map((loss) => ({ ...loss, points: inPoints(loss.points) }));
    return { grants, points, owners: all.length, losses };
  }
}
