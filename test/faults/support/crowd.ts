import { setTimeout as delay } from 'node:timers/promises';
// Private: the app has no door but its program.
import { categories } from '../../../apps/community/src/categories/categories';
import { waitUntil } from '../../support/wait-until';

/** Where the community listens now: it moves when it is killed and started again. */
export type Address = () => string;

/** Someone who does things over the network, and repeats what was not answered. */
export interface Someone {
  readonly id: string;
  readonly token: string;
  /** The user's comments, which they may delete. */
  readonly comments: string[];
}

interface Session {
  readonly token: string;
  readonly user: { readonly id: string };
}

function isSession(answer: Partial<Session>): answer is Session {
  return answer.user !== undefined;
}

interface Article {
  readonly id: string;
  readonly author: Someone;
}

/** Users and articles; each user does one thing after the other. */
export class Crowd {
  private done = 0;

  private constructor(
    private readonly address: Address,
    readonly people: readonly Someone[],
    private readonly articles: readonly Article[],
    private readonly draw: (below: number) => number,
  ) {}

  /** Registers people, half of whom publish an article. */
  static async gather(address: Address, size: number, draw: (below: number) => number): Promise<Crowd> {
    const names = Array.from({ length: size }, (_, index) => `person ${index}`);
    const people = await Promise.all(
      names.map(async (name): Promise<Someone> => {
        const body = { name, password: 'a password of the tests' };
        const registered = await send<Partial<Session>>(address, 'POST', '/auth/register', { body });
        // Who is registered already had an answer that was lost.
        const { token, user } = isSession(registered)
          ? registered
          : await send<Session>(address, 'POST', '/auth/login', { body });
        return { id: user.id, token, comments: [] };
      }),
    );
    const crowd = new Crowd(address, people, [], draw);
    const authors = people.slice(0, Math.ceil(size / 2));
    const articles = await Promise.all(authors.map(async (author) => ({ id: await crowd.publish(author), author })));
    return new Crowd(address, people, articles, draw);
  }

  /** Everyone does so many things at random. Resolves when all of them are answered. */
  async act(timesEach: number): Promise<void> {
    await Promise.all(
      this.people.map(async (one) => {
        for (let times = 0; times < timesEach; times += 1) {
          await this.actOnce(one);
          this.done += 1;
        }
      }),
    );
  }

  /** Waits until so many more things are done by those who act. */
  async hasDone(more: number): Promise<void> {
    const enough = this.done + more;
    await waitUntil(() => this.done >= enough, { what: `${more} more actions`, everyMs: 2, withinMs: 60_000 });
  }

  private async actOnce(one: Someone): Promise<void> {
    const { id: article, author } = this.articles[this.draw(this.articles.length)] as Article;
    const other = this.people[this.draw(this.people.length)] ?? one;
    const method = this.draw(3) === 0 ? 'DELETE' : 'PUT';
    switch (this.draw(10)) {
      case 0:
        await this.publish(one);
        return;
      case 1:
      case 2:
        if (author !== one) await this.comment(one, article);
        return;
      case 3:
      case 4:
        if (other !== one) await this.do(one, method, `/users/${other.id}/follow`);
        return;
      case 5:
      case 6:
        await this.do(one, method, `/articles/${article}/collect`);
        return;
      default:
        await this.do(one, method, `/articles/${article}/praise`);
    }
  }

  private async publish(one: Someone): Promise<string> {
    const category = categories[this.draw(categories.length)];
    const article = { title: 'A title', body: 'Some text.', category };
    const { id } = await this.do<{ id: string }>(one, 'POST', '/articles', article);
    await this.do(one, 'POST', `/articles/${id}/publish`);
    return id;
  }

  /** Writes one, or deletes the last. A comment whose answer was lost is written twice: both are in the database. */
  private async comment(one: Someone, article: string): Promise<void> {
    const last = this.draw(2) === 0 ? one.comments.pop() : undefined;
    if (last !== undefined) return void (await this.do(one, 'DELETE', `/comments/${last}`));
    const { id } = await this.do<{ id: string }>(one, 'POST', `/articles/${article}/comments`, { body: 'Well said.' });
    one.comments.push(id);
  }

  private do<Body>({ token }: Someone, method: string, path: string, body?: object): Promise<Body> {
    return send<Body>(this.address, method, path, { token, ...(body && { body }) });
  }
}

/** A minute, where nobody listens: a test that has failed meanwhile must not be waited for. */
const maxTries = 2_400;

interface Sent {
  readonly token?: string;
  readonly body?: object;
}

/**
 * Sends a request until it is answered otherwise than by 5xx. What was done by a request whose answer was lost may be
 * answered 404 or 409 the second time: that is an answer, too.
 */
async function send<Body>(address: Address, method: string, path: string, { token, body }: Sent): Promise<Body> {
  for (let times = 0; times < maxTries; times += 1) {
    try {
      const answer = await fetch(address() + path, {
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(10_000),
      });
      const text = await answer.text();
      if (answer.status < 500) return (text === '' ? {} : JSON.parse(text)) as Body;
    } catch {
      // Nobody listens, or the answer was cut off: the process is dead.
    }
    await delay(25);
  }
  throw new Error(`${method} ${path} was not answered, ${maxTries} times.`);
}
