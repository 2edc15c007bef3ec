import { computed, signal } from '@preact/signals';
import { now } from '../clock';

/** Who signed in, as `POST /auth/login` answers. */
export interface Session {
  readonly token: string;
  readonly expiresAt: string;
  readonly user: { readonly id: string; readonly name: string; readonly avatarUrl: string };
}

const storedUnder = 'laurel-session';

/** Who is signed in here; null: nobody. */
export const session = signal<Session | null>(stored());

/** The id of who is signed in here. */
export const ownId = computed(() => session.value?.user.id ?? null);

/** Remembers who signed in, in this browser, until his token ends or he signs out. */
export function signIn(started: Session): void {
  localStorage.setItem(storedUnder, JSON.stringify(started));
  session.value = started;
}

/** Forgets who was signed in. */
export function signOut(): void {
  localStorage.removeItem(storedUnder);
  session.value = null;
}

/** What one window signs in and out, the others do too. */
window.addEventListener('storage', ({ key }) => {
  if (key === storedUnder || key === null) session.value = stored();
});

function stored(): Session | null {
  const text = localStorage.getItem(storedUnder);
  if (text === null) return null;
  try {
    const read: unknown = JSON.parse(text);
    return isSession(read) && new Date(read.expiresAt) > now() ? read : null;
  } catch {
    return null;
  }
}

function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null) return false;
  const { token, expiresAt, user } = value as Partial<Session>;
  return typeof token === 'string' && typeof expiresAt === 'string' && typeof user?.id === 'string';
}
