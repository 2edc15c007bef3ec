import { Body, Controller, HttpCode, Inject, Post, Query, UseFilters, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiKeyGuard } from '../../http/api-key.guard';
import { ActivityError } from '../../errors/errors';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../../options/settings';
import { ProblemFilter } from '../../http/problem.filter';
import { ApiProblems } from '../../http/problem.responses';
import { ProblemValidationPipe } from '../../http/problem-validation.pipe';
import { resolveDocument } from '../../rules/rules-document';
import { rulesBodySchema } from '../../live-rules/rules.responses';
import { RuleSimulation } from './rule-simulation';
import { SimulationQuery } from './simulation.dto';
import { SimulationAnswer } from './simulation.responses';

/** How long a request computes: the command has no such bound. */
const maxMs = 30_000;

/** How a period would have stood under other rules, before they are put in force. */
@ApiTags('activity')
@ApiBearerAuth()
@ApiProblems(400, 401, 403, 404, 410, 413, 415, 503)
@Controller('activity/simulations')
@UseFilters(ProblemFilter)
@UseGuards(ApiKeyGuard)
export class SimulationsController {
  private isBusy = false;

  constructor(
    private readonly simulation: RuleSimulation,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Computes from the ledgers how a period would have stood under the rules of the body. Changes nothing.',
    description:
      'As the command `simulate`: points alone are simulated, limits are not. One at a time for each instance, for 30 ' +
      'seconds at most, some 50 users a round trip: what takes longer is for the command.',
  })
  @ApiBody({ schema: rulesBodySchema as object })
  @ApiOkResponse({ type: SimulationAnswer })
  async simulate(
    @Body(new ProblemValidationPipe()) body: unknown,
    @Query(new ProblemValidationPipe()) { leaderboard, period = 'current', top = 20 }: SimulationQuery,
  ): Promise<SimulationAnswer> {
    const { rules } = resolveDocument(body, this.settings.limitTypes);
    if (this.isBusy)
      throw new ActivityError('overloaded', 'Another simulation is under way: try again when it has ended.');
    this.isBusy = true;
    const signal = AbortSignal.timeout(maxMs);
    try {
      return await this.simulation.run({
        ...(leaderboard !== undefined && { leaderboard }),
        period,
        rules,
        top,
        signal,
      });
    } catch (error) {
      if (!signal.aborted || error instanceof ActivityError) throw error;
      const message = `It takes longer than ${maxMs / 1_000} seconds: use the command "simulate".`;
      throw new ActivityError('overloaded', message, { cause: error });
    } finally {
      this.isBusy = false;
    }
  }
}
