import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon';
import styles from './day-field.module.css';

/** Before this day there is nothing to choose. */
const firstDay = '1970-01-01';

/**
 * A button for a day, which opens the browser's calendar; its own field shows while a day is typed. What a calendar
 * gives is chosen at once, what is typed with Enter or where the field is left: a year on its way to four digits is a
 * day, too.
 */
export function DayField({
  label,
  text,
  value,
  latest,
  choose,
}: {
  label: string;
  text?: string;
  value: string;
  latest: string;
  choose: (day: string) => void;
}) {
  const field = useRef<HTMLInputElement>(null);

  // Pages are drawn anew every second: half a date that somebody types is left alone.
  const show = () => {
    if (field.current && !isTyping(field.current)) field.current.value = value;
  };
  useLayoutEffect(show, [value]);

  function commit(input: HTMLInputElement): void {
    delete input.dataset.typed;
    const day = input.value;
    const isChosen = day !== '' && day !== value && input.validity.valid;
    // A chosen day comes back as the value.
    show();
    if (isChosen) choose(day);
  }

  return (
    <label class={styles.field}>
      <Icon name="calendar" />
      {text !== undefined && <span aria-hidden="true">{text}</span>}
      <input
        ref={field}
        type="date"
        aria-label={label}
        title={label}
        min={firstDay}
        max={latest}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== 'Enter') currentTarget.dataset.typed = '';
          else if (currentTarget.reportValidity()) commit(currentTarget);
        }}
        onPointerDown={({ currentTarget }) => delete currentTarget.dataset.typed}
        onChange={({ currentTarget }) => !isTyping(currentTarget) && commit(currentTarget)}
        onBlur={({ currentTarget }) => commit(currentTarget)}
      />
    </label>
  );
}

const isTyping = ({ dataset }: HTMLInputElement) => 'typed' in dataset;
