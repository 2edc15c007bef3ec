import type { ApiError } from '../http/api-error';
import { messages } from '../language/language';

/** Says what went wrong in the reader's language; what the server said of the input stands below. */
export function FaultNotice({ fault, again }: { fault: ApiError; again?: () => void }) {
  const words = messages.value.fault;
  return (
    <div class="notice" role="alert">
      <p>{words[fault.kind]}</p>
      {fault.faults.length > 0 && (
        <ul>
          {fault.faults.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {again && (
        <button type="button" class="quiet-button" onClick={again}>
          {words.again}
        </button>
      )}
    </div>
  );
}
