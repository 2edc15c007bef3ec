import { useEffect, useState } from 'preact/hooks';
import { formatMoment, formatNumber } from '../language/format';
import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import { FaultNotice } from '../ui/fault-notice';
import { erase, type ErasureReceipt, receiptQuery } from './operators';
import { chosenPerson, noPerson, PersonField } from './person-field';
import { useDeed } from '../resource/use-deed';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import form from '../ui/form.module.css';
import shared from './shared.module.css';
import styles from './erasure-card.module.css';

const receiptEveryMs = 2_000;

/** Erases a user, and shows what became of the erasures that were asked for here. */
export function ErasureCard() {
  const { isBusy, fault, run } = useDeed();
  const { operators: words } = messages.value;
  const [person, setPerson] = useState(noPerson);
  const [isSure, setIsSure] = useState(false);
  const [receipts, setReceipts] = useState<readonly ErasureReceipt[]>([]);
  const keep = (receipt: ErasureReceipt) =>
    setReceipts((before) => [receipt, ...before.filter(({ id }) => id !== receipt.id)]);
  const waiting = receipts.find(({ state }) => state !== 'done')?.id;

  const { value: latest } = useResource(waiting === undefined ? null : receiptQuery(waiting), {
    everyMs: receiptEveryMs,
  });
  useEffect(() => {
    if (latest) keep(latest);
  }, [latest]);

  async function submit(): Promise<void> {
    let isAsked = false;
    await run(async () => {
      const userId = await chosenPerson(person, setPerson);
      if (userId === null) return;
      keep(await erase(userId));
      isAsked = true;
    });
    if (!isAsked) return;
    setPerson(noPerson);
    setIsSure(false);
  }

  return (
    <section class={ui.card} aria-labelledby="erasure-title" id="erasure">
      <h2 id="erasure-title">{words.erasure}</h2>
      <form
        class={classes(form.form, form.inLine)}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <PersonField draft={person} change={setPerson} />
        <label class={styles.sure}>
          <input
            type="checkbox"
            name="sure"
            required
            checked={isSure}
            onInput={({ currentTarget }) => setIsSure(currentTarget.checked)}
          />
          <span>{words.eraseSurely}</span>
        </label>
        <button type="submit" class={classes(ui.button, ui.small)} disabled={isBusy}>
          {words.erase}
        </button>
      </form>
      {fault && <FaultNotice fault={fault} />}
      <ul class={shared.receipts} aria-label={words.receipts}>
        {receipts.map(({ id, state, askedAt, erased }) => (
          <li key={id} data-state={state}>
            <strong>{words.erasureStates[state]}</strong> <span class={ui.quiet}>{formatMoment(askedAt)}</span>{' '}
            <code>{id}</code>{' '}
            {Object.entries(erased)
              .filter(([, count]) => count > 0)
              .map(([kind, count]) => `${kind} ${formatNumber(count)}`)
              .join(' · ')}
          </li>
        ))}
      </ul>
    </section>
  );
}
