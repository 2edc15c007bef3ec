import { batch, computed, signal } from '@preact/signals';
import { now } from '../browser/clock';
import { stored } from '../browser/stored';

/** Who signed in, as `POST /auth/login` answers. */
export interface Session {
  readonly token: string;
  /** By the clock of who says it: once signed in, by this browser's. */
  readonly expiresAt: string;
  readonly user: { readonly id: string; readonly name: string; readonly avatarUrl: string };
}

const storedUnder = 'laurel-session';
const kept = stored('localStorage', storedUnder);
/** Timers hold no longer times. */
const longestMs = 2 ** 31 - 1;

/** Who is signed in here; null: nobody. */
export const session = signal<Session | null>(null);

/** Whether somebody was signed in here until his session ended by itself, and has neither signed in nor out since. */
export const hasExpired = signal(false);

/** The id of who is signed in here. */
export const ownId = computed(() => session.value?.user.id ?? null);

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Remembers who signed in, in this browser, until his token ends or he signs out.
 * @param saidAt when that was said, by the clock that `expiresAt` is of: this browser's may be another.
 */
export function signIn(started: Session, saidAt: Date): void {
  const leftMs = Date.parse(started.expiresAt) - saidAt.getTime();
  const here = { ...started, expiresAt: new Date(now().getTime() + leftMs).toISOString() };
  kept.write(JSON.stringify(here));
  take(here);
}

/** Forgets who was signed in. */
export function signOut(): void {
  kept.write(null);
  take(null);
}

/** Forgets who was signed in, because his token is worth nothing any more; says so. */
export function expire(): void {
  signOut();
  hasExpired.value = true;
}

/** The token of who is signed in, now: a session whose time has come ends here, where no timer has ended it yet. */
export function liveToken(): string | undefined {
  endWhenOver();
  return session.value?.token;
}

/** What one window signs in and out, the others do too. */
window.addEventListener('storage', ({ key }) => {
  if (key === storedUnder || key === null) take(lastKept());
});
document.addEventListener('visibilitychange', endWhenOver);
take(lastKept());

/** What is over stays stored: so a window says that it is, also after it was loaded again. */
function take(read: Session | null): void {
  const leftMs = read === null ? 0 : msLeft(read);
  batch(() => {
    session.value = leftMs > 0 ? read : null;
    hasExpired.value = read !== null && leftMs <= 0;
  });
  clearTimeout(timer);
  if (leftMs > 0) timer = setTimeout(() => take(lastKept()), Math.min(leftMs, longestMs));
}

/** Timers are late where a computer slept. Another window may have signed in anew meanwhile. */
function endWhenOver(): void {
  if (session.value !== null && msLeft(session.value) <= 0) take(lastKept());
}

function msLeft({ expiresAt }: Session): number {
  return Date.parse(expiresAt) - now().getTime();
}

function lastKept(): Session | null {
  const text = kept.read();
  if (text === null) return null;
  try {
    const read: unknown = JSON.parse(text);
    return isSession(read) ? read : null;
  } catch {
    return null;
  }
}

function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null) return false;
  const { token, expiresAt, user } = value as Partial<Session>;
  return (
    typeof token === 'string' &&
    typeof expiresAt === 'string' &&
    !Number.isNaN(Date.parse(expiresAt)) &&
    typeof user?.id === 'string'
  );
}
