import type { ActivityChange } from '@laurel/activity';
import { type Category, categories, partitionsOf } from '../../../community/src/categories/categories';
import type { ReactionKind } from '../../../community/src/database/schema';
import { subjectOfArticle, subjectOfUser } from '../../../community/src/subjects/subjects';
import { Chance } from '../chance/chance';
import { faithfulness } from '../people/habits';
import { inhabitants, leftDaysAgo, remarks } from '../people/people';
import { allWritings, bodyFor, type Writing } from '../people/writings';
import type { Past, PastDay, PastPerson } from './past';
import { type Day, daysUpTo, type Slot, visitsOf } from './visits-of';

/** Which past, and up to when. */
export interface PastOptions {
  /** The same seed, moment and zone give the same past. */
  readonly seed: number;
  readonly endMs: number;
  readonly days: number;
  readonly timezone: string;
}

type Article = Past['articles'][number];

/** The user and the moment of an activity. */
interface Now {
  readonly userId: string;
  readonly occurredAt: Date;
}

/** Articles that are written before anybody has read one. */
const firstArticles = 6;

/** Imagines what people with their habits did, up to a moment. */
export function imaginePast({ seed, endMs, days: count, timezone }: PastOptions): Past {
  const chance = new Chance(seed);
  const days = daysUpTo(endMs, count, timezone);
  const people = inhabitants.map((of, index): PastPerson => {
    const day = days[Math.max(0, days.length - 1 - (of.joinedDaysAgo ?? Infinity))] as Day;
    return { id: String(index + 1), joinedAt: new Date(day.startMs), of };
  });
  const slots = days
    .flatMap((day) => inhabitants.flatMap((of, index) => visitsOf(index, of, day, chance)))
    .filter(({ atMs }) => atMs < endMs)
    .sort((a, b) => a.atMs - b.atMs);
  const life = new Life(people, chance);
  let next = 0;
  const lived = days.map((day): PastDay => {
    life.begin(day);
    const changes: ActivityChange[] = [];
    for (let slot = slots[next]; slot && slot.atMs < day.endMs; slot = slots[(next += 1)]) {
      const change = life.live(slot);
      if (change) changes.push(change);
    }
    return { date: day.date, endMs: Math.min(day.endMs, endMs), daysAgo: day.daysAgo, changes };
  });
  const { articles, comments } = life;
  const [reactions, follows] = [[...life.reactions.values()], [...life.follows.values()]];
  return { people, articles, comments, reactions, follows, days: lived };
}

/** All that was done so far, and the next act of each person. */
class Life {
  readonly articles: Article[] = [];
  readonly comments: Past['comments'][number][] = [];
  readonly reactions = new Map<string, Past['reactions'][number]>();
  readonly follows = new Map<string, Past['follows'][number]>();
  private readonly unwritten: Map<Category, Writing[]>;
  /** The articles that people find, the newest first; those of the ring are found by the ring alone. */
  private found: Article[] = [];
  private readonly ofRing: Article[] = [];
  private daysAgo = 0;
  private crawledToday = 0;

  constructor(
    private readonly people: readonly PastPerson[],
    private readonly chance: Chance,
  ) {
    const writings = allWritings(chance);
    this.unwritten = new Map(categories.map((of) => [of, writings.filter(({ category }) => category === of)]));
  }

  begin({ daysAgo }: Day): void {
    this.daysAgo = daysAgo;
    this.crawledToday = 0;
    if (daysAgo !== leftDaysAgo) return;
    const left = new Set(this.people.filter(({ of }) => of.part === 'left').map(({ id }) => id));
    this.found = this.found.filter(({ authorId }) => !left.has(authorId));
  }

  /** Null: nothing came of it. */
  live({ person: index, atMs, act }: Slot): ActivityChange | null {
    const person = this.people[index] as PastPerson;
    const now = { userId: person.id, occurredAt: new Date(atMs) };
    const isOfRing = person.of.part === 'ring';
    const pool = isOfRing ? this.ofRing : this.found;
    if (act === 'write' || pool.length < (isOfRing ? 3 : firstArticles))
      return this.write(now, person.of.interest, pool);
    if (act === 'visit' || act === 'follow') return this.meet(now, act, isOfRing);
    if (act === 'crawl') return this.crawl(now);
    const article = this.articleFor(person, pool);
    if (!article) return null;
    if (act === 'praise' || act === 'collect') return this.react(now, article, act);
    const view = { ...now, action: 'view', ...about(article) };
    if (act === 'comment') return this.comment(now, article) ?? view;
    if (act === 'regret') return this.regret(now, article) ?? view;
    // Members of the ring do little but praise each other.
    return (isOfRing ? this.react(now, article, 'praise') : null) ?? view;
  }

