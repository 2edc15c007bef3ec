import { LeaderboardError } from '../../errors/errors';
import { chunksOf, groupBy } from '../../lists/lists';
import { keys } from '../../keys/keys';
import { guarded, MembersMovedError, type MemberScripts } from '../sharding/guard';
import { loadScript, type RedisClient } from '../../redis/run';
import { served } from '../../redis/served';
import type { Script } from '../../scripts/script';
import { scripts } from '../../scripts/scripts.generated';
import { shardOf } from '../../keys/shard';
import { whenAll } from '../../redis/when-all';
import type { Calendar } from '../periods/calendar';
import { countSetOf } from '../limits/counts';
import type { LedgerSettings } from '../model/ledger-options';
import type { Transition, TransitionResult } from '../model/ledger.types';
import { withOwnLimits } from '../model/own-limits';
import type { PeriodRegistry } from '../periods/period-registry';
import type { ShardsInForce } from '../sharding/shards-in-force';
import type { TermsRegister } from '../settings/terms';
import type { ColdRecall } from '../cold/cold-recall';
import { ColdDays } from './cold-days';
import { CrowdedHashes } from './crowded-hashes';
import { checkTransition } from './transition-checks';
import { areForGoodBeforeOthers, concernsOtherDays, RememberedDays } from './remembered-days';
import { TransitionPlan } from './transition-plan';

/** The most transitions in one script call: a longer one would keep other clients of that Redis waiting. */
const maxTransitionsPerCall = 500;

/** How many crowded days a call may have to look through: each takes Redis two to four milliseconds. */
const maxSearchesPerCall = 2;

/** How often the days of members may change between the two trips of a call. */
const maxTries = 20;
const unreadDays =
  'The days on which a member has ledgers changed whenever they were read. Repeat the call: it is safe, and what was judged is a duplicate.';

/** The script that judges, with custom limits in it. */
type JudgingScript = Script<typeof scripts.judgeTransitions.keys, typeof scripts.judgeTransitions.args>;

/** How long a shard whose plain grants record-grants.lua left goes to the judge at once. */
const judgedAtOnceMs = 1_000;

/** How often transitions were tried before, and whether record-grants.lua left them. */
interface Again {
  readonly tries: number;
  readonly isLeft: boolean;
}

/** The collaborators of one ledger's recording. */
export interface RecordingParts {
  readonly settings: LedgerSettings;
  readonly calendar: Calendar;
  readonly registry: PeriodRegistry;
  readonly register: TermsRegister;
  readonly members: MemberScripts;
  readonly inForce: ShardsInForce;
  readonly cold: ColdRecall;
}

/** Judges transitions, call by call, and moves ledgers and boards. */
export class Recording {
  private readonly settings: LedgerSettings;
  private readonly calendar: Calendar;
  private readonly registry: PeriodRegistry;
  private readonly register: TermsRegister;
  private readonly members: MemberScripts;
  private readonly inForce: ShardsInForce;
  private readonly cold: ColdRecall;
  private readonly crowded = new CrowdedHashes();
  private readonly judging: JudgingScript;
  /** By shard, until when its plain grants go to the judge at once. */
  private readonly judgedUntilMs: number[] = [];

  constructor(
    private readonly redis: RedisClient,
    { settings, calendar, registry, register, members, inForce, cold }: RecordingParts,
  ) {
    this.settings = settings;
    this.calendar = calendar;
    this.registry = registry;
    this.register = register;
    this.members = members;
    this.inForce = inForce;
    this.cold = cold;
    this.judging = withOwnLimits(scripts.judgeTransitions, settings.limitTypes);
  }

  /** Brings the scripts to every server. */
  async load(): Promise<void> {
    await whenAll([scripts.recordGrants, this.judging].map((script) => loadScript(this.redis, guarded(script))));
  }

  /** As `Ledger.apply`. */
  async apply(transitions: readonly Transition[]): Promise<TransitionResult[]> {
    transitions.forEach(checkTransition);
    this.checkBoards(transitions);
    return this.judgeByShard(transitions);
  }

  /** As `Ledger.applyToShard`. */
  async applyToShard(shard: number, transitions: readonly Transition[]): Promise<TransitionResult[]> {
    this.checkBoards(transitions);
    return this.judgeInShard(shard, transitions);
  }

  private checkBoards(transitions: readonly Transition[]): void {
    let last: readonly string[] | undefined;
    for (const { boards } of transitions) {
      if (boards !== undefined && boards !== last) this.calendar.checkNames(boards);
      last = boards;
    }
  }

  private async judgeByShard(transitions: readonly Transition[]): Promise<TransitionResult[]> {
    const shards = this.settings.tags.length;
    const byShard = groupBy(transitions.keys(), (index) => shardOf((transitions[index] as Transition).member, shards));
    const results = new Array<TransitionResult>(transitions.length);
    await whenAll(
      [...byShard].map(async ([shard, indexes]) => {
        const own = indexes.map((index) => transitions[index] as Transition);
        const judged = await this.judgeInShard(shard, own);
        indexes.forEach((index, i) => (results[index] = judged[i] as TransitionResult));
      }),
    );
    return results;
  }

