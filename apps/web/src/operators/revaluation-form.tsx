import { useState } from 'preact/hooks';
import { formatNumber } from '../language/format';
import { messages } from '../language/language';
import { useDeed } from '../resource/use-deed';
import { classes } from '../ui/classes';
import { FaultNotice } from '../ui/fault-notice';
import form from '../ui/form.module.css';
import ui from '../ui/pieces.module.css';
import { revalue, type Revaluation } from './operators';

/** Gives what was recorded since a day the points of the rules in force. */
export function RevaluationForm() {
  const { isBusy, fault, run } = useDeed('/ranks');
  const { operators: words } = messages.value;
  const [from, setFrom] = useState('');
  const [done, setDone] = useState<Revaluation | null>(null);
  return (
    <form
      id="revaluation"
      class={classes(form.form, form.inLine)}
      onSubmit={(event) => {
        event.preventDefault();
        setDone(null);
        void run(async () => setDone(await revalue(from)));
      }}
    >
      <label>
        <span>{words.revalueFrom}</span>
        <input
          name="from"
          type="date"
          required
          value={from}
          onInput={({ currentTarget }) => setFrom(currentTarget.value)}
        />
      </label>
      <button type="submit" class={classes(ui.quietButton, ui.small)} disabled={isBusy}>
        {words.revalue}
      </button>
      {fault && <FaultNotice fault={fault} />}
      {done && <p role="status">{words.revalued(done.changed, formatNumber(done.points))}</p>}
    </form>
  );
}
