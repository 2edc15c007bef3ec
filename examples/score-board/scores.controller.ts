import { Exclusions, REDIS_CLIENT, UserErasedEvent, UserExcludedEvent } from '@laurel/activity';
import { Leaderboard, type RedisClient, ScoreLayout } from '@laurel/leaderboard/boards';
import {
  Body,
  Controller,
  ForbiddenException,
  Get,
  Headers,
  Inject,
  NotFoundException,
  Param,
  ParseEnumPipe,
  ParseFloatPipe,
  Post,
} from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';

enum Game {
  points = 'points',
  laps = 'laps',
}

/** What one medal of each kind adds. */
const medals = { gold: [1, 0, 0], silver: [0, 1, 0], bronze: [0, 0, 1] };

/** Scores that a game reports: no activities, so they are the engine's own boards, beside the module's. */
@Controller('scores')
export class ScoresController {
  private readonly boards: Readonly<Record<Game | 'attempts', Leaderboard>>;
  private readonly medals: Leaderboard<readonly number[]>;

  constructor(
    @Inject(REDIS_CLIENT) redis: RedisClient,
    private readonly exclusions: Exclusions,
  ) {
    const key = (name: string) => `${process.env.LAUREL_PREFIX ?? 'score-board'}-${name}`;
    this.boards = {
      points: new Leaderboard(redis, { key: key('points') }),
      laps: new Leaderboard(redis, { key: key('laps'), order: 'asc' }),
      attempts: new Leaderboard(redis, { key: key('attempts') }),
    };
    const layout = ScoreLayout.lexical({ dimensions: ['gold', 'silver', 'bronze'] });
    this.medals = new Leaderboard(redis, { key: key('medals'), layout });
  }

  @Get(':board')
  top(@Param('board') name: string) {
    const boards = { ...this.boards, medals: this.medals };
    const board = Object.entries(boards).find(([known]) => known === name)?.[1];
    if (!board) throw new NotFoundException(`Boards are ${Object.keys(boards).join(', ')}.`);
    return board.top(10);
  }

  /** The best of a user's scores stays; each is an attempt. A header stands here for your session. */
  @Post('play/:game')
  async play(
    @Param('game', new ParseEnumPipe(Game)) game: Game,
    @Headers('x-user') userId: string,
    @Body('score', ParseFloatPipe) score: number,
  ) {
    const { attempts, [game]: board } = this.boards;
    await Promise.all([attempts.increment(userId, 1), board.best(userId, score)]);
    return this.unlessExcluded(userId, () => board.entry(userId));
  }

  @Post('medals/:userId')
  async award(@Param('userId') userId: string, @Body('medal') medal: string) {
    const added = Object.entries(medals).find(([kind]) => kind === medal)?.[1];
    if (!added) throw new NotFoundException(`Medals are ${Object.keys(medals).join(', ')}.`);
    await this.medals.increment(userId, added);
    return this.unlessExcluded(userId, () => this.medals.entry(userId));
  }

  /** Whoever is banned or erased leaves every board for good; after a ban ends, they begin anew. */
  @OnEvent(UserExcludedEvent.eventName)
  @OnEvent(UserErasedEvent.eventName)
  async remove({ userId }: UserExcludedEvent | UserErasedEvent): Promise<void> {
    await Promise.all([...Object.values(this.boards), this.medals].map((board) => board.remove(userId)));
  }

  /** Asked after the write: a ban that comes between the two removes what was written. */
  private async unlessExcluded<T>(userId: string, answer: () => Promise<T>): Promise<T> {
    if (!(await this.exclusions.find(userId)).excluded) return answer();
    await this.remove({ userId });
    throw new ForbiddenException('You are excluded from the boards.');
  }
}
