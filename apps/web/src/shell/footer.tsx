import { messages } from '../language/language';
import { pathOf } from '../addresses/pages';

/** What stands below every page. */
export function Footer() {
  const { footer, nav } = messages.value;
  return (
    <footer>
      <p>{footer}</p>
      <p>
        <a href={pathOf('operators')}>{nav.operators}</a> · <a href="/docs">{nav.api}</a>
      </p>
    </footer>
  );
}
