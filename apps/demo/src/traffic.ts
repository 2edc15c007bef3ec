import { setTimeout as delay } from 'node:timers/promises';
import type { Category } from '../../community/src/categories/categories';
import type { Chance } from './chance/chance';
import type { DemoClient } from './demo-client';
import { type Act, faithfulness, habits } from './people/habits';
import { type Inhabitant, inhabitants, remarks } from './people/people';
import { allWritings, bodyFor, type Writing } from './people/writings';

/** How long, on average, from one act to the next: a lively community, not a load test. */
const pauseMs = 1_500;

/** How often the list of articles is read anew, in acts. */
const refreshEvery = 20;

/** How many of the newest articles people look at. */
const attention = 50;

/** How much likelier it is that somebody comes at their usual hours. */
const punctuality = 8;

interface ArticleLine {
  readonly id: string;
  readonly title: string;
  readonly category: Category;
  readonly author: { readonly id: string };
}

/** A person of the demo who can do something. */
interface DemoPerson {
  readonly id: string;
  readonly client: DemoClient;
  readonly of: Inhabitant;
}

/** People who come at their hours and do what they usually do, all over HTTP. */
export class Traffic {
  private readonly stopped = new AbortController();
  private readonly people: DemoPerson[] = [];
  private readonly expected = inhabitants.filter(({ part }) => part !== 'left' && part !== 'ring');
  private articles: readonly ArticleLine[] = [];
  private writings: readonly Writing[] = [];
  private running: Promise<void> | undefined;

  /** @param hour what it is in the community's time zone, 0 to 23. */
  constructor(
    private readonly client: DemoClient,
    private readonly passwordOf: (name: string) => string,
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

  /** Has somebody sign in, who registers first where nobody has that name. */
  private async arrive(of: Inhabitant): Promise<DemoPerson> {
    const credentials = { name: of.name, password: this.passwordOf(of.name) };
    const session = (how: 'login' | 'register') =>
      this.client.expect<{ token: string; user: { id: string } }>('POST', `/auth/${how}`, credentials);
    const { status } = await this.client.call('POST', '/auth/login', credentials);
    const { user } = await session(status === 401 ? 'register' : 'login');
    return { id: user.id, client: this.client.as(async () => (await session('login')).token), of };
  }

  /** No two articles have one title. */
  private async seeWhatIsWritten(): Promise<void> {
    const written = new Set<string>();
    for (let next: string | null = ''; next !== null;) {
      const page = await this.latest(this.people[0] as DemoPerson, next && `&cursor=${encodeURIComponent(next)}`);
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
    this.articles = (await this.latest(this.chance.anyOf(this.people) as DemoPerson)).articles;
  }

  private latest({ client }: DemoPerson, cursor = '') {
    type Page = { readonly articles: readonly ArticleLine[]; readonly next: string | null };
    return client.expect<Page>('GET', `/articles?limit=${attention}${cursor}`);
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

  /** Writings not used yet. */
  private async write({ client, of }: DemoPerson): Promise<void> {
    const writing = this.writings.find(({ category }) => category === of.interest);
    if (!writing) return;
    this.writings = this.writings.filter((one) => one !== writing);
    const article = { ...writing, body: bodyFor(writing) };
    const { id } = await client.expect<ArticleLine>('POST', '/articles', article);
    await client.expect('POST', `/articles/${id}/publish`);
    await this.refresh();
  }
}
