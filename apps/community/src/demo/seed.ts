import { createHmac } from 'node:crypto';
import { categories, type Category } from '../categories/categories';
import { anyOf } from './chance';
import type { DemoClient } from './demo-client';
import { bodyFor, names, texts, type Writing, writings } from './people';

/** Articles that are online before the first visitor comes. */
const firstArticles = 12;

/** A person of the demo, signed in. */
export interface DemoPerson {
  readonly id: string;
  readonly client: DemoClient;
  /** What the person likes best to read and to write about. */
  readonly interest: Category;
}

interface Session {
  readonly token: string;
  readonly user: { readonly id: string };
}

/** Registers the demo's people, or signs them in where they are there from an earlier run, and has some write. */
export async function seed(client: DemoClient, secret: string): Promise<readonly DemoPerson[]> {
  const people = await Promise.all(
    names.map((name, index) => arrive(client, { name, interest: interestOf(index), secret })),
  );
  for (const [index, text] of texts.entries()) await people[index]?.client.expect('PUT', '/profile/text', { text });
  const { articles } = await client.expect<{ articles: unknown[] }>('GET', '/articles?limit=50');
  for (const writing of writings.slice(0, Math.max(0, firstArticles - articles.length))) {
    await publish(anyOf(people.filter(({ interest }) => interest === writing.category)), writing);
  }
  return people;
}

/** Writes an article and puts it online. */
export async function publish({ client }: DemoPerson, { title, category }: Writing): Promise<void> {
  const { id } = await client.expect<{ id: string }>('POST', '/articles', { title, category, body: bodyFor(title) });
  await client.expect('POST', `/articles/${id}/publish`);
}

/** Each category is somebody's. */
function interestOf(index: number): Category {
  return categories[index % categories.length] as Category;
}

interface Arrival {
  readonly name: string;
  readonly interest: Category;
  readonly secret: string;
}

async function arrive(client: DemoClient, { name, interest, secret }: Arrival): Promise<DemoPerson> {
  const credentials = { name, password: createHmac('sha256', secret).update(name).digest('base64url') };
  const signIn = () => client.expect<Session>('POST', '/auth/login', credentials);
  const { status, body } = await client.call('POST', '/auth/register', credentials);
  if (status !== 201 && status !== 409)
    throw new Error(`${name} could not register: ${status} ${JSON.stringify(body)}`);
  // From an earlier run.
  const { user } = status === 409 ? await signIn() : (body as Session);
  return { id: user.id, client: client.as(async () => (await signIn()).token), interest };
}
