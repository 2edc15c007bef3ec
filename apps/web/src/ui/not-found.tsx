import { messages } from '../language/language';
import { usePageTitle } from './use-page-title';
import { pathOf } from '../addresses/pages';

/** What an address shows at which there is nothing. */
export function NotFound() {
  const { fault, nav } = messages.value;
  usePageTitle(fault.notFound);
  return (
    <section class="card narrow">
      <h1>{fault.notFound}</h1>
      <p>
        <a href={pathOf('home')}>{nav.board}</a>
      </p>
    </section>
  );
}
