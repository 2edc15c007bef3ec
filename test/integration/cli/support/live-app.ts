import { type Activity, Exclusions } from '@laurel/activity';
import { Period, systemClock } from '@laurel/leaderboard';
import { shardOf, shardTags } from '@laurel/leaderboard/internals';
import { activityEnvironment } from '@laurel/settings';
import { keys } from '../../../support/keys';
import { freshPrefix, testRedisUrl } from '../../../support/redis';
import { type CliInput, type CliResult, runCli } from '../../../support/run-cli';
import { drawer } from '../../../support/seed';
import { TinyApp } from '../../activity/support/tiny-app';

const shards = 3;

export const praise = (userId: string, subject: string): Activity => ({ userId, action: 'praise', subject });

/** An app with a day's traffic on three shards, and commands on its data. */
export class LiveApp {
  /** The CLI goes by the machine's clock: what it is to find happens a moment before now. */
  readonly today = Period.of('day', new Date(systemClock.now()), 'UTC').key;
  readonly month = this.today.slice(0, 7);
  readonly tags = shardTags(shards);

  private constructor(readonly app: TinyApp) {}

  /** Some 40 users with grants, repetitions, cancellations, and one who is kept off the boards: `user 7`. */
  static async start(): Promise<LiveApp> {
    // The leaderboards that the CLI knows.
    const { redis: _, ...environment } = activityEnvironment({});
    const app = await TinyApp.start({ options: { ...environment, prefix: freshPrefix(), shards, cacheMs: 0 } });
    const draw = drawer();
    const changes = Array.from({ length: 400 }, () => ({
      userId: `user ${draw(40)}`,
      action: ['praise', 'collect', 'comment', 'view'][draw(4)] as string,
      subject: `article:${draw(12)}`,
    }));
    await app.service.apply(
      changes.map((change) => ({ ...change, revoke: change.action === 'praise' && draw(3) === 0 })),
    );
    await app.service.apply([praise('ann', 'a'), praise('bob', 'a'), praise('bob', 'b')]);
    await app.nest.get(Exclusions).exclude('user 7');
    return new LiveApp(app);
  }

  get env(): Readonly<Record<string, string>> {
    return { REDIS_URL: testRedisUrl(), LAUREL_PREFIX: this.app.prefix, LAUREL_SHARDS: String(shards) };
  }

  run(args: readonly string[], input: Partial<CliInput> = {}): Promise<CliResult> {
    return runCli(args, { ...input, env: { ...this.env, ...input.env } });
  }

  boardOf(userId: string, board = 'day', key = this.today): string {
    return keys.board(this.app.prefix, this.tagOf(userId), board, key);
  }

  asideOf(userId: string): string {
    return keys.aside(this.app.prefix, this.tagOf(userId), 'day', this.today);
  }

  excludedOf(userId: string): string {
    return keys.excluded(this.app.prefix, this.tagOf(userId));
  }

  private tagOf(userId: string): string {
    return this.tags[shardOf(userId, shards)] as string;
  }
}
