import { useLocation } from 'preact-iso';
import { messages } from '../language/language';
import { OwnPoints } from '../points/own-points';
import { ExpiredNotice } from '../sign-in/expired-notice';
import { session, signOut } from '../session/session';
import { Avatar } from '../ui/avatar';
import { Icon } from '../ui/icon';
import { ConnectionState } from './connection';
import { LanguageSwitch } from './language-switch';
import { Wreath } from './wreath';
import { pathOf } from '../addresses/pages';

/** What stands above every page. */
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
      <header class="masthead">
        <a class="skip" href="#content">
          {skipToContent}
        </a>
        <a class="brand" href={pathOf('home')}>
          <Wreath />
          <span>{brand}</span>
        </a>
        <nav class="main-nav" aria-label={nav.main}>
          {links.map(({ href, name, isHere }) => (
            <a key={href} href={href} aria-current={isHere ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <div class="masthead-end">
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
      <a class="button small" href={pathOf('signIn')}>
        {signIn.action}
      </a>
    );
  }
  return (
    <div class="account">
      <a class="account-link" href={pathOf('person', user.id)} aria-label={signIn.profile(user.name)} title={user.name}>
        <Avatar name={user.name} url={user.avatarUrl} size={32} />
        <span class="account-name">{user.name}</span>
      </a>
      <OwnPoints />
      <button type="button" class="quiet-button small sign-out" title={signIn.out} onClick={signOut}>
        <Icon name="out" />
        <span>{signIn.out}</span>
      </button>
    </div>
  );
}
