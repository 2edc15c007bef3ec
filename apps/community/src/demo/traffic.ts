import { setTimeout as delay } from 'node:timers/promises';
import { anyOf, weighted } from './chance';
import type { Category } from '../categories/categories';
import { remarks, writings } from './people';
import { type DemoPerson, publish } from './seed';

/** How long, on average, from one act to the next: a lively evening, not a load test. */
const pauseMs = 450;

/** How often the list of articles is read anew, in acts. */
const refreshEvery = 20;

/** The newest articles get most of the attention. */
const attention = 14;

/** How often people keep to what they like best. */
const faithfulness = 0.6;

interface ArticleLine {
  readonly id: string;
  readonly category: Category;
  readonly author: { readonly id: string };
}

type Act = (person: DemoPerson, article: ArticleLine) => Promise<unknown>;

/** People who read, praise, change their minds, comment, collect, follow and write, all over HTTP. */
export class Traffic {
  private readonly stopped = new AbortController();
  private articles: readonly ArticleLine[] = [];
  private readonly commented: { readonly person: DemoPerson; readonly commentId: string }[] = [];
  private running: Promise<void> | undefined;

  constructor(private readonly people: readonly DemoPerson[]) {}

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
    for (let acts = 0; !this.stopped.signal.aborted; acts += 1) {
      try {
        if (acts % refreshEvery === 0) await this.refresh();
        await this.act();
      } catch {
        // The community is away or busy: people come back later.
      }
      await delay(pauseMs * (0.3 + Math.random() * 1.4), undefined, { signal: this.stopped.signal }).catch(
        () => undefined,
      );
    }
  }

  private async act(): Promise<void> {
    // Some are busier than others, or everyone would stay level.
    const person = this.people[Math.floor(this.people.length * Math.random() ** 1.6)] ?? anyOf(this.people);
    await weighted<Act>([
      [34, this.read],
      [22, this.praise],
      [6, this.unpraise],
      [13, this.comment],
      [3, this.deleteComment],
      [10, this.collect],
      [8, this.follow],
      [4, this.write],
    ])(person, anyLikedBy(person, this.articles));
  }

  private async refresh(): Promise<void> {
    const { body } = await anyOf(this.people).client.call('GET', `/articles?limit=${attention}`);
    this.articles = (body as { articles: readonly ArticleLine[] }).articles;
  }

  private readonly read: Act = async ({ client }, { id, author }) => {
    await client.call('GET', Math.random() < 0.7 ? `/articles/${id}` : `/users/${author.id}`);
  };

  private readonly praise: Act = ({ client }, { id }) => client.call('PUT', `/articles/${id}/praise`);

  private readonly unpraise: Act = ({ client }, { id }) => client.call('DELETE', `/articles/${id}/praise`);

  private readonly collect: Act = ({ client }, { id }) =>
    client.call(Math.random() < 0.8 ? 'PUT' : 'DELETE', `/articles/${id}/collect`);

  private readonly comment: Act = async (person, { id }) => {
    const { status, body } = await person.client.call('POST', `/articles/${id}/comments`, { body: anyOf(remarks) });
    if (status === 201) this.commented.push({ person, commentId: (body as { id: string }).id });
  };

  private readonly deleteComment: Act = async () => {
    const [regretted] = this.commented.splice(Math.floor(Math.random() * this.commented.length), 1);
    if (regretted) await regretted.person.client.call('DELETE', `/comments/${regretted.commentId}`);
  };

  private readonly follow: Act = async ({ client, id }) => {
    const other = anyOf(this.people);
    if (other.id !== id) await client.call(Math.random() < 0.8 ? 'PUT' : 'DELETE', `/users/${other.id}/follow`);
  };

  private readonly write: Act = async (person) => {
    await publish(person, anyLikedBy(person, writings));
    await this.refresh();
  };
}

/** One of them, mostly of what the person likes best if there is such. */
function anyLikedBy<T extends { readonly category: Category }>({ interest }: DemoPerson, items: readonly T[]): T {
  const liked = items.filter(({ category }) => category === interest);
  return anyOf(liked.length > 0 && Math.random() < faithfulness ? liked : items);
}
