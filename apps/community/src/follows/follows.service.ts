import { FollowCancelledEvent, FollowEvent } from '@laurel/activity';
import { BadRequestException, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { and, eq } from 'drizzle-orm';
import { DATABASE, type Database, type Transaction } from '../database/database';
import { follows, users } from '../database/schema';
import { type Moment, takeTurn } from '../database/take-turn';

/** Who follows whom. */
export interface Follow {
  readonly followerId: string;
  readonly followedId: string;
}

/** Following other users. Only what changes something is announced. */
@Injectable()
export class FollowsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly emitter: EventEmitter2,
  ) {}

  /** @throws NotFoundException for nobody, BadRequestException for oneself. */
  async follow({ followerId, followedId }: Follow): Promise<void> {
    if (followerId === followedId) throw new BadRequestException('You cannot follow yourself.');
    const moment = await this.database.transaction(async (transaction) => {
      await checkUser(transaction, followedId);
      const turn = await takeTurn(transaction, 'follow', followedId, followerId);
      const added = await transaction
        .insert(follows)
        .values({ followedId, followerId, createdAt: turn.occurredAt })
        .onConflictDoNothing()
        .returning({ followedId: follows.followedId });
      return added.length > 0 ? turn : null;
    });
    this.announce(FollowEvent, { followerId, followedId }, moment);
  }

  /** @throws NotFoundException for nobody. */
  async unfollow({ followerId, followedId }: Follow): Promise<void> {
    const moment = await this.database.transaction(async (transaction) => {
      await checkUser(transaction, followedId);
      const turn = await takeTurn(transaction, 'follow', followedId, followerId);
      const removed = await transaction
        .delete(follows)
        .where(and(eq(follows.followedId, followedId), eq(follows.followerId, followerId)))
        .returning({ followedId: follows.followedId });
      return removed.length > 0 ? turn : null;
    });
    this.announce(FollowCancelledEvent, { followerId, followedId }, moment);
  }

  /** The one who acts is the follower; the one followed is the subject. */
  private announce(
    Event: typeof FollowEvent | typeof FollowCancelledEvent,
    { followerId, followedId }: Follow,
    moment: Moment | null,
  ): void {
    if (!moment) return;
    this.emitter.emit(Event.eventName, new Event({ userId: followerId, subject: `user:${followedId}`, ...moment }));
  }
}

async function checkUser(transaction: Transaction, userId: string): Promise<void> {
  const found = await transaction.select({ id: users.id }).from(users).where(eq(users.id, userId));
  if (found.length === 0) throw new NotFoundException('There is no such user.');
}
