import { useLocation } from 'preact-iso';
import { messages } from '../language/language';
import { pathOf, withQuery } from '../addresses/pages';

/** What a page shows that is for signed-in users, where nobody is. */
export function SignInFirst() {
  const { url } = useLocation();
  const { needed, action } = messages.value.signIn;
  return (
    <div class="card">
      <p>{needed}</p>
      <p>
        <a class="button" href={withQuery(pathOf('signIn'), { from: url })}>
          {action}
        </a>
      </p>
    </div>
  );
}
