import { useState } from 'preact/hooks';
import { messages } from '../language/language';
import '../styles/forms.css';
import '../styles/articles.css';
import '../styles/people.css';
import '../styles/operators.css';
import { usePageTitle } from '../ui/use-page-title';
import { AdjustmentsCard } from './adjustments-card';
import { ExclusionsCard } from './exclusions-card';
import { ErasureCard } from './erasure-card';
import { keepKey, operatorKey } from './operator-key';
import { OutcomesCard } from './outcomes-card';
import { RefusalsCard } from './refusals-card';
import { ReviewsCard } from './reviews-card';
import { RingsCard } from './rings-card';
import { RulesCard } from './rules-card';
import { SettlementCard } from './settlement-card';
import { SubmissionsCard } from './submissions-card';

/** What operators see and do, with the API key. */
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
    <div class="operators">
      <div class="card-head">
        <h1>{words.title}</h1>
        <button type="button" class="quiet-button small" onClick={() => keepKey(null)}>
          {words.forget}
        </button>
      </div>
      <SettlementCard />
      <OutcomesCard />
      <SubmissionsCard />
      <ReviewsCard />
      <RingsCard />
      <div class="halves">
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
    <section class="card narrow" aria-labelledby="key-title">
      <h1 id="key-title">{words.title}</h1>
      <form
        class="form"
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
          <small id="key-hint" class="quiet">
            {words.keyHint}
          </small>
        </label>
        <button type="submit" class="button">
          {words.enter}
        </button>
      </form>
    </section>
  );
}
