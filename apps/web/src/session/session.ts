import { batch, computed, signal } from '@preact/signals';
import { now } from '../browser/clock';
import { stored } from '../browser/stored';
import type { Session } from '../contract/api.generated';

const storedUnder = 'laurel-session';
const kept = stored('localStorage', storedUnder);
/** Timers hold no longer times. */
const longestMs = 2 ** 31 - 1;

/** The session of this browser; null: nobody is signed in. */
export const session = signal<Session | null>(null);

/** Whether the last session of this browser ended by itself, and nobody has signed in or out since. */
export const hasExpired = signal(false);

/** The id of the signed-in user. */
export const ownId = computed(() => session.value?.user.id ?? null);

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Stores a session in this browser until its token expires or the user signs out. Its `expiresAt` is by the server's
 * clock in its answer; by this browser's in {@link session}.
 * @param saidAt when the server answered, by the clock of `expiresAt`: this browser's may differ.
 */
export function signIn(started: Session, saidAt: Date): void {
  const leftMs = Date.parse(started.expiresAt) - saidAt.getTime();
  const here = { ...started, expiresAt: new Date(now().getTime() + leftMs).toISOString() };
  kept.write(JSON.stringify(here));
  take(here);
}

/** Ends the session. */
export function signOut(): void {
  kept.write(null);
  take(null);
}

/** Ends the session because its token is no longer valid, and says so. */
export function expire(): void {
  const other = lastKept();
  // A window that slept in a browser's cache has not heard who signed in meanwhile.
  if (other && other.token !== session.value?.token) return take(other);
  signOut();
  hasExpired.value = true;
}

/** The token of the signed-in user: a session that has expired ends here, if no timer has ended it yet. */
export function liveToken(): string | undefined {
  endWhenOver();
  return session.value?.token;
}

/** Signing in or out in one window does so in the others. */
window.addEventListener('storage', ({ key }) => {
  if (key === storedUnder || key === null) take(lastKept());
});
window.addEventListener('pageshow', ({ persisted }) => persisted && take(lastKept()));
document.addEventListener('visibilitychange', endWhenOver);
take(lastKept());

/** An expired session stays stored, so that a window says so after a reload as well. */
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
