import { useLocation } from 'preact-iso';
import { messages } from '../language/language';
import { Icon } from '../ui/icon';
import { hasExpired, signOut } from '../session/session';
import { pathOf, withQuery } from '../addresses/pages';

/** Says that a session ended by itself, until its user signs in again or has read that. */
export function ExpiredNotice() {
  const { url, path } = useLocation();
  const { signIn, board } = messages.value;
  if (!hasExpired.value) return null;
  return (
    <div class="notice expired" id="session-expired">
      <p role="alert">{signIn.expired}</p>
      {path !== pathOf('signIn') && (
        <a class="button small" href={withQuery(pathOf('signIn'), { from: url })}>
          {signIn.again}
        </a>
      )}
      <button type="button" class="icon-button" aria-label={board.dismiss} onClick={signOut}>
        <Icon name="close" />
      </button>
    </div>
  );
}
