import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';

export const users = pgTable('users', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  avatarUrl: text('avatar_url'),
  isBanned: boolean('is_banned').notNull().default(false),
});
