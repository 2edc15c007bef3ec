import { pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { type Category, defaultCategory } from '../categories/categories';
import { databaseNow, id, moment, rowId } from './columns';

// The tables as queries see them. The migrations make them, and name what else holds: references, checks, indexes.
// test/community/schema.spec.ts compares the two.

export const users = pgTable(
  'users',
  {
    id: rowId(),
    name: text('name').notNull(),
    /** How the name looks: no two users have names that look the same. Null where it was taken before that was so. */
    look: text('look'),
    /** What the user says of themselves, in a line. */
    text: text('text'),
    passwordHash: text('password_hash').notNull(),
    joinedAt: moment('joined_at').notNull().default(databaseNow),
  },
  (table) => [
    uniqueIndex('users_name_key').on(sql`lower(${table.name})`),
    uniqueIndex('users_look_key').on(table.look),
  ],
);

export const articles = pgTable('articles', {
  id: rowId(),
  authorId: id('author_id').notNull(),
  title: text('title').notNull(),
  body: text('body').notNull(),
  category: text('category').$type<Category>().notNull().default(defaultCategory),
  createdAt: moment('created_at').notNull().default(databaseNow),
  /** Null: a draft, which its author alone sees. */
  publishedAt: moment('published_at'),
});

/** What a moderator made of a submission. */
export const decisions = ['approved', 'refused'] as const;
export type Decision = (typeof decisions)[number];

/** Articles that were handed in to be reviewed; at most one of an article waits. */
export const submissions = pgTable('submissions', {
  id: rowId(),
  articleId: id('article_id').notNull(),
  submittedAt: moment('submitted_at').notNull(),
  /** Null: it waits. */
  decision: text('decision').$type<Decision>(),
  decidedAt: moment('decided_at'),
  /** Why it was refused. */
  reason: text('reason'),
});

export const comments = pgTable('comments', {
  id: rowId(),
  articleId: id('article_id').notNull(),
  authorId: id('author_id').notNull(),
  body: text('body').notNull(),
  createdAt: moment('created_at').notNull(),
});

/** What a reader can do to an article, once, and take back. */
export type ReactionKind = 'praise' | 'collect';

export const reactions = pgTable(
  'reactions',
  {
    articleId: id('article_id').notNull(),
    kind: text('kind').$type<ReactionKind>().notNull(),
    userId: id('user_id').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.articleId, table.kind, table.userId] })],
);

export const follows = pgTable(
  'follows',
  {
    followedId: id('followed_id').notNull(),
    followerId: id('follower_id').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.followedId, table.followerId] })],
);
