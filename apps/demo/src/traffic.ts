import { setTimeout as delay } from 'node:timers/promises';
import type { Category } from '../../community/src/categories/categories';
import { about, type DemoPerson } from './arrive';
import type { Chance } from './chance/chance';
import { type Act, habits } from './people/habits';
import { type Inhabitant, remarks } from './people/people';
import { allWritings, bodyFor, type Writing } from './people/writings';

/** How long, on average, from one act to the next: a lively community, not a load test. */
const pauseMs = 1_500;

/** How often the list of articles is read anew, in acts. */
const refreshEvery = 20;

/** How many of the newest articles people look at. */
const attention = 50;

/** How often people keep to what they like best. */
const faithfulness = 0.5;

/** How much likelier it is that somebody comes at their usual hours. */
const punctuality = 8;

interface ArticleLine {
  readonly id: string;
  readonly title: string;
  readonly category: Category;
  readonly author: { readonly id: string };
}

interface ArticlePage {
  readonly articles: readonly ArticleLine[];
  readonly next: string | null;
}

/** People who come at their hours and do what they usually do, all over HTTP. */
export class Traffic {
  private readonly stopped = new AbortController();
  private readonly people: DemoPerson[] = [];
  private readonly expected: Inhabitant[] = [...about];
  private articles: readonly ArticleLine[] = [];
  private writings: readonly Writing[] = [];
  private running: Promise<void> | undefined;

  /**
   * @param arrive signs somebody in.
   * @param hour what it is in the community's time zone, 0 to 23.
   */
  constructor(
    private readonly arrive: (person: Inhabitant) => Promise<DemoPerson>,
    private readonly hour: () => number,
    private readonly chance: Chance,
  ) {}

  /** Starts; a failed act is no reason to stop. */
  start(): void {
    this.running = this.run();
  }

  /** Resolves when nobody does anything any more. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    for (let acts = 0; !this.stopped.signal.aborted;) {
      try {
        await this.welcome();
        if (acts === 0) await this.seeWhatIsWritten();
        if (acts % refreshEvery === 0) await this.refresh();
        await this.act();
        acts += 1;
      } catch {
        // The community is away or busy: people come back later.
      }
      await delay(pauseMs * this.chance.between(0.3, 1.7), undefined, { signal: this.stopped.signal }).catch(
        () => undefined,
      );
    }
  }

  /** One after the other, so that visitors of the demo can sign in meanwhile. */
  private async welcome(): Promise<void> {
    const next = this.chance.anyOf(this.expected);
    if (!next) return;
    this.people.push(await this.arrive(next));
    this.expected.splice(this.expected.indexOf(next), 1);
  }

  /** No two articles have one title. */
  private async seeWhatIsWritten(): Promise<void> {
    const { client } = this.people[0] as DemoPerson;
    const written = new Set<string>();
    for (let next: string | null = ''; next !== null;) {
      const path: string = `/articles?limit=${attention}${next && `&cursor=${encodeURIComponent(next)}`}`;
      const page: ArticlePage = await client.expect<ArticlePage>('GET', path);
      for (const { title } of page.articles) written.add(title);
      next = page.next;
    }
    this.writings = allWritings(this.chance).filter(({ title }) => !written.has(title));
  }

  private async act(): Promise<void> {
    const person = this.chance.weighted(this.people.map((one) => [this.likelihood(one), one]));
    const { acts } = habits[person.of.habit];
    const act = this.chance.weighted(Object.entries(acts).map(([name, often]) => [often, name as Act]));
    if (act === 'write') return this.write(person);
    if (act === 'follow' || act === 'visit') return this.meet(person, act);
    const article = this.articleFor(person);
    if (!article) return this.write(person);
    const path = `/articles/${article.id}`;
    const { client } = person;
    if (act === 'praise' || act === 'regret') await client.call(act === 'praise' ? 'PUT' : 'DELETE', `${path}/praise`);
    else if (act === 'collect') await client.call(this.chance.happens(0.85) ? 'PUT' : 'DELETE', `${path}/collect`);
    else {
      const { latestComments: said } = await client.expect<{ latestComments: { body: string }[] }>('GET', path);
      const remark = this.chance.anyOf(remarks.filter((one) => !said.some(({ body }) => body === one)));
      if (act === 'comment' && remark !== undefined) await client.call('POST', `${path}/comments`, { body: remark });
    }
  }

  /** How likely it is that it is this person who does something now. */
  private likelihood({ of }: DemoPerson): number {
    const { hours, pace } = habits[of.habit];
    const now = this.hour();
    const isUsual = hours.some(([from, to]) => [now, now + 24].some((at) => at >= Math.floor(from) && at < to));
    return pace * (isUsual ? punctuality : 1);
  }

  private async refresh(): Promise<void> {
    const { client } = this.chance.anyOf(this.people) as DemoPerson;
    this.articles = (await client.expect<ArticlePage>('GET', `/articles?limit=${attention}`)).articles;
  }

  /** Mostly one of the newest, and of what the person likes best. */
  private articleFor({ id, of }: DemoPerson): ArticleLine | undefined {
    const others = this.articles.filter(({ author }) => author.id !== id);
    const liked = this.chance.happens(faithfulness) ? others.filter(({ category }) => category === of.interest) : [];
    const some = liked.length > 2 ? liked : others;
    return some[Math.floor(some.length * this.chance.draw() ** 2)];
  }

  private async meet({ client, id }: DemoPerson, act: 'follow' | 'visit'): Promise<void> {
    const other = this.chance.anyOf(this.people);
    if (!other || other.id === id) return;
    if (act === 'visit') await client.call('GET', `/users/${other.id}`);
    else await client.call(this.chance.happens(0.8) ? 'PUT' : 'DELETE', `/users/${other.id}/follow`);
  }

  /** What nobody has written yet. */
  private async write({ client, of }: DemoPerson): Promise<void> {
    const writing = this.writings.find(({ category }) => category === of.interest);
    if (!writing) return;
    this.writings = this.writings.filter((one) => one !== writing);
    const article = { ...writing, body: bodyFor(writing) };
    const { id } = await client.expect<{ id: string }>('POST', '/articles', article);
    await client.expect('POST', `/articles/${id}/publish`);
    await this.refresh();
  }
}
