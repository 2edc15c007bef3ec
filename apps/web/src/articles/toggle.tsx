import type { ComponentProps } from 'preact';
import { Icon } from '../ui/icon';

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
    <button type="button" class="toggle" aria-pressed={isOn} aria-busy={isBusy} onClick={() => !isBusy && toggle()}>
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  );
}
