import { messages } from '../language/language';
import { usePageTitle } from './use-page-title';
import { pathOf } from '../addresses/pages';
import { classes } from './classes';
import ui from './pieces.module.css';

/** The page of an unknown address. */
export function NotFound() {
  const { fault, nav } = messages.value;
  usePageTitle(fault.notFound);
  return (
    <section class={classes(ui.card, ui.narrow)}>
      <h1>{fault.notFound}</h1>
      <p>
        <a href={pathOf('home')}>{nav.board}</a>
      </p>
    </section>
  );
}
