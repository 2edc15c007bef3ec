import { Period, type Ledger, type Transition } from '@laurel/leaderboard';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { ActivityError } from '../../errors/errors';
import { Ledgers } from '../../ledgers/ledgers';
import { subjectInField } from '../../rules/owner-field';
import { RulesEver } from '../../tools/walks/rules-ever';
import { Extensions } from '../../extensions/extensions';
import { boardCounts, boardsCounting } from '../../tools/verify/board-counts';
import type { Voided } from './review';
import { SUBJECT_PARTITIONS, type SubjectPartitions } from './subject-partitions';

/** Takes points for good that were given from some moment on. */
@Injectable()
export class PointsInQuestion {
  /** Lists of boards that were named before: the engine knows them by their identity. */
  private readonly lists = new Map<string, readonly string[]>();

  constructor(
    private readonly ledgers: Ledgers,
    private readonly rules: RulesEver,
    private readonly extensions: Extensions,
    @Optional() @Inject(SUBJECT_PARTITIONS) private readonly subjects?: SubjectPartitions,
  ) {}

  /**
   * What {@link take} would take now, of the module's own ledger. Nothing is taken.
   * @throws ActivityError `unavailable` where the app's answer fails.
   */
  async count(userId: string, fromMs: number): Promise<Voided> {
    const revokes = await this.revokes(this.ledgers.main, userId, fromMs);
    const open = revokes.filter(({ isOpen }) => isOpen);
    const points = open.reduce((sum, { transition }) => sum + transition.points, 0);
    return { grants: open.length, points, removedFrom: [] };
  }

  /**
   * Revokes what stands of what a user was granted from a moment on, in every ledger: each grant on its own day, as the
   * revoke of that day alone, so that boards stay the sums of ledgers. Standings that are final are not corrected: he is
   * taken off those on which such points count. Ledgers do not know parts: on partitioned leaderboards the points leave the
   * part that the app's {@link SubjectPartitions} tells; without it, or of a subject whose digest alone is known, the part
   * that he stands on, and where he stands on several of one, they stay. Safe to repeat: a grant is revoked when he is off
   * its final standings, so that what was cut short is found again.
   * @param onRemoved told of each final standing that he was taken off, as `leaderboard period`; once or twice.
   * @throws ActivityError `unavailable` where the app's answer fails: nothing is taken of that ledger yet.
   */
  async take(
    userId: string,
    fromMs: number,
    onRemoved: (standing: string) => Promise<unknown>,
  ): Promise<Pick<Voided, 'grants' | 'points'>> {
    let grants = 0;
    let points = 0;
    for (const ledger of this.ledgers.all) {
      const revokes = await this.revokes(ledger, userId, fromMs);
      const left = new Set<string>();
      const leave = async (label: string, atMs: number): Promise<void> => {
        const [board = '', ...rest] = label.split('/');
        const period = ledger.periodOf(board, atMs);
        const standing = `${label} ${period.key}`;
        if (left.has(standing)) return;
        const partition = rest.length > 0 ? rest.join('/') : null;
        // Each is told as it is done: where the other fails, nobody finds him there again.
        if (await ledger.eraseFrom(board, period, userId, partition)) await onRemoved(standing);
        const archived = await this.extensions.past?.eraseFrom({ leaderboard: label, period: period.key }, userId);
        if (archived) await onRemoved(standing);
        left.add(standing);
      };
      for (const { final, transition } of revokes) {
        for (const label of final) await leave(label, transition.grantedAtMs);
      }
      const results = await ledger.apply(revokes.map(({ transition }) => transition));
      for (const [i, { outcome, points: change, boards }] of results.entries()) {
        if (ledger === this.ledgers.main && outcome === 'revoked') {
          grants += 1;
          points -= change;
        }
        const { grantedAtMs } = (revokes[i] as Revoke).transition;
        // What became final since it was looked at.
        for (const [label, word] of Object.entries(boards)) if (word === 'closed') await leave(label, grantedAtMs);
      }
      if (results.length > 0) await ledger.eraseFromWindows(userId);
    }
    return { grants, points };
  }

  private async revokes(ledger: Ledger, userId: string, fromMs: number): Promise<Revoke[]> {
    const standing = await ledger.standingSince(userId, fromMs);
    const nowMs = ledger.settings.clock.now();
    const boardsOf = await this.countingBoards(ledger);
    const revokes: Revoke[] = [];
    const partsOfDays = new Map<string, Readonly<Record<string, string>>>();
    const partsOfSubjects = await this.partsOf(ledger, standing);
    for (const { field, points, grantedAtMs } of standing) {
      const day = Period.of('day', new Date(grantedAtMs), ledger.settings.timezone).key;
      let partitions = partsOfSubjects?.(field) ?? partsOfDays.get(day);
      if (!partitions) {
        partitions = await ledger.partsAt(userId, grantedAtMs);
        partsOfDays.set(day, partitions);
      }
      // A grant may be dated some minutes ahead: its end comes after it.
      const occurredAtMs = Math.max(nowMs, grantedAtMs + 1);
      const revoke = { kind: 'revoke' as const, member: userId, field, points, occurredAtMs, grantedAtMs };
      const transition = { ...revoke, partitions, boards: boardsOf(field) };
      revokes.push({ transition, ...openness(ledger, transition, nowMs) });
    }
    return revokes;
  }

  /** By a grant's field, the boards on which it counts, whether or not its rule is still in force. */
  private async countingBoards(ledger: Ledger): Promise<(field: string) => readonly string[]> {
    const countsOn = boardCounts(this.ledgers.fedBy(ledger), await this.rules.find());
    const boardsOf = boardsCounting(ledger.settings.boards, countsOn);
    return (field) => {
      const names = boardsOf(field);
      const id = JSON.stringify(names);
      const list = this.lists.get(id) ?? names;
      this.lists.set(id, list);
      return list;
    };
  }

  /** By a grant's field, the parts that the app says; null where it cannot tell, as its subject is a digest. */
  private async partsOf(
    { settings }: Ledger,
    standing: readonly { readonly field: string }[],
  ): Promise<((field: string) => Readonly<Record<string, string>> | null) | null> {
    if (!this.subjects || settings.partitionKeys.length === 0) return null;
    const subjects = standing.flatMap(({ field }) => subjectInField(field).subject ?? []);
    const found = await this.subjects.find([...new Set(subjects)]).catch((cause: unknown) => {
      throw new ActivityError('unavailable', 'The app could not tell where the points count: try again in a moment.', {
        cause,
      });
    });
    return (field) => {
      const { subject } = subjectInField(field);
      return subject === null ? null : (found.get(subject) ?? {});
    };
  }
}

/** A grant in question, as it is taken back. */
interface Revoke extends Openness {
  readonly transition: Transition & Required<Pick<Transition, 'boards' | 'partitions' | 'grantedAtMs'>>;
}

/** What of the boards on which a grant counts can still be corrected. */
interface Openness {
  /** Whether any can. */
  readonly isOpen: boolean;
  /** The names in answers of those that are final. */
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
    if (nowMs < ledger.boardTimes(name, period).closesAtMs) isOpen = true;
    else if (!tallyOf) final.push(part === undefined ? name : `${name}/${part}`);
  }
  return { isOpen, final };
}
