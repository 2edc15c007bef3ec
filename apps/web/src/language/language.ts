import { computed, signal } from '@preact/signals';
import { stored } from '../browser/stored';
import { en, type Messages } from './en';

/** The languages of the pages, each by its own name. */
export const languages = { en: 'English', zh: '中文' } as const;

/** One of them. */
export type Language = keyof typeof languages;

/** English comes with the pages; other languages when they are spoken. */
const loads: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Messages>>> = {
  zh: () => import('./zh').then(({ zh }) => zh),
};
const loaded = signal<Readonly<Partial<Record<Language, Messages>>>>({ en });
const locales: Readonly<Record<Language, string>> = { en: 'en-GB', zh: 'zh-CN' };
const choice = stored('localStorage', 'laurel-language');

/** In which language the pages speak: the one chosen here, else the first that the browser asks for and we have. */
export const language = signal<Language>('en');

/** The one that was asked for last: its texts may be on their way. */
let wished: Language = 'en';

/** The pages' texts in that language. */
export const messages = computed(() => loaded.value[language.value] ?? en);

/** Its locale, for numbers and dates. */
export const locale = computed(() => locales[language.value]);

/** Speaks the language of the reader; English, where another one cannot be loaded. */
export function speakAsWished(): Promise<void> {
  return load(chosenBefore() ?? preferred(navigator.languages)).catch(() => undefined);
}

/** Speaks another language from now on, and at the next visit. */
export function speak(chosen: Language): Promise<void> {
  choice.write(chosen);
  return load(chosen);
}

async function load(chosen: Language): Promise<void> {
  wished = chosen;
  if (chosen !== 'en' && !loaded.value[chosen]) {
    const table = await loads[chosen]();
    loaded.value = { ...loaded.value, [chosen]: table };
  }
  // Another may have been chosen meanwhile.
  if (wished === chosen) language.value = chosen;
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