  private write(now: Now, interest: Category, pool: Article[]): ActivityChange | null {
    const category = this.chance.happens(0.75) ? interest : (this.chance.anyOf(categories) ?? interest);
    const writing = this.unwritten.get(category)?.pop();
    if (!writing) return null;
    const { userId: authorId, occurredAt: at } = now;
    const id = String(this.articles.length + 1);
    const article = { id, ...writing, body: bodyFor(writing), createdAt: at, publishedAt: at, authorId };
    this.articles.push(article);
    pool.unshift(article);
    return { ...now, action: 'publish', ...about(article) };
  }

  /** Mostly one of the newest, and of what the person likes best. */
  private articleFor({ id, of }: PastPerson, pool: readonly Article[]): Article | undefined {
    const others = pool.filter(({ authorId }) => authorId !== id).slice(0, 60);
    const liked = this.chance.happens(faithfulness)
      ? others.filter(({ category }) => category === of.interest)
      : others;
    const some = liked.length > 3 ? liked : others;
    return some[Math.floor(some.length * this.chance.draw() ** 2.2)];
  }

  private crawl(now: Now): ActivityChange | null {
    const place = this.crawledToday++;
    const article = this.found[place];
    if (article) return { ...now, action: 'view', ...about(article) };
    const other = this.people[place - this.found.length];
    return other && other.of.part === undefined ? { ...now, action: 'view', subject: subjectOfUser(other.id) } : null;
  }

  /** Something that was not said there, by somebody who has said nothing there. */
  private comment(now: Now, article: Article): ActivityChange | null {
    const { userId: authorId, occurredAt: createdAt } = now;
    const said = this.comments.filter(({ articleId }) => articleId === article.id);
    if (said.some((one) => one.authorId === authorId)) return null;
    const body = this.chance.anyOf(remarks.filter((remark) => !said.some((one) => one.body === remark)));
    if (body === undefined) return null;
    this.comments.push({ id: String(this.comments.length + 1), articleId: article.id, authorId, body, createdAt });
    return { ...now, action: 'comment', ...about(article) };
  }

  private react(now: Now, article: Article, kind: ReactionKind): ActivityChange | null {
    const key = [article.id, kind, now.userId].join();
    if (this.reactions.has(key)) return null;
    this.reactions.set(key, { articleId: article.id, kind, userId: now.userId, createdAt: now.occurredAt });
    return { ...now, action: kind, ...about(article) };
  }

  private regret(now: Now, article: Article): ActivityChange | null {
    const key = [article.id, 'praise', now.userId].join();
    const praise = this.reactions.get(key);
    if (!praise) return null;
    this.reactions.delete(key);
    // Its day is known: a revoke that has to look for it on all days of a year costs as much as hundreds that have not.
    return { ...now, action: 'praise', grantedAt: praise.createdAt, revoke: true, ...about(article) };
  }

  private meet(now: Now, act: 'visit' | 'follow', isOfRing: boolean): ActivityChange | null {
    const { userId: followerId, occurredAt: createdAt } = now;
    const isThere = ({ id, joinedAt, of: { part } }: PastPerson) =>
      id !== followerId &&
      joinedAt < createdAt &&
      (part === 'ring') === isOfRing &&
      (part !== 'left' || this.daysAgo > leftDaysAgo);
    const other = this.chance.anyOf(this.people.filter(isThere));
    if (!other) return null;
    const subject = subjectOfUser(other.id);
    if (act === 'visit') return { ...now, action: 'view', subject };
    const key = [other.id, followerId].join();
    if (this.follows.has(key)) return null;
    this.follows.set(key, { followedId: other.id, followerId, createdAt });
    return { ...now, action: 'follow', subject };
  }
}

function about(article: Article) {
  return { subject: subjectOfArticle(article.id), ownerId: article.authorId, partitions: partitionsOf(article) };
}
