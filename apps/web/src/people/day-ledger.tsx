import { MoreButton } from '../articles/more-button';
import { formatDayLong, formatMoment, formatNumber, formatSigned } from '../language/format';
import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import { CardHead } from '../ui/card-head';
import { CardTable } from '../ui/card-table';
import { DayField } from '../ui/day-field';
import { FaultNotice } from '../ui/fault-notice';
import { Icon } from '../ui/icon';
import { Subject, subjectIn, UserName } from '../ui/subject';
import { useNames } from '../ui/use-names';
import { dayAfter } from './days';
import { ledgerQuery, type LedgerLine } from './people';
import ui from '../ui/pieces.module.css';
import styles from './day-ledger.module.css';

/** A user's ledger of a day, line by line. For that user alone. */
export function DayLedger({
  userId,
  date,
  latest,
  choose,
}: {
  userId: string;
  date: string;
  latest: string;
  choose: (date: string) => void;
}) {
  const { person, board } = messages.value;
  const { value, fault, change, again } = useResource(ledgerQuery(userId, { date }));
  const more = async (cursor: string) => {
    const page = await ledgerQuery(userId, { date, cursor }).read();
    change((before) => ({ ...page, lines: [...before.lines, ...page.lines] }));
  };
  const next = value?.next;
  const names = useNames(
    (value?.lines ?? []).flatMap(({ subject, from }) => [
      ...(subject === null ? [] : [subjectIn(subject)]),
      ...(from === undefined ? [] : [`user:${from}`]),
    ]),
  );
  return (
    <section class={ui.card} aria-labelledby="ledger-title" id="ledger">
      <CardHead>
        <h2 id="ledger-title">{person.why}</h2>
        <div class={styles.steps}>
          <button
            type="button"
            class={ui.iconButton}
            aria-label={person.dayBefore}
            title={person.dayBefore}
            onClick={() => choose(dayAfter(date, -1))}
          >
            <Icon name="left" />
          </button>
          <DayField label={person.pickDay} latest={latest} value={date} choose={choose} />
          <button
            type="button"
            class={ui.iconButton}
            aria-label={person.dayAfter}
            title={person.dayAfter}
            disabled={date >= latest}
            onClick={() => choose(dayAfter(date, 1))}
          >
            <Icon name="right" />
          </button>
        </div>
      </CardHead>
      <p class={ui.quiet}>
        {formatDayLong(date)}
        {value && ` · ${formatNumber(value.points)} ${board.points(value.points)}`}
      </p>
      {fault && <FaultNotice fault={fault} again={again} />}
      {value?.lines.length === 0 && <p class={ui.quiet}>{person.nothingThatDay}</p>}
      {value && value.lines.length > 0 && (
        <CardTable name="ledger" heads={[person.when, person.what, person.points]}>
          {value.lines.map((line, index) => (
            <Line key={index} line={line} names={names} />
          ))}
        </CardTable>
      )}
      {next && <MoreButton label={board.more} more={() => more(next)} />}
    </section>
  );
}

function Line({ line, names }: { line: LedgerLine; names: Readonly<Record<string, string>> }) {
  const { action, subject, digest, reason, from, points, grantedAt, revokedAt } = line;
  const { person, actions } = messages.value;
  const isRevoked = points === 0 && revokedAt !== null;
  const at = isRevoked ? revokedAt : grantedAt;
  return (
    <tr>
      <td>{at !== null && <time dateTime={at}>{formatMoment(at)}</time>}</td>
      <td>
        {actions[action] ?? action} <Subject subject={subject ?? digest ?? ''} names={names} />
        {from !== undefined && (
          <span class={ui.quiet}>
            {' '}
            {person.doneBy} <UserName userId={from} names={names} />
          </span>
        )}
        {reason !== undefined && <span class={ui.quiet}> {reason}</span>}
      </td>
      <td>{isRevoked ? <span class={ui.quiet}>{person.revoked}</span> : formatSigned(points)}</td>
    </tr>
  );
}
