import { keys, ledgerStem } from '../../keys/keys';
import { runScript, type RedisClient } from '../../redis/run';
import type { Script } from '../../scripts/script';
import { scripts } from '../../scripts/scripts.generated';
import type { CalendarDay } from '../periods/calendar';
import { countSetOf, namedCounters, type CountSet } from './counts';
import type { LedgerSettings } from '../model/ledger-options';
import type { LedgerCount, LimitQuota, PreparedLimit, TransitionLimit } from '../model/ledger.types';
import { compactDay, dayNumber } from '../../time/days';
import { Period } from '../../time/period';
import type { PeriodSpec } from '../../time/period-spec';
import { givenTo, lineOf, ownKeysOf, type PeriodLedgers, toldMoment, windowKeyOf } from './limit-lines';
import { recordOf } from '../../redis/record-of';
import { withOwnLimits } from '../model/own-limits';

/** A limit, and for what it is asked: as a transition has it. */
export interface QuotaQuestion {
  readonly limit: TransitionLimit;
  /** For a limit per field. */
  readonly field?: string;
  /** For a limit per pair. */
  readonly counterpart?: string;
  /** For a limit of the caller's own. */
  readonly prepared?: PreparedLimit;
}

/** The moment for which quotas are asked, and the counts of their caller. */
export interface QuotaOptions {
  /** Default: the clock's now. */
  readonly atMs?: number;
  /** As a transition's. Default: what the limits asked for count. */
  readonly counts?: readonly LedgerCount[];
}

/** The twin of read-quota.lua. */
export class QuotaReader {
  private readonly script: Script<typeof scripts.readQuota.keys, typeof scripts.readQuota.args>;

  constructor(
    private readonly redis: RedisClient,
    private readonly settings: LedgerSettings,
  ) {
    this.script = withOwnLimits(scripts.readQuota, settings.limitTypes);
  }

  async read(
    member: string,
    questions: readonly QuotaQuestion[],
    options: QuotaOptions & { readonly atMs: number },
    tag: string,
    day: CalendarDay,
  ): Promise<(LimitQuota | null)[]> {
    const { prefix } = this.settings;
    const limits = questions.map(({ limit }) => limit);
    const counted = countSetOf([{ limits, ...(options.counts && { counts: options.counts }) }]);
    const others: string[] = [];
    const place = { prefix, tag };
    const { timezone } = this.settings;
    const span = (period: PeriodSpec) => spanOf(period, day, { ...place, timezone, member, others });
    const lines = questions.map((question) => lineFor(question, member, counted, others, place, span));
    const asked = lines.filter((line) => line !== null);
    if (asked.length === 0) return lines.map(() => null);
    const ledger = ledgerStem(prefix, tag, day.compactKey) + member;
    const { digest } = counted;
    const counters = namedCounters(counted, this.settings.fieldNames);
    const record = { digest, counters, limits: asked, nowMs: options.atMs, member };
    const plan = JSON.stringify(recordOf(scripts.readQuota.records.quota, record));
    const named = { ledger, counting: keys.counting(prefix, tag), others };
    const reply = (await runScript(this.redis, this.script, named, { plan })) as readonly string[];
    let told = 0;
    return limits.map((limit, i) => {
      if (lines[i] === null) return null;
      told += 3;
      return quotaOf(limit, reply.slice(told - 3, told), day.endMs);
    });
  }
}

/** A limit as the script reads it, its keys among `others`; null if the question lacks what the limit needs. */
function lineFor(
  { limit, field, counterpart, prepared }: QuotaQuestion,
  member: string,
  counts: CountSet,
  others: string[],
  place: { readonly prefix: string; readonly tag: string },
  spanOfPeriod: (period: PeriodSpec) => PeriodLedgers,
): readonly unknown[] | null {
  if (limit.type === 'daily') {
    const span = limit.period ? spanOfPeriod(limit.period) : 0;
    return limit.period && span === 0 ? null : lineOf(limit, counts, { span });
  }
  if (limit.type === 'sliding') {
    const key = windowKeyOf(limit, { member, ...(field && { field }), ...(counterpart && { counterpart }) }, place);
    return key === null ? null : lineOf(limit, counts, { window: others.push(key) });
  }
  if (!prepared) return null;
  const positions = ownKeysOf(limit.name, member, prepared, place).map((key) => others.push(key));
  return lineOf(limit, counts, { given: givenTo(positions, prepared) });
}

/** A period's end, and the places of the ledgers of its days but one, up to that one's next. */
function spanOf(
  spec: PeriodSpec,
  day: CalendarDay,
  at: { prefix: string; tag: string; timezone: string; member: string; others: string[] },
): PeriodLedgers {
  const period = Period.find(spec, new Date(day.startMs), at.timezone);
  if (!(period instanceof Period) || period.end === null) return 0;
  const first = dayNumber(Period.of('day', period.start, at.timezone).key);
  const last = Math.min(
    dayNumber(Period.of('day', new Date(period.end.getTime() - 1), at.timezone).key),
    day.number + 1,
  );
  const places: number[] = [];
  for (let number = first; number <= last; number++) {
    if (number === day.number) continue;
    places.push(at.others.push(ledgerStem(at.prefix, at.tag, compactDay(number)) + at.member));
  }
  return [period.end.getTime(), ...places];
}

function quotaOf(limit: TransitionLimit, told: readonly string[], dayEndMs: number): LimitQuota {
  const [used = null, max = null] = told.map(numberIn);
  const [, , free = ''] = told;
  const left = used === null || max === null ? null : Math.max(0, max - used);
  const isDaily = limit.type === 'daily';
  const isFault = free.startsWith('!');
  const again = free === '' || isFault ? null : toldMoment(free);
  return {
    limit: limit.name,
    of: isDaily && limit.count.of === 'points' ? 'points' : 'grants',
    max,
    used,
    left,
    allowedAgainAtMs: isDaily && !limit.period && left === 0 && Number.isFinite(dayEndMs) ? dayEndMs : again,
    ...(isFault && { fault: free.slice(1) }),
  };
}

/** A limit of the caller's own may say of anything that there is no end of it. */
function numberIn(text: string): number | null {
  return text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
}
