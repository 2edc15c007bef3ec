import { useLayoutEffect, useRef } from 'preact/hooks';
import ui from './pieces.module.css';
import styles from './day-field.module.css';

/** Before this day there is nothing to choose. */
const firstDay = '1970-01-01';

/**
 * A day to be chosen: what a calendar gives at once, what is typed with Enter or where the field is left, because a
 * year on its way to four digits is a day, too.
 */
export function DayField({
  label,
  isLabelSeen = false,
  value,
  latest,
  choose,
}: {
  label: string;
  isLabelSeen?: boolean;
  value: string;
  latest: string;
  choose: (day: string) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const isTyping = useRef(false);

  // Pages are drawn anew every second: half a date that somebody types is left alone.
  const show = () => {
    if (field.current && !isTyping.current) field.current.value = value;
  };
  useLayoutEffect(show, [value]);

  function commit(input: HTMLInputElement): void {
    isTyping.current = false;
    const day = input.value;
    const isChosen = day !== '' && day !== value && input.validity.valid;
    // What is chosen comes back as the value; what is not was never here.
    show();
    if (isChosen) choose(day);
  }

  return (
    <label class={styles.field}>
      <span class={isLabelSeen ? undefined : ui.onlyHeard}>{label}</span>
      <input
        ref={field}
        type="date"
        title={label}
        min={firstDay}
        max={latest}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== 'Enter') isTyping.current = true;
          else if (currentTarget.reportValidity()) commit(currentTarget);
        }}
        onPointerDown={() => {
          isTyping.current = false;
        }}
        onChange={({ currentTarget }) => !isTyping.current && commit(currentTarget)}
        onBlur={({ currentTarget }) => commit(currentTarget)}
      />
    </label>
  );
}
