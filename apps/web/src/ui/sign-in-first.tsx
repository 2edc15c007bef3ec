import { useLocation } from 'preact-iso';
import { messages } from '../language/language';
import { pathOf, withQuery } from '../addresses/pages';
import ui from './pieces.module.css';

/** Shown in place of a page for signed-in users if nobody is signed in. */
export function SignInFirst() {
  const { url } = useLocation();
  const { needed, action } = messages.value.signIn;
  return (
    <div class={ui.card}>
      <p>{needed}</p>
      <p>
        <a class={ui.button} href={withQuery(pathOf('signIn'), { from: url })}>
          {action}
        </a>
      </p>
    </div>
  );
}
