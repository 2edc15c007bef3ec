import { Period, type Ledger, type Transition } from '@laurel/leaderboard';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { ActivityError } from '../errors';
import { Ledgers } from '../ledgers/ledgers';
import { subjectInField } from '../owners/owner-field';
import { RulesEver } from '../rules/rules-ever';
import { ARCHIVE } from '../settlement/archive.provider';
import type { StandingsArchive } from '../settlement/standings-archive';
import { boardCounts, boardsCounting } from '../verification/board-counts';
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
    @Inject(ARCHIVE) private readonly archive: StandingsArchive,
    @Optional() @Inject(SUBJECT_PARTITIONS) private readonly subjects?: SubjectPartitions,
  ) {}

  /**
   * Revokes what stands of what a user was granted from a moment on, in every ledger: each grant on its own day, as the
   * revoke of that day alone, so that boards stay the sums of ledgers. Standings that are final are not corrected: he is
   * taken off those on which such points count. Ledgers do not know parts: on partitioned leaderboards the points leave the
   * part that the app's {@link SubjectPartitions} tells; without it, or of a subject whose digest alone is known, the part
   * that he stands on, and where he stands on several of one, they stay. Safe to repeat.
   * @throws ActivityError `unavailable` where the app's answer fails: nothing is taken of that ledger yet.
   */
  async take(userId: string, fromMs: number): Promise<Voided> {
    const removedFrom = new Set<string>();
    let grants = 0;
    let points = 0;
    for (const [index, ledger] of this.ledgers.all.entries()) {
      const transitions = await this.revokes(ledger, userId, fromMs);
      const results = await ledger.apply(transitions);
      for (const [i, result] of results.entries()) {
        if (index === 0 && result.outcome === 'revoked') {
          grants += 1;
          points -= result.points;
        }
        const { grantedAtMs = 0 } = transitions[i] as Transition;
        for (const [label, outcome] of Object.entries(result.boards)) {
          if (outcome !== 'closed') continue;
          if (await this.remove(ledger, label, userId, grantedAtMs))
            removedFrom.add(`${label} ${this.keyOf(ledger, label, grantedAtMs)}`);
        }
      }
      if (results.length > 0) await ledger.eraseFromWindows(userId);
    }
    return { grants, points, removedFrom: [...removedFrom] };
  }

  private async revokes(ledger: Ledger, userId: string, fromMs: number): Promise<Transition[]> {
    const standing = await ledger.standingSince(userId, fromMs);
    const nowMs = ledger.settings.clock.now();
    const boardsOf = await this.countingBoards(ledger);
    const transitions: Transition[] = [];
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
      transitions.push({ ...revoke, partitions, boards: boardsOf(field) });
    }
    return transitions;
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

  /** Takes the user off the standings of a closed period, live and archived; false where he was on neither. */
  private async remove(ledger: Ledger, label: string, userId: string, atMs: number): Promise<boolean> {
    const [board = '', ...rest] = label.split('/');
    const partition = rest.length > 0 ? rest.join('/') : null;
    const period = ledger.periodOf(board, atMs);
    const wasLive = await ledger.eraseFrom(board, period, userId, partition);
    const archived = (await this.archive.erase?.(userId, { leaderboard: label, period: period.key })) ?? 0;
    return wasLive || archived > 0;
  }

  private keyOf(ledger: Ledger, label: string, atMs: number): string {
    return ledger.periodOf(label.split('/', 1).join(), atMs).key;
  }
}
