import { systemClock } from '@laurel/leaderboard';
import type { Cluster, Redis } from 'ioredis';

/** What a user did, as paicoding's `ActivityScoreBo`: of several fields the first that is set counts. */
export interface ActivityScore {
  readonly path?: string;
  readonly articleId?: number;
  readonly praise?: boolean;
  readonly collect?: boolean;
  readonly rate?: boolean;
  readonly publishArticle?: boolean;
  readonly followedUserId?: number;
  readonly follow?: boolean;
}

const scoreKey = 'pai_activity_rank_';
const dayS = 86_400;

/** The scoring of paicoding's `UserActivityRankServiceImpl`, command for command, on a JVM in UTC. */
export class Paicoding {
  /** @param base what stands before the keys, for tests that share a Redis. */
  constructor(
    private readonly redis: Redis | Cluster,
    readonly base = scoreKey,
  ) {}

  async addActivityScore(userId: number, activity: ActivityScore, now = new Date(systemClock.now())): Promise<void> {
    const [field, score] = scored(activity);
    if (field === null) return;
    const day = now.toISOString().slice(0, 10).replaceAll('-', '');
    const todayRankKey = this.base + day;
    const monthRankKey = this.base + day.slice(0, 6);
    const userActionKey = `${this.base}${userId}${day}`;
    const answer = await this.redis.hget(userActionKey, field);
    if (answer === null) {
      if (score <= 0) return;
      await this.redis.hset(userActionKey, field, score);
      await this.redis.expire(userActionKey, 31 * dayS);
      const sum = await this.redis.zincrby(todayRankKey, score, `${userId}`);
      await this.redis.zincrby(monthRankKey, score, `${userId}`);
      if (Number(sum) > score) return;
      if ((await this.redis.ttl(todayRankKey)) <= 0) await this.redis.expire(todayRankKey, 31 * dayS);
      if ((await this.redis.ttl(monthRankKey)) <= 0) await this.redis.expire(monthRankKey, 12 * 30 * dayS);
    } else if (Number(answer) > 0 && score < 0) {
      if ((await this.redis.hdel(userActionKey, field)) === 0) return;
      await this.redis.zincrby(todayRankKey, score, `${userId}`);
      await this.redis.zincrby(monthRankKey, score, `${userId}`);
    }
  }
}

function scored(activity: ActivityScore): [field: string | null, score: number] {
  const { path, articleId, praise, collect, rate, publishArticle, followedUserId, follow } = activity;
  const either = (is: boolean, points: number) => (is ? points : -points);
  if (path !== undefined) return [`path_${path}`, 1];
  if (articleId !== undefined) {
    if (praise !== undefined) return [`${articleId}_praise`, either(praise, 2)];
    if (collect !== undefined) return [`${articleId}_collect`, either(collect, 2)];
    if (rate !== undefined) return [`${articleId}_rate`, either(rate, 3)];
    return publishArticle ? [`${articleId}_publish`, 10] : [`${articleId}_`, 0];
  }
  return followedUserId === undefined ? [null, 0] : [`${followedUserId}_follow`, either(follow ?? false, 2)];
}
