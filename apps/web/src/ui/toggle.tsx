import type { ComponentProps } from 'preact';
import { Icon } from './icon';
import { classes } from './classes';
import ui from './pieces.module.css';
import styles from './toggle.module.css';

/** A button that stays pressed. */
export function Toggle({
  isOn,
  isBusy,
  isSmall = false,
  icon,
  label,
  toggle,
}: {
  isOn: boolean;
  isBusy: boolean;
  isSmall?: boolean;
  icon: ComponentProps<typeof Icon>['name'];
  label: string;
  toggle: () => void;
}) {
  return (
    <button
      type="button"
      class={classes(styles.toggle, isSmall && styles.small)}
      title={isSmall ? label : undefined}
      aria-pressed={isOn}
      aria-busy={isBusy}
      onClick={() => !isBusy && toggle()}
    >
      <Icon name={icon} />
      <span class={isSmall ? ui.onlyHeard : undefined}>{label}</span>
    </button>
  );
}
