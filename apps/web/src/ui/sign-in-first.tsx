import { useLocation } from 'preact-iso';
import { withQuery } from '../http/path-of';
import { messages } from '../language/language';

/** What a page shows that is for signed-in users, where nobody is. */
export function SignInFirst() {
  const { url } = useLocation();
  const { needed, action } = messages.value.signIn;
  return (
    <div class="card">
      <p>{needed}</p>
      <p>
        <a class="button" href={withQuery('/sign-in', { from: url })}>
          {action}
        </a>
      </p>
    </div>
  );
}
