import { CollectCancelledEvent, CollectEvent, PraiseCancelledEvent, PraiseEvent } from '@laurel/activity';
import { Injectable } from '@nestjs/common';
import { and, eq } from 'drizzle-orm';
import { type ReactionKind, reactions } from '../database/schema';
import { takeTurn } from '../database/take-turn';
import { Outbox } from '../outbox/outbox';
import { articleActivity } from '../subjects/article-activity';

const events = {
  praise: { Made: PraiseEvent, TakenBack: PraiseCancelledEvent },
  collect: { Made: CollectEvent, TakenBack: CollectCancelledEvent },
};

/** A reader's reaction to an article. */
export interface Reaction {
  readonly kind: ReactionKind;
  readonly articleId: string;
  readonly userId: string;
}

/** Praise and collections. Each can be made and taken back any number of times; only changes are announced. */
@Injectable()
export class ReactionsService {
  constructor(private readonly outbox: Outbox) {}

  /** @throws NotFoundException where no such article is online. */
  async add({ kind, articleId, userId }: Reaction): Promise<void> {
    await this.outbox.transaction(async (transaction, announce) => {
      const article = await articleActivity(transaction, articleId);
      const turn = await takeTurn(transaction, kind, articleId, userId);
      const added = await transaction
        .insert(reactions)
        .values({ kind, articleId, userId, createdAt: turn.occurredAt })
        .onConflictDoNothing()
        .returning({ kind: reactions.kind });
      if (added.length > 0) await announce(new events[kind].Made({ userId, ...article, ...turn }));
    });
  }

  /** @throws NotFoundException where no such article is online. */
  async remove({ kind, articleId, userId }: Reaction): Promise<void> {
    await this.outbox.transaction(async (transaction, announce) => {
      const article = await articleActivity(transaction, articleId);
      const turn = await takeTurn(transaction, kind, articleId, userId);
      const removed = await transaction
        .delete(reactions)
        .where(and(eq(reactions.kind, kind), eq(reactions.articleId, articleId), eq(reactions.userId, userId)))
        .returning({ kind: reactions.kind });
      if (removed.length > 0) await announce(new events[kind].TakenBack({ userId, ...article, ...turn }));
    });
  }
}
