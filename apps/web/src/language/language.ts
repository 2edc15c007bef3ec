import { computed, signal } from '@preact/signals';
import { stored } from '../browser/stored';
import { en, type Messages } from './en';
import { zh } from './zh';

/** The languages of the pages, each by its own name. */
export const languages = { en: 'English', zh: '中文' } as const;

/** One of them. */
export type Language = keyof typeof languages;

const tables: Readonly<Record<Language, Messages>> = { en, zh };
const locales: Readonly<Record<Language, string>> = { en: 'en-GB', zh: 'zh-CN' };
const choice = stored('localStorage', 'laurel-language');

/** In which language the pages speak: the one chosen here, else the first that the browser asks for and we have. */
export const language = signal<Language>(chosenBefore() ?? preferred(navigator.languages));

/** What the pages say, in that language. */
export const messages = computed(() => tables[language.value]);

/** Its locale, for numbers and dates. */
export const locale = computed(() => locales[language.value]);

/** Speaks another language from now on, and at the next visit. */
export function speak(chosen: Language): void {
  choice.write(chosen);
  language.value = chosen;
}

/** The first of the wished languages that there is; English where there is none. */
export function preferred(wished: readonly string[]): Language {
  for (const tag of wished) {
    const base = tag.toLowerCase().split('-')[0] ?? '';
    if (isLanguage(base)) return base;
  }
  return 'en';
}

function chosenBefore(): Language | null {
  const value = choice.read() ?? '';
  return isLanguage(value) ? value : null;
}

function isLanguage(value: string): value is Language {
  return Object.hasOwn(languages, value);
}
