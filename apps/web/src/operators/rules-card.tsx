import { useState } from 'preact/hooks';
import { firstBoard } from '../ranks/boards';
import { ApiError } from '../http/api-error';
import { formatMoment } from '../language/format';
import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import { FaultNotice } from '../ui/fault-notice';
import { CardTable } from '../ui/card-table';
import { OperatorCard } from './operator-card';
import { putRules, type RuleChange, rulesQuery, type RulesInForce, simulate, type WrittenRules } from './operators';
import { RevaluationForm } from './revaluation-form';
import { SimulatedStandings } from './simulated-standings';
import { type ChosenStandings, StandingsChoice } from './standings-choice';
import { useDeed } from '../resource/use-deed';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import form from '../ui/form.module.css';
import styles from './rules-card.module.css';

/** Rules and limits; a dry run shows the differences before they change, and what is recorded can follow. */
export function RulesCard() {
  const loaded = useResource(rulesQuery());
  const { operators: words } = messages.value;
  return (
    <OperatorCard name="rules" title={words.rules} loaded={loaded}>
      {(rules) => (
        <>
          <RulesEditor key={rules.since} rules={rules} />
          <RevaluationForm />
        </>
      )}
    </OperatorCard>
  );
}

function RulesEditor({ rules }: { rules: RulesInForce }) {
  const { operators: words } = messages.value;
  const dryRun = useDeed();
  const simulation = useDeed();
  const application = useDeed('/activity/rules');
  const isBusy = dryRun.isBusy || simulation.isBusy || application.isBusy;
  const [text, setText] = useState(() => JSON.stringify({ rules: rules.rules, limits: rules.limits }, null, 2));
  const [on, setOn] = useState<ChosenStandings>({ leaderboard: firstBoard, period: 'current' });
  /** The answer to a dry run of the present text; null: there was none. */
  const [changes, setChanges] = useState<readonly RuleChange[] | null>(null);
  const [simulated, setSimulated] = useState<Awaited<ReturnType<typeof simulate>> | null>(null);

  function forget(): void {
    setChanges(null);
    setSimulated(null);
  }

  async function tryOut(): Promise<void> {
    forget();
    const isAccepted = await dryRun.run(async () =>
      setChanges((await putRules(parsed(text), { revision: rules.revision, isDryRun: true })).changes),
    );
    if (isAccepted) await simulation.run(async () => setSimulated(await simulate(parsed(text), on)));
  }

  const apply = () => application.run(() => putRules(parsed(text), { revision: rules.revision, isDryRun: false }));

  return (
    <div class={form.form}>
      <p class={ui.quiet}>
        {words.rulesVersion(rules.version ?? 0)} · {formatMoment(rules.since)} · {rules.source}
      </p>
      <label>
        <span>{words.document}</span>
        <textarea
          class={styles.code}
          name="rules"
          rows={14}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            forget();
          }}
        />
      </label>
      <div class={classes(form.form, form.inLine)}>
        <StandingsChoice
          label={words.dryRunOn}
          chosen={on}
          choose={(chosen) => {
            setOn(chosen);
            forget();
          }}
        />
      </div>
      {dryRun.fault && <FaultNotice fault={dryRun.fault} />}
      {changes && <Changes changes={changes} />}
      {simulation.fault && <FaultNotice fault={simulation.fault} />}
      {simulated && <SimulatedStandings {...simulated} />}
      {application.fault && <FaultNotice fault={application.fault} />}
      <p class={form.buttons}>
        <button type="button" class={ui.button} disabled={isBusy} onClick={() => void tryOut()}>
          {words.dryRun}
        </button>
        <button
          type="button"
          class={ui.quietButton}
          disabled={isBusy || changes === null || changes.length === 0}
          onClick={() => void apply()}
        >
          {words.apply}
        </button>
      </p>
    </div>
  );
}

function Changes({ changes }: { changes: readonly RuleChange[] }) {
  const { operators: words } = messages.value;
  return (
    <div role="status">
      {changes.length === 0 ? (
        <p class={ui.quiet}>{words.nothingChanges}</p>
      ) : (
        <CardTable name="rules" heads={[words.what, words.before, words.after]}>
          {changes.map(({ kind, name, before, after }) => (
            <tr key={`${kind} ${name}`}>
              <th scope="row">{name}</th>
              <td>
                <code>{before ? JSON.stringify(before) : '–'}</code>
              </td>
              <td>
                <code>{after ? JSON.stringify(after) : '–'}</code>
              </td>
            </tr>
          ))}
        </CardTable>
      )}
    </div>
  );
}

/** @throws ApiError for what is no JSON, as the server would; what else is wrong with the rules the server says. */
function parsed(text: string): WrittenRules {
  try {
    return JSON.parse(text) as WrittenRules;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    throw new ApiError('refused', message, null, [{ path: 'JSON', message }]);
  }
}
