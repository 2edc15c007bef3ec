import type { ActivityChange } from '@laurel/activity';
import { type Category, categories, partitionsOf } from '../../../community/src/categories/categories';
import type { ReactionKind } from '../../../community/src/database/schema';
import { subjectOfArticle } from '../../../community/src/subjects/article-subject';
import { subjectOfUser } from '../../../community/src/subjects/user-subject';
import { Chance } from '../chance/chance';
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

type Article = Past['articles'][number] & { readonly author: PastPerson };

/** How often people keep to what they like best. */
const faithfulness = 0.5;

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
  const { articles, comments, reactions, follows } = life;
  return {
    people,
    articles,
    comments,
    reactions: [...reactions.values()],
    follows: [...follows.values()],
    days: lived,
  };
}

/** What has come about so far, and what comes of who does something now. */
class Life {
  readonly articles: Article[] = [];
  readonly comments: Past['comments'][number][] = [];
  readonly reactions = new Map<string, Past['reactions'][number]>();
  readonly follows = new Map<string, Past['follows'][number]>();
  private readonly unwritten: Map<Category, Writing[]>;
  /** The articles that people find, the newest first; those of the ring are found by the ring alone. */
  private found: Article[] = [];
  private ofRing: Article[] = [];
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
    if (daysAgo === leftDaysAgo) this.found = this.found.filter(({ author }) => author.of.part !== 'left');
  }

  /** Null: nothing came of it. */
  live({ person: index, atMs, act }: Slot): ActivityChange | null {
    const person = this.people[index] as PastPerson;
    const at = new Date(atMs);
    const { isOfRing, pool } = this.poolOf(person);
    const isFirst = pool.length < (isOfRing ? 3 : firstArticles);
    if (act === 'write' || isFirst) return this.write(person, at);
    if (act === 'visit' || act === 'follow') return this.meet(person, at, act);
    if (act === 'crawl') return this.crawl(person, at);
    const article = this.articleFor(person, pool);
    if (!article) return null;
    if (act === 'comment') return this.comment(person, at, article) ?? view(person, at, article);
    if (act === 'praise' || act === 'collect') return this.react(person, at, article, act);
    // Who reads what they praise of each other alone does little else.
    if (isOfRing && act === 'read') return this.react(person, at, article, 'praise') ?? view(person, at, article);
    if (act === 'regret') return this.regret(person, at, article) ?? view(person, at, article);
    return view(person, at, article);
  }

  private poolOf({ of }: PastPerson) {
    const isOfRing = of.part === 'ring';
    return { isOfRing, pool: isOfRing ? this.ofRing : this.found };
  }

  private write(person: PastPerson, at: Date): ActivityChange | null {
    const { interest } = person.of;
    const category = this.chance.happens(0.75) ? interest : (this.chance.anyOf(categories) ?? interest);
    const writing = this.unwritten.get(category)?.pop();
    if (!writing) return null;
    const id = String(this.articles.length + 1);
    const { title } = writing;
    const article = {
      id,
      title,
      body: bodyFor(writing),
      category,
      createdAt: at,
      publishedAt: at,
      authorId: person.id,
    };
    const written = { ...article, author: person };
    this.articles.push(written);
    this.poolOf(person).pool.unshift(written);
    return { userId: person.id, action: 'publish', occurredAt: at, ...about(written) };
  }

  /** Mostly one of the newest, and of what the person likes best. */
  private articleFor(person: PastPerson, pool: readonly Article[]): Article | undefined {
    const others = pool.filter(({ author }) => author !== person).slice(0, 60);
    const liked = this.chance.happens(faithfulness)
      ? others.filter(({ category }) => category === person.of.interest)
      : others;
    const some = liked.length > 3 ? liked : others;
    return some[Math.floor(some.length * this.chance.draw() ** 2.2)];
  }

  private crawl(person: PastPerson, at: Date): ActivityChange | null {
    const place = this.crawledToday;
    this.crawledToday += 1;
    const article = this.found[place];
    if (article) return view(person, at, article);
    const other = this.people[place - this.found.length];
    if (!other || other.of.part !== undefined) return null;
    return { userId: person.id, action: 'view', subject: subjectOfUser(other.id), occurredAt: at };
  }

  /** Something that was not said there, by somebody who has said nothing there. */
  private comment(person: PastPerson, at: Date, article: Article): ActivityChange | null {
    const said = this.comments.filter(({ articleId }) => articleId === article.id);
    if (said.some(({ authorId }) => authorId === person.id)) return null;
    const body = this.chance.anyOf(remarks.filter((remark) => !said.some((one) => one.body === remark)));
    if (body === undefined) return null;
    const id = String(this.comments.length + 1);
    this.comments.push({ id, articleId: article.id, authorId: person.id, body, createdAt: at });
    return { userId: person.id, action: 'comment', occurredAt: at, ...about(article) };
  }

  private react(person: PastPerson, at: Date, article: Article, kind: ReactionKind): ActivityChange | null {
    const key = [article.id, kind, person.id].join();
    if (this.reactions.has(key)) return null;
    this.reactions.set(key, { articleId: article.id, kind, userId: person.id, createdAt: at });
    return { userId: person.id, action: kind, occurredAt: at, ...about(article) };
  }

  private regret(person: PastPerson, at: Date, article: Article): ActivityChange | null {
    const key = [article.id, 'praise', person.id].join();
    const praise = this.reactions.get(key);
    if (!praise) return null;
    this.reactions.delete(key);
    // Its day is known: a revoke that has to look for it on all days of a year costs as much as hundreds that have not.
    const grantedAt = praise.createdAt;
    return { userId: person.id, action: 'praise', occurredAt: at, grantedAt, revoke: true, ...about(article) };
  }

  private meet(person: PastPerson, at: Date, act: 'visit' | 'follow'): ActivityChange | null {
    const isOfRing = person.of.part === 'ring';
    const other = this.chance.anyOf(
      this.people.filter(
        ({ joinedAt, of, id }) =>
          id !== person.id &&
          joinedAt < at &&
          (of.part === 'ring') === isOfRing &&
          (of.part !== 'left' || this.daysAgo > leftDaysAgo),
      ),
    );
    if (!other) return null;
    const subject = subjectOfUser(other.id);
    if (act === 'visit') return { userId: person.id, action: 'view', subject, occurredAt: at };
    const key = [other.id, person.id].join();
    if (this.follows.has(key)) return null;
    this.follows.set(key, { followedId: other.id, followerId: person.id, createdAt: at });
    return { userId: person.id, action: 'follow', subject, occurredAt: at };
  }
}

function view(person: PastPerson, at: Date, article: Article): ActivityChange {
  return { userId: person.id, action: 'view', occurredAt: at, ...about(article) };
}

function about(article: Article) {
  return { subject: subjectOfArticle(article.id), ownerId: article.authorId, partitions: partitionsOf(article) };
}
