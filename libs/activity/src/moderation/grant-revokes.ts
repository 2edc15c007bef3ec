import { Period, type Ledger, type Transition, type TransitionResult } from '@laurel/leaderboard';
import type { StandingGrant } from '@laurel/leaderboard/internals';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { subjectInField } from '../beside/field-subject';
import { ActivityError } from '../errors/errors';
import { Ledgers } from '../ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { RedisConnection } from '../redis/redis-connection';
import { codeOfField, readOwnerField } from '../rules/ledger-field';
import type { RuleBook } from '../rules/rule-book';
import { RulesInForce } from '../rules/rules-in-force';
import { beginningsOf, boardCounts } from '../rules/board-counts';
import { boardsCounting, fedBy } from '../tools/board-counts';
import { everyRule } from '../tools/every-rule';
import { answerWithin } from './answer-within';
import { SUBJECT_PARTITIONS, type SubjectPartitions } from './subject-partitions';

/** A grant, and whose it is. */
export interface MemberGrant extends StandingGrant {
  readonly member: string;
}

/** The revoke of a grant. */
export interface Revoke extends Openness {
  readonly transition: Transition & Required<Pick<Transition, 'boards' | 'partitions' | 'grantedAtMs'>>;
}

/** Which boards of a grant can still be corrected. */
interface Openness {
  /** Whether any can be. */
  readonly isOpen: boolean;
  /** The labels of those that are final. */
  readonly final: readonly string[];
}

/** What a revoke took from a user. */
export interface Taken {
  readonly userId: string;
  readonly points: number;
}

/**
 * Revokes grants that stand, each on its own day alone, so that boards stay the sums of ledgers and a repeated delivery
 * of the activity gives nothing back. Ledgers do not know partitions: on partitioned leaderboards points leave the
 * partition that the app's {@link SubjectPartitions} names. Without it, or for a subject of which only the digest is
 * known, they leave the one partition that the user is on; where the user is on several, they stay.
 */
@Injectable()
export class GrantRevokes {
  /** One list for the same boards: the engine compares lists by identity. */
  private readonly lists = new Map<string, readonly string[]>();

  constructor(
    private readonly ledgers: Ledgers,
    private readonly connection: RedisConnection,
    private readonly rules: RulesInForce,
    @Inject(ACTIVITY_SETTINGS) private readonly activity: ActivitySettings,
    @Optional() @Inject(SUBJECT_PARTITIONS) private readonly subjects?: SubjectPartitions,
  ) {}

  /** @throws ActivityError `unavailable` where the app's answer fails. */
  async of(ledger: Ledger, grants: readonly MemberGrant[]): Promise<Revoke[]> {
    const nowMs = ledger.settings.clock.now();
    const { book } = this.rules;
    const { counts } = book;
    const fed = fedBy(this.ledgers, ledger);
    const rules = await everyRule(this.connection, this.ledgers, this.rules);
    const boardsOf = this.countingBoards(ledger, boardCounts(fed, rules));
    const beginnings = beginningsOf(fed, rules);
    const revokes: Revoke[] = [];
    const partsOfDays = new Map<string, Readonly<Record<string, string>>>();
    const partsOfSubjects = await this.partsOf(ledger, grants);
    for (const { member, field, points, grantedAtMs } of grants) {
      const day = Period.of('day', new Date(grantedAtMs), ledger.settings.timezone).key;
      let partitions = partsOfSubjects?.(field) ?? partsOfDays.get(`${day} ${member}`);
      if (!partitions) {
        partitions = await ledger.grants.partsAt(member, grantedAtMs);
        partsOfDays.set(`${day} ${member}`, partitions);
      }
      // A grant may be dated some minutes ahead: its revoke must be later.
      const occurredAtMs = Math.max(nowMs, grantedAtMs + 1);
      const revoke = { kind: 'revoke' as const, member, field, points, occurredAtMs, grantedAtMs };
      const transition = {
        ...revoke,
        partitions,
        boards: boardsOf(field),
        beginnings,
        ...(counts && { counts }),
        ...onceOf(book, field),
      };
      revokes.push({ transition, ...openness(ledger, transition, nowMs) });
    }
    return revokes;
  }

  /** What revokes took, in the module's own ledger: points are counted as it counts them. */
  taken(ledger: Ledger, revokes: readonly Revoke[], results: readonly TransitionResult[]): Taken[] {
    if (ledger !== this.ledgers.main) return [];
    return results.flatMap(({ outcome, points }, i) =>
      outcome === 'revoked' ? [{ userId: (revokes[i] as Revoke).transition.member, points: -points }] : [],
    );
  }

  /** By a grant's field, the boards on which it counts, whether or not its rule is still in force. */
  private countingBoards(ledger: Ledger, countsOn: ReturnType<typeof boardCounts>) {
    const boardsOf = boardsCounting(ledger.settings.boards, countsOn);
    return (field: string) => {
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
    grants: readonly MemberGrant[],
  ): Promise<((field: string) => Readonly<Record<string, string>> | null) | null> {
    if (!this.subjects || settings.partitionKeys.length === 0) return null;
    const ofGrants = new Set(grants.flatMap(({ field }) => subjectInField(field).subject ?? []));
    const ask = () => this.subjects?.find([...ofGrants]);
    const found = await answerWithin(this.activity.observers.timeoutMs, 'subjects', ask).catch((cause: unknown) => {
      throw new ActivityError('unavailable', "The app's SubjectPartitions failed: try again in a moment.", {
        cause,
      });
    });
    return (field) => {
      const { subject } = subjectInField(field);
      return subject === null ? null : (found?.get(subject) ?? {});
    };
  }
}

/** What counts once for good is remembered apart from ledgers: its revoke has to say so. It gives nothing back. */
function onceOf(book: RuleBook, field: string): Pick<Transition, 'onceInDays' | 'freesNone'> {
  const code = readOwnerField(field)?.code ?? codeOfField(field);
  const isForGood = book.find(book.actionOfCode(code))?.rule.once === 'ever';
  return isForGood ? { onceInDays: Infinity, freesNone: true } : {};
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
