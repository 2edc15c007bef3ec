import { signal } from '@preact/signals';

const storedUnder = 'laurel-operator-key';

/** The API key that an operator typed; null: none. Forgotten with the tab. */
export const operatorKey = signal<string | null>(sessionStorage.getItem(storedUnder));

/** Keeps a key for as long as this tab lives; null forgets it. */
export function keepKey(key: string | null): void {
  if (key === null) sessionStorage.removeItem(storedUnder);
  else sessionStorage.setItem(storedUnder, key);
  operatorKey.value = key;
}
