import { sql } from 'drizzle-orm';
import { check, foreignKey, index, pgSequence, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { type Category, defaultCategory } from '../categories/categories';
import { databaseNow, id, moment, rowId } from './columns';

// The community's own tables. `npm run migration -- <name>` makes the next migration of what changes here; what drizzle
// has no words for is written into a migration by hand. test/community/schema.spec.ts compares the two.

/** Orders changes that share a millisecond. */
export const changeSequence = pgSequence('change_sequence', { maxValue: String(Number.MAX_SAFE_INTEGER) });

export const users = pgTable(
  'users',
  {
    id: rowId(),
    name: text('name').notNull(),
    /** How the name looks: no two users have names that look the same. */
    look: text('look').notNull(),
    /** The user's line of text about themselves. */
    text: text('text'),
    passwordHash: text('password_hash').notNull(),
    joinedAt: moment('joined_at').notNull().default(databaseNow),
  },
  (table) => [
    check('users_name_check', sql`char_length(${table.name}) BETWEEN 1 AND 40`),
    uniqueIndex('users_name_key').on(sql`lower(${table.name})`),
    uniqueIndex('users_look_key').on(table.look),
    // For finding users by how their names begin.
    index('users_name_beginning').on(sql`lower(${table.name}) text_pattern_ops`),
  ],
);

export const articles = pgTable(
  'articles',
  {
    id: rowId(),
    authorId: id('author_id').notNull(),
    title: text('title').notNull(),
    body: text('body').notNull(),
    category: text('category').$type<Category>().notNull().default(defaultCategory),
    createdAt: moment('created_at').notNull().default(databaseNow),
    /** Null: a draft, which its author alone sees. */
    publishedAt: moment('published_at'),
  },
  (table) => {
    const latestFirst = () => [table.publishedAt.desc().nullsFirst(), table.id.desc().nullsFirst()] as const;
    const published = sql`${table.publishedAt} IS NOT NULL`;
    return [
      foreignKey({ name: 'articles_author_id_fkey', columns: [table.authorId], foreignColumns: [users.id] }),
      index('articles_published')
        .on(...latestFirst())
        .where(published),
      index('articles_of_author').on(table.authorId, ...latestFirst()),
      index('articles_of_category')
        .on(table.category, ...latestFirst())
        .where(published),
    ];
  },
);

/** A moderator's decision about a submission. */
export const decisions = ['approved', 'refused'] as const;
export type Decision = (typeof decisions)[number];

/** Articles that were handed in to be reviewed; at most one of an article waits. */
export const submissions = pgTable(
  'submissions',
  {
    id: rowId(),
    articleId: id('article_id').notNull(),
    submittedAt: moment('submitted_at').notNull(),
    /** Null: it waits. */
    decision: text('decision').$type<Decision>(),
    decidedAt: moment('decided_at'),
    /** Why it was refused. */
    reason: text('reason'),
  },
  (table) => [
    // An erasure takes them with their article.
    foreignKey({
      name: 'submissions_article_id_fkey',
      columns: [table.articleId],
      foreignColumns: [articles.id],
    }).onDelete('cascade'),
    check('submissions_decision_check', sql`${table.decision} IN ('approved', 'refused')`),
    check('submissions_check', sql`(${table.decision} IS NULL) = (${table.decidedAt} IS NULL)`),
    check(
      'submissions_check1',
      sql`(${table.reason} IS NOT NULL) = (${table.decision} IS NOT DISTINCT FROM 'refused')`,
    ),
    index('submissions_of_article').on(table.articleId, table.id.desc().nullsFirst()),
    uniqueIndex('submissions_waiting_of_article')
      .on(table.articleId)
      .where(sql`${table.decision} IS NULL`),
    index('submissions_waiting')
      .on(table.submittedAt, table.id)
      .where(sql`${table.decision} IS NULL`),
  ],
);

export const comments = pgTable(
  'comments',
  {
    id: rowId(),
    articleId: id('article_id').notNull(),
    authorId: id('author_id').notNull(),
    body: text('body').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    foreignKey({ name: 'comments_article_id_fkey', columns: [table.articleId], foreignColumns: [articles.id] }),
    foreignKey({ name: 'comments_author_id_fkey', columns: [table.authorId], foreignColumns: [users.id] }),
    index('comments_of_article').on(table.articleId, table.id),
    index('comments_of_author').on(table.authorId, table.articleId, table.createdAt),
  ],
);

/** A reader's reactions to an article: each once, and revocable. */
export type ReactionKind = 'praise' | 'collect';

export const reactions = pgTable(
  'reactions',
  {
    articleId: id('article_id').notNull(),
    kind: text('kind').$type<ReactionKind>().notNull(),
    userId: id('user_id').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'reactions_pkey', columns: [table.articleId, table.kind, table.userId] }),
    foreignKey({ name: 'reactions_article_id_fkey', columns: [table.articleId], foreignColumns: [articles.id] }),
    foreignKey({ name: 'reactions_user_id_fkey', columns: [table.userId], foreignColumns: [users.id] }),
    check('reactions_kind_check', sql`${table.kind} IN ('praise', 'collect')`),
  ],
);

export const follows = pgTable(
  'follows',
  {
    followedId: id('followed_id').notNull(),
    followerId: id('follower_id').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'follows_pkey', columns: [table.followedId, table.followerId] }),
    foreignKey({ name: 'follows_followed_id_fkey', columns: [table.followedId], foreignColumns: [users.id] }),
    foreignKey({ name: 'follows_follower_id_fkey', columns: [table.followerId], foreignColumns: [users.id] }),
    check('follows_check', sql`${table.followedId} <> ${table.followerId}`),
    index('follows_of_follower').on(table.followerId),
  ],
);
