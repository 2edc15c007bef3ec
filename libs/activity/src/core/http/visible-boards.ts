import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { Ledgers } from '../ledgers/ledgers';
import type { Visibility } from '../options/activity.options';
import { ACTIVITY_SETTINGS, type ActivitySettings, type LeaderboardSettings } from '../options/settings';
import { ApiParam } from '../peers/decorators';
import { ApiKey } from './api-key';
import type { HttpRequest } from './request';
import { keepPrivate } from './tagged-answers';

/** Whether who asks sees something. */
export function isSeen<Of extends { readonly viewer: string | null }>(
  visibility: Visibility<Of>,
  asked: Of,
): boolean | Promise<boolean> {
  if (typeof visibility === 'function') return visibility(asked);
  return visibility === 'all' || (visibility === 'signed-in' && asked.viewer !== null);
}

/** Lets in to a leaderboard who sees it; to others there is none. */
@Injectable()
export class VisibleBoards implements CanActivate {
  constructor(
    private readonly ledgers: Ledgers,
    private readonly apiKey: ApiKey,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<HttpRequest & { params: { leaderboard: string } }>();
    const { settings } = this.ledgers.boards(request.params.leaderboard);
    if (settings.visibility === 'all') return true;
    keepPrivate(request);
    if (await this.shows(settings, request)) return true;
    throw this.ledgers.unknown();
  }

  /** The names of the leaderboards that who asks sees. */
  async namesFor(request: HttpRequest): Promise<ReadonlySet<string>> {
    const { leaderboards } = this.settings;
    const seen = await Promise.all(leaderboards.map(async (one) => this.shows(one, request)));
    return new Set(leaderboards.flatMap(({ name }, i) => (seen[i] ? [name] : [])));
  }

  private shows({ name, visibility }: LeaderboardSettings, request: HttpRequest): boolean | Promise<boolean> {
    if (visibility === 'all' || this.apiKey.may(request, 'read')) return true;
    return isSeen(visibility, { leaderboard: name, viewer: this.settings.currentUser(request) });
  }
}

/** A route of one leaderboard: for who sees it. */
export const OfLeaderboard = (example = 'day'): MethodDecorator =>
  applyDecorators(ApiParam({ name: 'leaderboard', example }), UseGuards(VisibleBoards));
