import { ActivityModule, ActivityService } from '@laurel/activity/core';
import { BadRequestException, Controller, Headers, Module, Param, Put } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';

const { REDIS_URL, LAUREL_PREFIX, PORT } = process.env;

/** Who plays for whom: in your app, a table. */
const teams = new Map([
  ['ann', 'red'],
  ['ben', 'red'],
  ['cyd', 'blue'],
]);

@Controller('matches')
class MatchesController {
  constructor(private readonly activities: ActivityService) {}

  /** A goal is the player's and the team's. A player who changes teams leaves behind what was scored there. */
  @Put(':match/goals/:id')
  score(@Param('match') match: string, @Param('id') id: string, @Headers('x-user') userId: string) {
    const team = teams.get(userId);
    if (team === undefined) throw new BadRequestException('Join a team first.');
    const goal = { userId, action: 'goal', subject: `match:${match}`, id };
    return this.activities.record({ ...goal, ownerId: `team:${team}`, partitions: { team } });
  }
}

@Module({
  imports: [
    EventEmitterModule.forRoot(),
    ActivityModule.forRoot({
      redis: { url: REDIS_URL ?? 'redis://localhost:6379' },
      prefix: LAUREL_PREFIX ?? 'team-board',
      leaderboards: [
        { name: 'players', period: 'week' },
        { name: 'teammates', period: 'week', partition: 'team' },
        // Nothing that users do counts here but what is given to teams.
        { name: 'teams', period: 'week', actions: [] },
      ],
      rules: [
        {
          action: 'goal',
          points: 1,
          revocable: true,
          once: 'each',
          grants: [{ to: 'owner', points: 1, leaderboards: ['teams'] }],
        },
      ],
    }),
  ],
  controllers: [MatchesController],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks();
  await app.listen(PORT ?? 3000, '127.0.0.1');
  console.log(`Listening on ${await app.getUrl()}`);
}

void main();
