import type { Ledger, Transition } from '@laurel/leaderboard';
import { groupBy, sum, voidSequence } from '@laurel/leaderboard/internals';
import { Inject, Injectable } from '@nestjs/common';
import { Extensions } from '../../core/extensions/extensions';
import { Ledgers } from '../../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../core/options/settings';
import { RulesInForce } from '../../core/rules/rules-in-force';
import { pointsOf } from '../../core/points/decimals';
import { fieldById, ledgerField } from '../../core/rules/ledger-field';
import { erasedError } from '../exclusions/exclusions';
import { type Revoke, revokesOf } from '../revokes';
import type { Review, Voided, VoidedGifts } from './review';

/** The owners who are named among those from whom was taken. */
const maxLosses = 100;

/** Whether the user stays on the leaderboards, without the points in question. */
export function isPartial({ action, activities }: Review): boolean {
  return action !== undefined || activities !== undefined;
}

/** Lets points wait, or takes for good what a user was granted from some moment on, with what they gave to owners. */
@Injectable()
export class Voiding {
  constructor(
    private readonly ledgers: Ledgers,
    private readonly extensions: Extensions,
    private readonly rules: RulesInForce,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /** Lets what a review names wait, in every ledger. Safe to repeat. @throws ActivityError `erased` */
  async hold({ id, userId, from, action, activities = [] }: Review): Promise<void> {
    const { book } = this.rules;
    const own = { kind: 'hold', member: userId, id, points: 0 } as const;
    const holds = activities.map(({ action: name, subject, occurredAt, id: each }): Transition => {
      const { code = name, once = null } = book.find(name)?.rule ?? {};
      const field = once === 'each' ? fieldById(code, subject, each ?? '') : ledgerField(code, subject);
      return { ...own, field, occurredAtMs: Date.parse(occurredAt), grantedAtMs: Date.parse(occurredAt) };
    });
    const code = action === undefined ? undefined : book.find(action)?.rule.code;
    if (code !== undefined) holds.push({ ...own, field: ledgerField(code, ''), occurredAtMs: Date.parse(from) });
    for (const ledger of this.ledgers.all)
      if ((await ledger.apply(holds)).some(({ reason }) => reason === 'erased')) throw erasedError();
  }

  /** Gives back what waits, for good. */
  async release({ id, userId: member }: Review): Promise<void> {
    for (const ledger of this.ledgers.all)
      await ledger.apply([{ kind: 'release', member, id, field: id, points: 0, occurredAtMs: 0 }]);
  }

  /**
   * Revokes each grant in question that stands, in every ledger, as {@link revokesOf} does. The user leaves the final
   * standings that such points count on, unless the points only waited; owners stay there as they are. Safe to repeat:
   * a grant is revoked after its final standings, so a call after an interruption finds the grant again.
   * @param note called before anything is taken, with what will be by the module's own ledger, and with each final
   * standing that the user was removed from, `leaderboard period`; once or twice.
   */
  async run(review: Review, note: (voided: Partial<Voided>) => Promise<unknown>): Promise<void> {
    await note(await this.count(review));
    for (const ledger of this.ledgers.all) {
      // An interrupted call may have taken from the user alone.
      await ledger.payOwed(this.settings.clock.now());
      // A grant that its rule did not count beside another one may count once that one is gone.
      while (await this.take(ledger, review, (standing) => note({ removedFrom: [standing] })));
    }
  }

  /** The owners named by a review who were erased. One round trip where there are any. */
  async erasedAmong({ voided }: Review): Promise<ReadonlySet<string>> {
    const owners = (voided?.gifts?.losses ?? []).map(({ userId }) => userId);
    return owners.length === 0 ? new Set() : this.ledgers.main.erasure.among(owners);
  }

  private async count(review: Review): Promise<Partial<Voided>> {
    const ledger = this.ledgers.main;
    const open = (await this.revokes(ledger, review)).filter(({ isOpen }) => isOpen).map(({ grant }) => grant);
    const { grants, points } = this.lossesBy(open);
    if (review.keepsGifts) return { grants, points };
    return { grants, points, gifts: this.lossesBy(await ledger.grants.given(review.userId, open, isPartial(review))) };
  }

  /** Returns whether anything was taken. */
  private async take(ledger: Ledger, review: Review, onRemoved: (standing: string) => Promise<unknown>) {
    const { userId } = review;
    const revokes = await this.revokes(ledger, review);
    const removed = new Set<string>();
    const remove = async (label: string, atMs: number): Promise<void> => {
      const [board = '', ...rest] = label.split('/');
      const period = ledger.periods.of(board, atMs);
      const standing = `${label} ${period.key}`;
      // Final standings lack what waits, or keep it.
      if (isPartial(review) || removed.has(standing)) return;
      // Reported one by one: if the second fails, a repeated call does not find the first again.
      if (await ledger.erasure.eraseFrom(board, period, userId, rest.join('/') || null)) await onRemoved(standing);
      const archived = await this.extensions.past?.erase(userId, { leaderboard: label, period: period.key });
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
    return results.some(({ outcome }) => outcome === 'revoked');
  }

  private async revokes(ledger: Ledger, review: Review): Promise<Revoke[]> {
    const { id, userId, from, keepsGifts = false } = review;
    const [sinceMs, hold] = isPartial(review) ? ([0, id] as const) : ([Date.parse(from)] as const);
    const standing = await ledger.grants.since(userId, sinceMs, hold);
    // Points taken from the user are not given back.
    const inQuestion = standing.filter(({ points }) => points >= 0).map((grant) => ({ ...grant, member: userId }));
    return revokesOf(ledger, inQuestion, { keepsGifts, sequence: voidSequence });
  }

  /** What is taken from whom, those who lose most first. */
  private lossesBy(taken: readonly { readonly member: string; readonly points: number }[]): VoidedGifts {
    const inPoints = (grants: typeof taken) =>
      pointsOf(sum(grants.map(({ points }) => points)), this.settings.decimals);
    const losses = [...groupBy(taken, ({ member }) => member)]
      .map(([userId, own]) => ({ userId, grants: own.length, points: inPoints(own) }))
      .sort((a, b) => b.points - a.points || b.grants - a.grants || (a.userId < b.userId ? -1 : 1));
    const points = inPoints(taken);
    return { grants: taken.length, points, owners: losses.length, losses: losses.slice(0, maxLosses) };
  }
}