  private async judgeInShard(
    shard: number,
    transitions: readonly Transition[],
    again: Again = { tries: 0, isLeft: false },
  ): Promise<TransitionResult[]> {
    if (transitions.length > maxTransitionsPerCall) {
      const results: TransitionResult[] = [];
      for (const chunk of chunksOf(transitions, maxTransitionsPerCall)) {
        results.push(...(await this.judgeInShard(shard, chunk)));
      }
      return results;
    }
    // They may have been put together when members were spread over another number of shards.
    if (this.inForce.hasMoved && transitions.some(({ member }) => shardOf(member, this.settings.tags.length) !== shard))
      return this.judgeByShard(transitions);
    const { tags } = this.settings;
    try {
      return await this.judgeNow(shard, transitions, tags, again);
    } catch (error) {
      if (!(error instanceof MembersMovedError)) throw error;
      await this.inForce.sync();
      if (tags === this.settings.tags) throw error;
      return this.judgeByShard(transitions);
    }
  }

  private async judgeNow(
    shard: number,
    transitions: readonly Transition[],
    tags: readonly string[],
    { tries, isLeft }: Again,
  ): Promise<TransitionResult[]> {
    const knownDays = await this.readDays(shard, transitions);
    const remembered = new RememberedDays();
    // Nothing is remembered of most: days are read only where the judge found some that this call did not know, or
    // where it must not leave what comes before others.
    if (tries > 0 || areForGoodBeforeOthers(transitions))
      await remembered.read(this.redis, this.settings, tags[shard] as string, transitions);
    const cold = new ColdDays(this.settings, this.calendar, this.cold);
    if (this.cold.isOn) await cold.bring(transitions, { knownDays, remembered, tries });
    const version = this.register.known ?? (await this.register.register());
    // Hosts' clocks may differ by the skew allowed: a revoke that another host accepts is dated at most so far ahead.
    const nowMs = this.settings.clock.now();
    const horizon = this.calendar.dayOf(nowMs + 2 * this.settings.clockSkewMs);
    if (tags !== this.settings.tags) throw new MembersMovedError();
    const counts = countSetOf(transitions);
    const judgesDays = tries > 0;
    const place = { shard, nowMs, horizon, crowded: this.crowded, remembered, cold, judgesDays };
    const plan = new TransitionPlan(this.settings, this.calendar, place, counts, knownDays, version);
    plan.take(transitions);
    if (plan.searches > maxSearchesPerCall && transitions.length > 1) {
      const results: TransitionResult[] = [];
      for (const half of chunksOf(transitions, Math.ceil(transitions.length / 2))) {
        results.push(...(await this.judgeInShard(shard, half, { tries, isLeft })));
      }
      return results;
    }
    const noted = this.registry.note(plan.periods);
    const isPlain = plan.hasPlainGrantsAlone && !isLeft && nowMs >= (this.judgedUntilMs[shard] ?? 0);
    const judged = plan.isEmpty ? Promise.resolve([]) : this.judge(plan, isPlain, shard, transitions);
    const reply = noted ? (await whenAll<unknown>([judged, noted]))[0] : await judged;
    if (isPlain && !plan.isEmpty && (reply as unknown[]).length === 0)
      this.judgedUntilMs[shard] = nowMs + judgedAtOnceMs;
    const results = plan.read(reply);
    const unjudged = results.flatMap((result, index) => (result ? [] : [index]));
    if (unjudged.length > 0) {
      // The judge takes what record-grants.lua left. If the judge left them, these members got a ledger of a new day
      // between the two round trips: they are judged again, with their days of now.
      if (tries === maxTries) throw new LeaderboardError('unavailable', unreadDays);
      const left = unjudged.map((index) => transitions[index] as Transition);
      const rest = await this.judgeInShard(shard, left, { tries: isPlain ? tries : tries + 1, isLeft: isPlain });
      unjudged.forEach((index, i) => (results[index] = rest[i] as TransitionResult));
    }
    return results as TransitionResult[];
  }

  private judge(
    plan: TransitionPlan,
    isPlain: boolean,
    shard: number,
    transitions: readonly Transition[],
  ): Promise<unknown> {
    const args = plan.scriptArgs(isPlain);
    const concerned = { tag: this.settings.tags[shard] as string, members: transitions.map(({ member }) => member) };
    return isPlain
      ? this.members.run(scripts.recordGrants, plan.grantKeys(), args, concerned)
      : this.members.run(this.judging, plan.judgeKeys(), args, concerned);
  }

  /** The days on which those members have ledgers whose transitions concern other days, where that is listed. */
  private async readDays(shard: number, transitions: readonly Transition[]): Promise<Map<string, Set<number>>> {
    if (!this.settings.indexesDays) return new Map();
    const members = new Set(transitions.filter(concernsOtherDays).map(({ member }) => member));
    const tag = this.settings.tags[shard] as string;
    return new Map(
      await whenAll(
        [...members].map(async (member) => {
          const key = keys.days(this.settings.prefix, tag, member);
          const days = await served(this.redis, key, () => this.redis.zrange(key, '0', '-1'));
          return [member, new Set(days.map(Number))] as const;
        }),
      ),
    );
  }
}
