import { useLocation } from 'preact-iso';
import { messages } from '../language/language';
import { Icon } from '../ui/icon';
import { hasExpired, signOut } from '../session/session';
import { pathOf, withQuery } from '../addresses/pages';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import styles from './expired-notice.module.css';

/** Says that a session ended by itself, until its user signs in again or has read that. */
export function ExpiredNotice() {
  const { url, path } = useLocation();
  const { signIn, board } = messages.value;
  if (!hasExpired.value) return null;
  return (
    <div class={classes(ui.notice, styles.expired)} id="session-expired">
      <p role="alert">{signIn.expired}</p>
      {path !== pathOf('signIn') && (
        <a class={classes(ui.button, ui.small)} href={withQuery(pathOf('signIn'), { from: url })}>
          {signIn.again}
        </a>
      )}
      <button type="button" class={ui.iconButton} aria-label={board.dismiss} onClick={signOut}>
        <Icon name="close" />
      </button>
    </div>
  );
}
