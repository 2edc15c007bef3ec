import { useState } from 'preact/hooks';
import { ApiError } from '../http/api-error';
import { formatMoment } from '../language/format';
import { messages } from '../language/language';
import { FaultNotice } from '../ui/fault-notice';
import { useLoaded } from '../ui/use-loaded';
import { CardTable, OperatorCard } from './operator-card';
import { putRules, readRules, type RuleChange, type RulesInForce } from './operators';
import { useDeed } from './use-deed';

/** What counts; changed only after a dry run showed what would change. */
export function RulesCard() {
  const loaded = useLoaded(readRules);
  const { operators: words } = messages.value;
  return (
    <OperatorCard name="rules" title={words.rules} loaded={loaded}>
      {(rules) => <RulesEditor key={rules.since} rules={rules} applied={loaded.again} />}
    </OperatorCard>
  );
}

function RulesEditor({ rules, applied }: { rules: RulesInForce; applied: () => void }) {
  const { operators: words } = messages.value;
  const { isBusy, fault, run } = useDeed();
  const [text, setText] = useState(() => JSON.stringify({ rules: rules.rules, limits: rules.limits }, null, 2));
  /** What a dry run of the text as it stands said; null: there was none. */
  const [changes, setChanges] = useState<readonly RuleChange[] | null>(null);

  const dryRun = () => run(async () => setChanges((await putRules(parsed(text), true)).changes));
  const apply = () => run(() => putRules(parsed(text), false)).then((isDone) => isDone && applied());

  return (
    <div class="form">
      <p class="quiet">
        {words.rulesVersion(rules.version ?? 0)} · {formatMoment(rules.since)} · {rules.source}
      </p>
      <label>
        <span>{words.document}</span>
        <textarea
          class="code"
          name="rules"
          rows={14}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setChanges(null);
          }}
        />
      </label>
      {fault && <FaultNotice fault={fault} />}
      {changes && <Changes changes={changes} />}
      <p class="form-buttons">
        <button type="button" class="button" disabled={isBusy} onClick={() => void dryRun()}>
          {words.dryRun}
        </button>
        <button
          type="button"
          class="quiet-button"
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
        <p class="quiet">{words.nothingChanges}</p>
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

/** @throws ApiError for what is no JSON, as the server would. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    throw new ApiError('refused', message, null, [{ path: 'JSON', message }]);
  }
}
