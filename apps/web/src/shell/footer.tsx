import { messages } from '../language/language';
import { pathOf } from '../addresses/pages';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import styles from './footer.module.css';

/** The footer of every page. */
export function Footer() {
  const { footer, nav } = messages.value;
  return (
    <footer class={classes(ui.page, styles.footer)}>
      <p>{footer}</p>
      <p>
        <a href={pathOf('operators')}>{nav.operators}</a> · <a href="/docs">{nav.api}</a>
      </p>
    </footer>
  );
}
