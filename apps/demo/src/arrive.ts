import { createHmac } from 'node:crypto';
import type { DemoClient } from './demo-client';
import { type Inhabitant, inhabitants } from './people/people';

/** A person of the demo who can do something. */
export interface DemoPerson {
  readonly id: string;
  readonly client: DemoClient;
  readonly of: Inhabitant;
}

interface Session {
  readonly token: string;
  readonly user: { readonly id: string };
}

/** Somebody's password: the same at each start, another in each demo. */
export function passwordFor(secret: string, name: string): string {
  return createHmac('sha256', secret).update(name).digest('base64url');
}

/** Those who are still about. */
export const about: readonly Inhabitant[] = inhabitants.filter(({ part }) => part !== 'left' && part !== 'ring');

/** Has somebody sign in, who registers first where nobody has that name. */
export async function arrive(client: DemoClient, of: Inhabitant, secret: string): Promise<DemoPerson> {
  const credentials = { name: of.name, password: passwordFor(secret, of.name) };
  const signIn = () => client.expect<Session>('POST', '/auth/login', credentials);
  const known = await client.call('POST', '/auth/login', credentials);
  const { user } =
    known.status === 401
      ? await client.expect<Session>('POST', '/auth/register', credentials)
      : (known.body as Session);
  return { id: user.id, client: client.as(async () => (await signIn()).token), of };
}
