import type { SubjectPartitions } from '@laurel/activity';
import { Inject, Injectable } from '@nestjs/common';
import { inArray } from 'drizzle-orm';
import { DATABASE, type Database } from '../database/database';
import { articles } from '../database/schema';
import { isId } from '../input/id.pipe';
import { partitionsOf } from '../categories/categories';

/** An article as praise and comments name it, and as visits do, by the path of its page. */
const articleIn = /^(?:article:|\/articles\/)(\d+)$/;

/** Tells the ranks in which category what was done counted. */
@Injectable()
export class ArticlePartitions implements SubjectPartitions {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** One query. What is no article of ours, or none any more, has no category. */
  async find(subjects: readonly string[]): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
    const named = subjects.flatMap((subject) => {
      const id = articleIn.exec(subject)?.[1] ?? '';
      return isId(id) ? [{ subject, id }] : [];
    });
    if (named.length === 0) return new Map();
    const ids = [...new Set(named.map(({ id }) => id))];
    const rows = await this.database
      .select({ id: articles.id, category: articles.category })
      .from(articles)
      .where(inArray(articles.id, ids));
    const found = new Map(rows.map((row) => [row.id, partitionsOf(row)]));
    return new Map(
      named.flatMap(({ subject, id }) => {
        const partitions = found.get(id);
        return partitions ? [[subject, partitions] as const] : [];
      }),
    );
  }
}
