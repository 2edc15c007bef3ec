import { signal } from '@preact/signals';
import { stored } from '../browser/stored';

const typed = stored('sessionStorage', 'laurel-operator-key');

/** The API key that an operator typed; null: none. Forgotten with the tab. */
export const operatorKey = signal<string | null>(typed.read());

/** Keeps a key for as long as this tab lives; null forgets it. */
export function keepKey(key: string | null): void {
  typed.write(key);
  operatorKey.value = key;
}
