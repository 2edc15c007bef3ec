import { type Language, language, languages, messages, speak } from '../language/language';
import { showFault } from '../points/gains';
import styles from './language-switch.module.css';

/** Chooses the language of the pages. */
export function LanguageSwitch() {
  return (
    <div class={styles.switch} role="group" aria-label={messages.value.language}>
      {Object.entries(languages).map(([tag, name]) => (
        <button
          key={tag}
          type="button"
          lang={tag}
          aria-pressed={language.value === tag}
          onClick={() => void speak(tag as Language).catch(showFault)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
