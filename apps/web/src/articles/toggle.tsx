import type { ComponentProps } from 'preact';
import { Icon } from '../ui/icon';
import styles from './toggle.module.css';

/** A button that stays pressed. */
export function Toggle({
  isOn,
  isBusy,
  icon,
  label,
  toggle,
}: {
  isOn: boolean;
  isBusy: boolean;
  icon: ComponentProps<typeof Icon>['name'];
  label: string;
  toggle: () => void;
}) {
  return (
    <button
      type="button"
      class={styles.toggle}
      aria-pressed={isOn}
      aria-busy={isBusy}
      onClick={() => !isBusy && toggle()}
    >
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  );
}
