import { type ApiError, isPassing } from '../http/api-error';
import { messages } from '../language/language';
import ui from './pieces.module.css';

/**
 * Says what went wrong in the reader's language; what the server said of the input stands below.
 * @param again reads anew what could not be read; where it may pass by itself, that is tried without being asked, too.
 */
export function FaultNotice({ fault, again }: { fault: ApiError; again?: () => void }) {
  const words = messages.value.fault;
  const isExplained = ['gone', 'refused', 'forbidden'].includes(fault.kind) && fault.faults.length === 0;
  return (
    <div class={ui.notice} role="alert">
      <p>
        {words[fault.kind]} {again && isPassing(fault) && words.keepsTrying}
      </p>
      {isExplained && (
        <p class={ui.quiet} lang="en">
          {fault.message}
        </p>
      )}
      {fault.faults.length > 0 && (
        <ul>
          {fault.faults.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {again && fault.kind !== 'notFound' && (
        <button type="button" class={ui.quietButton} onClick={again}>
          {words.again}
        </button>
      )}
    </div>
  );
}
