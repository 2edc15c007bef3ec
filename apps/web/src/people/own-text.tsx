import { useState } from 'preact/hooks';
import { useKeptText } from '../session/kept-text';
import { messages } from '../language/language';
import { FaultNotice } from '../ui/fault-notice';
import { type ApiError, asApiError } from '../http/api-error';
import { describe } from './people';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import form from '../ui/form.module.css';
import styles from './own-text.module.css';

/** Edits the user's line of text, which leaderboards and their own page show. */
export function OwnText({ text, changed }: { text: string | null; changed: (text: string | null) => void }) {
  const { person } = messages.value;
  const { text: typed, write, sent } = useKeptText('own text', text ?? '');
  const [fault, setFault] = useState<ApiError | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function keep(): Promise<void> {
    setIsBusy(true);
    setFault(null);
    const said = typed.trim() || null;
    try {
      await describe(said);
      changed(said);
      sent();
    } catch (error) {
      setFault(asApiError(error));
    }
    setIsBusy(false);
  }

  return (
    <form
      class={classes(form.form, styles.ownText)}
      onSubmit={(event) => {
        event.preventDefault();
        void keep();
      }}
    >
      <label>
        <span>{person.text}</span>
        <input name="text" maxLength={120} value={typed} onInput={({ currentTarget }) => write(currentTarget.value)} />
      </label>
      <button type="submit" class={ui.quietButton} disabled={isBusy}>
        {person.keepText}
      </button>
      {fault && <FaultNotice fault={fault} />}
    </form>
  );
}
