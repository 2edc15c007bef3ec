import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  Logger,
  UseGuards,
} from '@nestjs/common';
import { answerWithin } from '../deadlines/deadline';
import { ActivityError } from '../errors/errors';
import { Ledgers } from '../ledgers/ledgers';
import type { Visibility } from '../options/activity.options';
import { ACTIVITY_SETTINGS, type ActivitySettings, type LeaderboardSettings } from '../options/settings';
import { ApiParam } from '../peers/decorators';
import { ApiKey } from './api-key';
import { errorTrace } from './error-trace';
import { ApiProblems } from './problem.responses';
import type { HttpRequest } from './request';
import { keepPrivate } from './tagged-answers';

const logger = new Logger('Visibility');

/** How long the same failure is not logged again: each request, and each stream that is open, may have it. */
const quietMs = 60_000;
let latest: { readonly fault: string | undefined; readonly untilMs: number } = { fault: undefined, untilMs: 0 };

/** Whether who asks sees something. @throws ActivityError `unavailable` where the app's function fails or is slow. */
export async function isSeen<Of extends { readonly viewer: string | null }>(
  visibility: Visibility<Of>,
  asked: Of,
  withinMs: number,
): Promise<boolean> {
  if (typeof visibility !== 'function')
    return visibility === 'all' || (visibility === 'signed-in' && asked.viewer !== null);
  const who = 'The function `visibility`';
  try {
    return await answerWithin(withinMs, who, () => visibility(asked));
  } catch (cause) {
    const trace = errorTrace(cause);
    const [fault] = trace.split('\n', 1);
    if (latest.fault !== fault || performance.now() >= latest.untilMs) {
      latest = { fault, untilMs: performance.now() + quietMs };
      logger.error(`${who} failed: requests are answered 503, open streams go on`, trace);
    }
    throw new ActivityError('unavailable', `${who} could not answer: try again in a moment.`, { cause });
  }
}

/** Lets in to a leaderboard, named by the path or else by the query, who sees it; to others there is none. */
@Injectable()
export class VisibleBoards implements CanActivate {
  constructor(
    private readonly ledgers: Ledgers,
    private readonly apiKey: ApiKey,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<HttpRequest & Record<'params' | 'query', Record<string, unknown>>>();
    const name = request.params['leaderboard'] ?? request.query['leaderboard'];
    // A query may name none; one that is no text, the route refuses.
    if (typeof name !== 'string') return true;
    const { settings } = this.ledgers.boards(name);
    if (settings.visibility === 'all') return true;
    keepPrivate(request);
    if (await this.shows(settings, request)) return true;
    throw this.ledgers.unknown();
  }

  /** The names of the leaderboards that who asks sees: where others see other ones, so is the answer. */
  async namesFor(request: HttpRequest): Promise<ReadonlySet<string>> {
    const { leaderboards } = this.settings;
    if (leaderboards.some(({ visibility }) => visibility !== 'all')) keepPrivate(request);
    const seen = await Promise.all(leaderboards.map((one) => this.shows(one, request)));
    return new Set(leaderboards.flatMap(({ name }, i) => (seen[i] ? [name] : [])));
  }

  /** Whether who asks sees a leaderboard. */
  async shows({ name, visibility }: LeaderboardSettings, request: HttpRequest): Promise<boolean> {
    if (visibility === 'all' || this.apiKey.may(request, 'read')) return true;
    const viewer = this.settings.currentUser(request);
    return isSeen(visibility, { leaderboard: name, viewer }, this.settings.commandTimeoutMs);
  }
}

/** A route of one leaderboard: for who sees it. */
export const OfLeaderboard = (example = 'day'): MethodDecorator =>
  applyDecorators(ApiParam({ name: 'leaderboard', example }), ApiProblems(400, 404), UseGuards(VisibleBoards));
