import { useState } from 'preact/hooks';
import { messages } from '../language/language';
import { CardHead } from '../ui/card-head';
import { usePageTitle } from '../ui/use-page-title';
import { AdjustmentsCard } from './adjustments-card';
import { ExclusionsCard } from './exclusions-card';
import { ErasureCard } from './erasure-card';
import { keepKey, operatorKey } from './operator-key';
import { LeaderboardsCard } from './leaderboards-card';
import { RefusalsCard } from './refusals-card';
import { ReviewsCard } from './reviews-card';
import { RingsCard } from './rings-card';
import { RulesCard } from './rules-card';
import { SettlementCard } from './settlement-card';
import { SubmissionsCard } from './submissions-card';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import form from '../ui/form.module.css';
import styles from './operators-page.module.css';

/** The operators' page, opened by the API key. */
export function OperatorsPage() {
  const { operators: words } = messages.value;
  const key = operatorKey.value;
  usePageTitle(words.title);
  if (key === null) return <KeyForm />;
  return <Cards key={key} />;
}

function Cards() {
  const { operators: words } = messages.value;
  return (
    <div class={styles.operators}>
      <CardHead>
        <h1>{words.title}</h1>
        <button type="button" class={classes(ui.quietButton, ui.small)} onClick={() => keepKey(null)}>
          {words.forget}
        </button>
      </CardHead>
      <SettlementCard />
      <LeaderboardsCard />
      <SubmissionsCard />
      <ReviewsCard />
      <RingsCard />
      <div class={styles.halves}>
        <ExclusionsCard />
        <AdjustmentsCard />
      </div>
      <ErasureCard />
      <RefusalsCard />
      <RulesCard />
    </div>
  );
}

function KeyForm() {
  const { operators: words } = messages.value;
  const [key, setKey] = useState('');
  return (
    <section class={classes(ui.card, ui.narrow)} aria-labelledby="key-title">
      <h1 id="key-title">{words.title}</h1>
      <form
        class={classes(form.form, form.wide)}
        onSubmit={(event) => {
          event.preventDefault();
          keepKey(key.trim());
        }}
      >
        <label>
          <span>{words.key}</span>
          <input
            name="key"
            type="password"
            autocomplete="off"
            required
            aria-describedby="key-hint"
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
          <small id="key-hint" class={ui.quiet}>
            {words.keyHint}
          </small>
        </label>
        <button type="submit" class={ui.button}>
          {words.enter}
        </button>
      </form>
    </section>
  );
}
