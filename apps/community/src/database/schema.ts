import { boolean, doublePrecision, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { type Category, defaultCategory } from '../categories/categories';
import { anyText, databaseNow, id, moment, rowId, whole } from './columns';

// The tables as queries see them. The migrations make them, and name what else holds: keys, checks, indexes.

export const users = pgTable(
  'users',
  {
    id: rowId(),
    name: text('name').notNull(),
    /** How the name looks: no two users have names that look the same. Null where it was taken before that was so. */
    look: text('look'),
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

/** Settled periods of the leaderboards, and drafts of them. */
export const settledPeriods = pgTable('settled_periods', {
  id: rowId(),
  leaderboard: text('leaderboard').notNull(),
  period: text('period').notNull(),
  startMs: whole('start_ms').notNull(),
  endMs: whole('end_ms').notNull(),
  /** Null: a draft, which nobody sees. */
  settledAtMs: whole('settled_at_ms'),
  total: whole('total').notNull(),
  checksum: text('checksum').notNull(),
  tieRule: text('tie_rule').notNull(),
  rulesVersion: integer('rules_version').notNull(),
  touchedAt: moment('touched_at').notNull().default(databaseNow),
});

/** The entries of settled periods. */
export const settledEntries = pgTable(
  'settled_entries',
  {
    settledId: id('settled_id').notNull(),
    place: whole('place').notNull(),
    competition: whole('competition').notNull(),
    dense: whole('dense').notNull(),
    userId: anyText('user_id').notNull(),
    score: doublePrecision('score').notNull(),
    reachedAtMs: whole('reached_at_ms'),
    /** Whether its user does not show. */
    isHidden: boolean('is_hidden').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.settledId, table.place] })],
);

/** The users who do not show in any settled period. */
export const hiddenUsers = pgTable('hidden_users', { userId: anyText('user_id').primaryKey() });

/** Places of settled periods whose users were erased. */
export const settledGaps = pgTable(
  'settled_gaps',
  {
    settledId: id('settled_id').notNull(),
    place: whole('place').notNull(),
    competition: whole('competition').notNull(),
    dense: whole('dense').notNull(),
  },
  (table) => [primaryKey({ columns: [table.settledId, table.place] })],
);
