import { Inject, Injectable } from '@nestjs/common';
import { and, inArray, isNotNull } from 'drizzle-orm';
import { DATABASE, type Database } from '../database/database';
import { articles, users } from '../database/schema';
import { isId } from '../input/id.pipe';
import { subjectOfArticle, subjectOfUser } from '../subjects/subjects';

/** Says what people call the subjects of activities. */
@Injectable()
export class NamesService {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** The titles of articles that are online, and the names of users, by subject. A query for each of the two. */
  async find(subjects: readonly string[]): Promise<Record<string, string>> {
    const [articleIds, userIds] = [idsIn(subjects, subjectOfArticle), idsIn(subjects, subjectOfUser)];
    const [titled, named] = await Promise.all([
      articleIds.length === 0
        ? []
        : this.database
            .select({ id: articles.id, title: articles.title })
            .from(articles)
            .where(and(inArray(articles.id, articleIds), isNotNull(articles.publishedAt))),
      userIds.length === 0
        ? []
        : this.database.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, userIds)),
    ]);
    return Object.fromEntries([
      ...titled.map(({ id, title }) => [subjectOfArticle(id), title] as const),
      ...named.map(({ id, name }) => [subjectOfUser(id), name] as const),
    ]);
  }
}

function idsIn(subjects: readonly string[], subjectOf: (id: string) => string): string[] {
  const start = subjectOf('');
  const ids = subjects.filter((subject) => subject.startsWith(start)).map((subject) => subject.slice(start.length));
  return [...new Set(ids)].filter(isId);
}
