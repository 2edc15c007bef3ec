import { useLocation } from 'preact-iso';
import { messages } from '../language/language';
import { OwnPoints } from '../points/own-points';
import { ExpiredNotice } from '../sign-in/expired-notice';
import { clientOf } from '../http/api';
import { liveToken, session, signOut } from '../session/session';
import { Avatar } from '../ui/avatar';
import { Icon } from '../ui/icon';
import { ConnectionState } from './connection';
import { LanguageSwitch } from './language-switch';
import { Wreath } from './wreath';
import { pathOf } from '../addresses/pages';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import styles from './header.module.css';

/** The header of every page. */
export function Header() {
  const { path } = useLocation();
  const { nav, brand, skipToContent } = messages.value;
  const isBoard = path === '/' || path.startsWith('/board');
  const links = [
    { href: pathOf('home'), name: nav.board, isHere: isBoard },
    { href: pathOf('articles'), name: nav.articles, isHere: path.startsWith(pathOf('articles')) },
    { href: pathOf('write'), name: nav.write, isHere: path.startsWith(pathOf('write')) },
  ];
  return (
    <>
      <header class={classes(ui.page, styles.masthead)}>
        <a class={styles.skip} href="#content">
          {skipToContent}
        </a>
        <a class={styles.brand} href={pathOf('home')}>
          <Wreath />
          <span>{brand}</span>
        </a>
        <nav class={styles.nav} aria-label={nav.main}>
          {links.map(({ href, name, isHere }) => (
            <a key={href} href={href} aria-current={isHere ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <div class={styles.end}>
          <ConnectionState />
          <LanguageSwitch />
          <Account />
        </div>
      </header>
      <ExpiredNotice />
    </>
  );
}

function Account() {
  const { signIn } = messages.value;
  const user = session.value?.user;
  if (!user) {
    return (
      <a class={classes(ui.button, ui.small, styles.action)} href={pathOf('signIn')}>
        {signIn.action}
      </a>
    );
  }
  return (
    <div class={styles.account}>
      <a
        class={styles.accountLink}
        href={pathOf('person', user.id)}
        aria-label={signIn.profile(user.name)}
        title={user.name}
      >
        <Avatar name={user.name} url={user.avatarUrl} size={32} />
        <span class={styles.accountName}>{user.name}</span>
      </a>
      <OwnPoints />
      <button
        type="button"
        class={classes(ui.quietButton, ui.small, styles.action, styles.signOut)}
        title={signIn.out}
        onClick={leave}
      >
        <Icon name="out" />
        <span>{signIn.out}</span>
      </button>
    </div>
  );
}

/** Signs out here, and ends the token; where the server cannot be reached, it ends by itself. */
function leave(): void {
  const token = liveToken();
  signOut();
  void clientOf(() => token)
    .POST('/auth/logout')
    .catch(() => undefined);
}
