import { keys } from '../keys';
import { guarded, MembersMovedError, type MemberScripts } from '../resharding/guard';
import { loadScript, type RedisClient } from '../scripts/run';
import { served } from '../scripts/served';
import { scripts, type Script } from '../scripts/scripts.generated';
import { shardOf } from '../shard';
import type { Calendar } from './calendar';
import { countSetOf, cutByCounts } from './counts';
import type { LedgerSettings } from './ledger-options';
import type { Transition, TransitionResult } from './ledger.types';
import { withOwnLimits } from './own-limits';
import type { PeriodRegistry } from './period-registry';
import type { ShardsInForce } from './shards-in-force';
import type { TermsRegister } from './terms';
import { checkTransition } from './transition-checks';
import { concernsOtherDays, TransitionPlan } from './transition-plan';

/** The most transitions in one script call: a longer one would keep other clients of that Redis waiting. */
const maxTransitionsPerCall = 500;

/** The script that records, with the limits of the caller's own in it. */
type RecordingScript = Script<typeof scripts.recordTransitions.keys, typeof scripts.recordTransitions.args>;

/** What the recording of one ledger goes by. */
export interface RecordingParts {
  readonly settings: LedgerSettings;
  readonly calendar: Calendar;
  readonly registry: PeriodRegistry;
  readonly register: TermsRegister;
  readonly members: MemberScripts;
  readonly inForce: ShardsInForce;
}

/** Judges transitions, call by call, and moves ledgers and boards. */
export class Recording {
  private readonly settings: LedgerSettings;
  private readonly calendar: Calendar;
  private readonly registry: PeriodRegistry;
  private readonly register: TermsRegister;
  private readonly members: MemberScripts;
  private readonly inForce: ShardsInForce;
  private readonly recording: RecordingScript;

  constructor(
    private readonly redis: RedisClient,
    { settings, calendar, registry, register, members, inForce }: RecordingParts,
  ) {
    this.settings = settings;
    this.calendar = calendar;
    this.registry = registry;
    this.register = register;
    this.members = members;
    this.inForce = inForce;
    this.recording = withOwnLimits(scripts.recordTransitions, settings.limitTypes);
  }

  /** Brings the script to every server. */
  load(): Promise<void> {
    return loadScript(this.redis, guarded(this.recording));
  }

  /** As `Ledger.apply`. */
  async apply(transitions: readonly Transition[]): Promise<TransitionResult[]> {
    transitions.forEach(checkTransition);
    const byShard = new Map<number, number[]>();
    transitions.forEach((transition, index) => {
      const shard = shardOf(transition.member, this.settings.tags.length);
      const indexes = byShard.get(shard);
      if (indexes) indexes.push(index);
      else byShard.set(shard, [index]);
    });
    const results = new Array<TransitionResult>(transitions.length);
    await Promise.all(
      [...byShard].map(async ([shard, indexes]) => {
        for (let start = 0; start < indexes.length; start += maxTransitionsPerCall) {
          const chunk = indexes.slice(start, start + maxTransitionsPerCall);
          const judged = await this.applyToShard(
            shard,
            chunk.map((index) => transitions[index] as Transition),
          );
          chunk.forEach((index, i) => {
            results[index] = judged[i] as TransitionResult;
          });
        }
      }),
    );
    return results;
  }

  /** As `Ledger.applyToShard`. */
  async applyToShard(shard: number, transitions: readonly Transition[]): Promise<TransitionResult[]> {
    // They may have been put together when members were spread over another number of shards.
    if (this.inForce.hasMoved && transitions.some(({ member }) => shardOf(member, this.settings.tags.length) !== shard))
      return this.apply(transitions);
    const { tags } = this.settings;
    try {
      return await this.applyNow(shard, transitions, tags);
    } catch (error) {
      if (!(error instanceof MembersMovedError)) throw error;
      await this.inForce.sync();
      if (tags === this.settings.tags) throw error;
      return this.apply(transitions);
    }
  }

  private async applyNow(
    shard: number,
    transitions: readonly Transition[],
    tags: readonly string[],
  ): Promise<TransitionResult[]> {
    const cut = cutByCounts(transitions);
    if (cut.length > 1) {
      const results: TransitionResult[] = [];
      for (const alike of cut) results.push(...(await this.applyToShard(shard, alike)));
      return results;
    }
    const knownDays = await this.readDays(shard, transitions);
    const version = this.register.known ?? (await this.register.register());
    if (tags !== this.settings.tags) throw new MembersMovedError();
    const nowMs = this.settings.clock.now();
    const counts = countSetOf(transitions[0] ?? {});
    const plan = new TransitionPlan(this.settings, this.calendar, shard, nowMs, counts, knownDays, version);
    for (const index of memberByMember(transitions)) plan.add(transitions[index] as Transition, index);
    const noted = this.registry.note(plan.periods);
    const judged = plan.isEmpty ? [] : this.judge(plan, shard, transitions);
    const results = plan.read(noted ? (await Promise.all([judged, noted]))[0] : await judged);
    // A member got a ledger of a new day between the two trips: those few are judged again, by the days of now.
    const unjudged = results.flatMap((result, index) => (result ? [] : [index]));
    if (unjudged.length > 0) {
      const again = await this.applyToShard(
        shard,
        unjudged.map((index) => transitions[index] as Transition),
      );
      unjudged.forEach((index, i) => (results[index] = again[i] as TransitionResult));
    }
    return results as TransitionResult[];
  }

  private judge(plan: TransitionPlan, shard: number, transitions: readonly Transition[]): Promise<unknown> {
    const args = plan.scriptArgs();
    const concerned = { tag: this.settings.tags[shard] as string, members: transitions.map(({ member }) => member) };
    return this.members.run(this.recording, plan.scriptKeys(), args, concerned);
  }

  /** The days on which those members have ledgers whose transitions concern other days, where that is listed. */
  private async readDays(shard: number, transitions: readonly Transition[]): Promise<ReadonlyMap<string, Set<number>>> {
    if (!this.settings.indexesDays) return new Map();
    const members = new Set(transitions.filter(concernsOtherDays).map(({ member }) => member));
    const tag = this.settings.tags[shard] as string;
    return new Map(
      await Promise.all(
        [...members].map(async (member) => {
          const key = keys.days(this.settings.prefix, tag, member);
          const days = await served(this.redis, key, () => this.redis.zrange(key, '0', '-1'));
          return [member, new Set(days.map(Number))] as const;
        }),
      ),
    );
  }
}

/**
 * The places of transitions, those of one member one after the other in their order: the script then reads and writes his
 * ledger once. Members' order does not matter: no transition reads or changes anything of another member.
 */
function memberByMember(transitions: readonly Transition[]): number[] {
  const firsts = new Map<string, number>();
  transitions.forEach(({ member }, index) => {
    if (!firsts.has(member)) firsts.set(member, index);
  });
  const indexes = transitions.map((_, index) => index);
  if (firsts.size === transitions.length) return indexes;
  const firstOf = (index: number) => firsts.get((transitions[index] as Transition).member) as number;
  return indexes.sort((a, b) => firstOf(a) - firstOf(b));
}
