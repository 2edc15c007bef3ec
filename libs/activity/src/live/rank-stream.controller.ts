import { Get, Headers, Inject, Param, Query, Req, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiProduces,
  ApiResponse,
  ApiTags,
} from '../core/peers/decorators';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
import { ApiProblems } from '../core/http/problem.responses';
import { QueryPipe } from '../core/http/validation';
import { addressOf } from '../shared/address';
import { Routes } from '../core/http/mounting';
import { OfLeaderboard, VisibleBoards } from '../core/http/visible-boards';
import { beginStream, type PlatformResponse, type StreamHttpRequest } from './stream-client';
import { StreamQuery } from './stream.dto';
import { AwayEvent, OvertakenEvent, StandingEvent } from './stream.responses';
import { Streams } from './streams';

const description = `Server-sent events of the current period. An \`id\` is the ETag, without its quotes, of the same first
page at \`GET /ranks/{leaderboard}\`; a client that comes back with it as \`Last-Event-ID\` is sent that page only if it has
changed.

- \`standings\`: the page (RankPage), at once and at each change of places or points, at most one a second;
- \`standing\` (StandingEvent), to a signed-in user: their own rank, within a second and at each change of it;
- \`overtaken\` (OvertakenEvent), to a signed-in user: others passed them, and their own points did not fall;
- \`away\` (AwayEvent): Redis does not answer. The stream stays open; when it is back, \`standings\` is sent again;
- \`closing\`: the service stops, come again after \`retry\`.

A comment is sent every 15 seconds. A signed-in user sends a token in \`Authorization\`, so they read the stream with
\`fetch\`: an \`EventSource\` sends no headers, and a token does not belong in a URL.`;

/** Live standings. */
@ApiTags('ranks')
@Routes('ranks')
export class RankStreamController {
  constructor(
    private readonly streams: Streams,
    private readonly visible: VisibleBoards,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /** `GET /ranks/:leaderboard/stream` */
  @Get(':leaderboard/stream')
  @ApiOperation({ summary: 'The first page of standings, and each change of it, as it happens.', description })
  @ApiBearerAuth()
  @OfLeaderboard()
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'The id of the last `standings` event received.' })
  @ApiProduces('text/event-stream')
  @ApiExtraModels(StandingEvent, OvertakenEvent, AwayEvent)
  @ApiResponse({
    status: 200,
    description: 'The stream, which does not end by itself.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  @ApiProblems(429, 503)
  async stream(
    @Param('leaderboard') leaderboard: string,
    @Query(QueryPipe) { limit = 10, ranking = 'ordinal', titles = false, partition }: StreamQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: StreamHttpRequest,
    @Res() response: PlatformResponse,
  ): Promise<void> {
    const stream = await this.streams.admit({
      leaderboard,
      partition,
      limit,
      ranking,
      titles,
      identity: { address: addressOf(request), userId: this.settings.currentUser(request) },
      lastEventId: lastEventId ?? null,
      sees: (settings) => this.visible.shows(settings, request),
    });
    beginStream(request, response, stream);
  }
}
