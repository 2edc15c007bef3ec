import { CollectCancelledEvent, CollectEvent, PraiseCancelledEvent, PraiseEvent } from '@laurel/activity';
import { Inject, Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { and, eq } from 'drizzle-orm';
import { subjectOfArticle } from '../articles/article-subject';
import { authorOfPublished } from '../articles/article.writer';
import { DATABASE, type Database } from '../database/database';
import { type ReactionKind, reactions } from '../database/schema';
import { type Moment, takeTurn } from '../database/take-turn';

/** A reader's reaction to an article. */
export interface Reaction {
  readonly kind: ReactionKind;
  readonly articleId: string;
  readonly userId: string;
}

const events = {
  praise: { made: PraiseEvent, cancelled: PraiseCancelledEvent },
  collect: { made: CollectEvent, cancelled: CollectCancelledEvent },
} as const;

/** What a transaction changed: nothing where it gives no moment. */
interface Change {
  readonly ownerId: string;
  readonly moment: Moment | null;
}

/** Praise and collections. Each can be made and taken back any number of times; only what changes something is announced. */
@Injectable()
export class ReactionsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly emitter: EventEmitter2,
  ) {}

  /** @throws NotFoundException where no such article is online. */
  async add(reaction: Reaction): Promise<void> {
    const { kind, articleId, userId } = reaction;
    const change = await this.database.transaction(async (transaction): Promise<Change> => {
      const ownerId = await authorOfPublished(transaction, articleId);
      const moment = await takeTurn(transaction, kind, articleId, userId);
      const added = await transaction
        .insert(reactions)
        .values({ kind, articleId, userId, createdAt: moment.occurredAt })
        .onConflictDoNothing()
        .returning({ kind: reactions.kind });
      return { ownerId, moment: added.length > 0 ? moment : null };
    });
    this.announce(events[kind].made, reaction, change);
  }

  /** @throws NotFoundException where no such article is online. */
  async remove(reaction: Reaction): Promise<void> {
    const { kind, articleId, userId } = reaction;
    const change = await this.database.transaction(async (transaction): Promise<Change> => {
      const ownerId = await authorOfPublished(transaction, articleId);
      const moment = await takeTurn(transaction, kind, articleId, userId);
      const removed = await transaction
        .delete(reactions)
        .where(and(eq(reactions.kind, kind), eq(reactions.articleId, articleId), eq(reactions.userId, userId)))
        .returning({ kind: reactions.kind });
      return { ownerId, moment: removed.length > 0 ? moment : null };
    });
    this.announce(events[kind].cancelled, reaction, change);
  }

  private announce(
    Event: (typeof events)[ReactionKind]['made' | 'cancelled'],
    { articleId, userId }: Reaction,
    { ownerId, moment }: Change,
  ): void {
    if (!moment) return;
    this.emitter.emit(Event.eventName, new Event({ userId, subject: subjectOfArticle(articleId), ownerId, ...moment }));
  }
}
