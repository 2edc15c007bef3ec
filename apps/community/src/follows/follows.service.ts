import { FollowCancelledEvent, FollowEvent } from '@laurel/activity';
import { BadRequestException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { and, desc, eq } from 'drizzle-orm';
import { DATABASE, type Database, type Transaction } from '../database/database';
import { follows, users } from '../database/schema';
import { takeTurn } from '../database/take-turn';
import { Outbox } from '../outbox/outbox';

/** More than a leaderboard shows. */
const mostFollowed = 1_000;

/** A user who follows another. */
export interface Follow {
  readonly followerId: string;
  readonly followedId: string;
}

/** Following other users. Only what changes something is announced. */
@Injectable()
export class FollowsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** The ids of those whom a user follows, the latest first. One query. */
  async followedBy(followerId: string): Promise<string[]> {
    const found = await this.database
      .select({ id: follows.followedId })
      .from(follows)
      .where(eq(follows.followerId, followerId))
      .orderBy(desc(follows.createdAt))
      .limit(mostFollowed);
    return found.map(({ id }) => id);
  }

  /** @throws NotFoundException for nobody, BadRequestException for oneself. */
  async follow({ followerId, followedId }: Follow): Promise<void> {
    if (followerId === followedId) throw new BadRequestException('You cannot follow yourself.');
    await this.outbox.transaction(async (transaction, announce) => {
      await checkUser(transaction, followedId);
      const turn = await takeTurn(transaction, 'follow', followedId, followerId);
      const added = await transaction
        .insert(follows)
        .values({ followedId, followerId, createdAt: turn.occurredAt })
        .onConflictDoNothing()
        .returning({ followedId: follows.followedId });
      if (added.length > 0) await announce(new FollowEvent({ userId: followerId, followedId, ...turn }));
    });
  }

  /** @throws NotFoundException for nobody. */
  async unfollow({ followerId, followedId }: Follow): Promise<void> {
    await this.outbox.transaction(async (transaction, announce) => {
      await checkUser(transaction, followedId);
      const turn = await takeTurn(transaction, 'follow', followedId, followerId);
      const removed = await transaction
        .delete(follows)
        .where(and(eq(follows.followedId, followedId), eq(follows.followerId, followerId)))
        .returning({ followedId: follows.followedId });
      if (removed.length > 0) await announce(new FollowCancelledEvent({ userId: followerId, followedId, ...turn }));
    });
  }
}

async function checkUser(transaction: Transaction, userId: string): Promise<void> {
  const found = await transaction.select({ id: users.id }).from(users).where(eq(users.id, userId));
  if (found.length === 0) throw new NotFoundException('There is no such user.');
}
