import { Body, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { ApiKeyGuard, ApiProblems, ProblemValidationPipe, Text, WholeNumber } from '@laurel/activity/http';
import {
  ACTIVITY_SETTINGS,
  type ActivitySettings,
  ApiBearerAuth,
  ApiBody,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  Needs,
  GuardedRoutes,
  resolveDocument,
  rulesBodySchema,
} from '@laurel/activity/internals';
import { RuleSimulation } from './rule-simulation';
import { Simulation } from './simulation';
import { BoundedWork } from './bounded-work';

/** The rules and limits to simulate. */
export class SimulationQuery {
  @Text({ max: 32, description: 'Default: the first leaderboard that has the period.', example: 'month' })
  readonly leaderboard?: string;

  @Text({ max: 24, default: 'current', description: 'As for standings.', example: '2026-11' })
  readonly period?: string;

  @WholeNumber({ min: 1, max: 1_000, default: 20, description: 'How many users.' })
  readonly top?: number;
}

/** How a period would have stood under other rules, before they are put in force. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 404, 410, 413, 415, 503)
@GuardedRoutes('activity/simulations', ApiKeyGuard)
export class SimulationsController {
  private readonly work = new BoundedWork('simulation', 'simulate');

  constructor(
    private readonly simulation: RuleSimulation,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  @Post()
  @Needs('read')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Computes from the ledgers how a period would have stood under the rules of the body. Changes nothing.',
    description:
      'As the command `simulate`: points are simulated, limits are not. Each instance computes one simulation at a time, for ' +
      '30 seconds at most, about 50 users a round trip; longer ones are for the command.',
  })
  @ApiBody({ schema: rulesBodySchema as object })
  @ApiOkResponse({ type: Simulation })
  async simulate(
    @Body(new ProblemValidationPipe()) body: unknown,
    @Query(new ProblemValidationPipe()) { leaderboard, period = 'current', top = 20 }: SimulationQuery,
  ): Promise<Simulation> {
    const { rules } = resolveDocument(body, this.settings);
    const named = leaderboard === undefined ? {} : { leaderboard };
    return this.work.run((signal) => this.simulation.run({ ...named, period, rules, top, signal }));
  }
}
