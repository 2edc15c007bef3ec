import { Period, type Ledger, type Transition } from '@laurel/leaderboard';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { ActivityError } from '../../errors/errors';
import { Extensions } from '../../extensions/extensions';
import { Ledgers } from '../../ledgers/ledgers';
import { subjectInField } from '../../rules/ledger-field';
import { Histories } from '../../recording/histories';
import { RulesInForce } from '../../rules/rules-in-force';
import { everyRule } from '../../tools/every-rule';
import { boardCounts, boardsCounting } from '../../tools/board-counts';
import type { Voided } from './review';
import { SUBJECT_PARTITIONS, type SubjectPartitions } from './subject-partitions';

/** Takes for good the points that a user was granted from some moment on. */
@Injectable()
export class Voiding {
  /** One list for the same boards: the engine compares lists by identity. */
  private readonly lists = new Map<string, readonly string[]>();

  constructor(
    private readonly ledgers: Ledgers,
    private readonly histories: Histories,
    private readonly rules: RulesInForce,
    private readonly extensions: Extensions,
    @Optional() @Inject(SUBJECT_PARTITIONS) private readonly subjects?: SubjectPartitions,
  ) {}

  /**
   * What {@link run} would take now, by the module's own ledger. Nothing is taken.
   * @throws ActivityError `unavailable` where the app's answer fails.
   */
  async count(userId: string, fromMs: number): Promise<Voided> {
    const revokes = await this.revokes(this.ledgers.main, userId, fromMs);
    const open = revokes.filter(({ isOpen }) => isOpen);
    const points = open.reduce((sum, { transition }) => sum + transition.points, 0);
    return { grants: open.length, points, removedFrom: [] };
  }

  /**
   * Revokes each grant that stands, in every ledger and on its own day alone, so that boards stay the sums of ledgers.
   * Final standings are not corrected: the user is removed from those that such points count on. Ledgers do not know
   * partitions: on partitioned leaderboards the points leave the partition that the app's {@link SubjectPartitions}
   * names. Without it, or for a subject of which only the digest is known, they leave the one partition that the user
   * is on; where the user is on several, they stay. Safe to repeat: a grant is revoked after its final standings, so a
   * call after an interruption finds the grant again.
   * @param onRemoved called for each final standing that the user was removed from, `leaderboard period`; once or
   * twice.
   * @throws ActivityError `unavailable` where the app's answer fails: nothing is taken of that ledger yet.
   */
  async run(
    userId: string,
    fromMs: number,
    onRemoved: (standing: string) => Promise<unknown>,
  ): Promise<Pick<Voided, 'grants' | 'points'>> {
    let grants = 0;
    let points = 0;
    for (const ledger of this.ledgers.all) {
      const revokes = await this.revokes(ledger, userId, fromMs);
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
        for (const label of final) await remove(label, transition.grantedAtMs);
      }
      const results = await ledger.apply(revokes.map(({ transition }) => transition));
      for (const [i, { outcome, points: change, boards }] of results.entries()) {
        if (ledger === this.ledgers.main && outcome === 'revoked') {
          grants += 1;
          points -= change;
        }
        const { grantedAtMs } = (revokes[i] as Revoke).transition;
        // Boards that have become final since the revokes were made.
        for (const [label, word] of Object.entries(boards)) if (word === 'closed') await remove(label, grantedAtMs);
      }
      if (results.length > 0) await ledger.erasure.eraseFromWindows(userId);
    }
    return { grants, points };
  }

  private async revokes(ledger: Ledger, userId: string, fromMs: number): Promise<Revoke[]> {
    const standing = await ledger.grants.since(userId, fromMs);
    const nowMs = ledger.settings.clock.now();
    const boardsOf = await this.countingBoards(ledger);
    const revokes: Revoke[] = [];
    const partsOfDays = new Map<string, Readonly<Record<string, string>>>();
    const partsOfSubjects = await this.partsOf(ledger, standing);
    for (const { field, points, grantedAtMs } of standing) {
      const day = Period.of('day', new Date(grantedAtMs), ledger.settings.timezone).key;
      let partitions = partsOfSubjects?.(field) ?? partsOfDays.get(day);
      if (!partitions) {
        partitions = await ledger.grants.partsAt(userId, grantedAtMs);
        partsOfDays.set(day, partitions);
      }
      // A grant may be dated some minutes ahead: its revoke must be later.
      const occurredAtMs = Math.max(nowMs, grantedAtMs + 1);
      const revoke = { kind: 'revoke' as const, member: userId, field, points, occurredAtMs, grantedAtMs };
      const transition = { ...revoke, partitions, boards: boardsOf(field) };
      revokes.push({ transition, ...openness(ledger, transition, nowMs) });
    }
    return revokes;
  }

  /** By a grant's field, the boards on which it counts, whether or not its rule is still in force. */
  private async countingBoards(ledger: Ledger): Promise<(field: string) => readonly string[]> {
    const countsOn = boardCounts(this.ledgers.fedBy(ledger), await everyRule(this.histories, this.rules));
    const boardsOf = boardsCounting(ledger.settings.boards, countsOn);
    return (field) => {
      const names = boardsOf(field);
      const id = JSON.stringify(names);
      const list = this.lists.get(id) ?? names;
      this.lists.set(id, list);
      return list;
    };
  }

  /** The app's partitions by a grant's field; null for a subject of which only the digest is known. */
  private async partsOf(
    { settings }: Ledger,
    standing: readonly { readonly field: string }[],
  ): Promise<((field: string) => Readonly<Record<string, string>> | null) | null> {
    if (!this.subjects || settings.partitionKeys.length === 0) return null;
    const subjects = standing.flatMap(({ field }) => subjectInField(field).subject ?? []);
    const found = await this.subjects.find([...new Set(subjects)]).catch((cause: unknown) => {
      throw new ActivityError('unavailable', "The app's SubjectPartitions failed: try again in a moment.", {
        cause,
      });
    });
    return (field) => {
      const { subject } = subjectInField(field);
      return subject === null ? null : (found.get(subject) ?? {});
    };
  }
}

/** The revoke of a grant in question. */
interface Revoke extends Openness {
  readonly transition: Transition & Required<Pick<Transition, 'boards' | 'partitions' | 'grantedAtMs'>>;
}

/** Which boards of a grant can still be corrected. */
interface Openness {
  /** Whether any can be. */
  readonly isOpen: boolean;
  /** The labels of those that are final. */
  readonly final: readonly string[];
}

function openness(ledger: Ledger, { boards, partitions, grantedAtMs }: Revoke['transition'], nowMs: number): Openness {
  const final: string[] = [];
  let isOpen = false;
  for (const { name, period: spec, partition, tallyOf } of ledger.settings.boards) {
    if (!boards.includes(name)) continue;
    const period = Period.find(spec, new Date(grantedAtMs), ledger.settings.timezone);
    const part = partition && Object.hasOwn(partitions, partition) ? partitions[partition] : undefined;
    if (!(period instanceof Period) || (partition && part === undefined)) continue;
    if (nowMs < ledger.periods.timesOf(name, period).closesAtMs) isOpen = true;
    else if (!tallyOf) final.push(part === undefined ? name : `${name}/${part}`);
  }
  return { isOpen, final };
}
