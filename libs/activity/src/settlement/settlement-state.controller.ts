import { Get, Inject, Optional } from '@nestjs/common';
import { Answers } from '../core/http/problem.responses';
import { OperatorRoutes } from '../shared/operator-routes';
import { RedisConnection } from '../core/redis/redis-connection';
import type { LeaderboardBoards } from '../core/ledgers/leaderboard-boards';
import { Ledgers } from '../core/ledgers/ledgers';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
import { periodAnswer, settledAnswer } from '../core/ranks/page-assembler';
import { readArchive, type SettledPeriod, STANDINGS_ARCHIVE, type StandingsArchive } from './archive/standings-archive';
import { SettledBoards } from './settled-boards';
import { SETTLEMENT_SETTINGS, type SettlementSettings } from './settlement.options';
import { type LeaderboardSettlement, SettlementAnswer, type WaitingPeriod } from './settlement-state.responses';

/** The state of settling, for operators. */
@OperatorRoutes('activity/settlement', 'activity')
export class SettlementStateController {
  constructor(
    private readonly ledgers: Ledgers,
    private readonly connection: RedisConnection,
    @Inject(SETTLEMENT_SETTINGS) private readonly settlement: SettlementSettings,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
    @Optional() @Inject(STANDINGS_ARCHIVE) private readonly archive: StandingsArchive | null = null,
  ) {}

  /** A few round trips or reads of the archive for each leaderboard. */
  @Get()
  @Answers(SettlementAnswer, 'Of each leaderboard: the current period, those that wait, and the last that was settled.')
  async state(): Promise<SettlementAnswer> {
    const settled = this.ledgers.leaderboards().filter(({ settings }) => settings.rolling === null);
    return {
      isOn: this.settlement.settles,
      leaderboards: await Promise.all(settled.map((leaderboard) => this.of(leaderboard))),
    };
  }

  private async of(leaderboard: LeaderboardBoards): Promise<LeaderboardSettlement> {
    const { name, ledger } = leaderboard;
    const nowMs = this.settings.clock.now();
    const current = leaderboard.current();
    const unsettled = await this.connection.read(() => ledger.periods.unsettled(name));
    const waiting = unsettled.filter(({ end }) => end !== null && end.getTime() <= nowMs);
    // Each partition is archived by itself, and their number has no bound.
    const last = leaderboard.settings.partition === null ? await this.lastOf(leaderboard) : null;
    return {
      leaderboard: name,
      current: periodAnswer(current, await this.connection.read(() => leaderboard.stateOf(current))),
      waiting: waiting.map((period): WaitingPeriod => {
        const { closesAtMs } = leaderboard.timesOf(period);
        const closesAt = new Date(closesAtMs).toISOString();
        return { ...periodAnswer(period, 'closing'), closesAt, isDue: closesAtMs <= nowMs };
      }),
      lastSettled: last && {
        ...settledAnswer({ ...last, key: last.period }),
        settledAt: new Date(last.settledAtMs).toISOString(),
        total: last.total,
        checksum: last.checksum,
      },
    };
  }

  private async lastOf({ name, ledger }: LeaderboardBoards): Promise<SettledPeriod | null> {
    const { archive } = this;
    if (archive) return (await readArchive(this.settings, () => archive.periods(name, { limit: 1 })))[0] ?? null;
    return this.connection.read(async () => {
      const keys = (await ledger.periods.written(name)).map(({ key }) => key);
      const settled = await new SettledBoards(this.connection.client, ledger).all([name], keys);
      return settled.find((one) => one !== null) ?? null;
    });
  }
}
