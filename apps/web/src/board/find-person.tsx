import * as combobox from '@zag-js/combobox';
import { normalizeProps, useMachine } from '@zag-js/preact';
import { useId, useMemo, useState } from 'preact/hooks';
import { messages } from '../language/language';
import { Avatar } from '../ui/avatar';
import { Icon } from '../ui/icon';
import { useRested } from '../ui/use-rested';
import { useLast, useResource } from '../resource/use-resource';
import { type BoardAddress, type FoundPerson, peopleQuery } from '../ranks/ranks';
import { machine } from './typed-combobox';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import styles from './find-person.module.css';

const unchoosable = { role: 'option', 'aria-disabled': true, 'aria-selected': false } as const;

/** Finds a person by the beginning of a name, and jumps to their place. */
export function FindPerson({ board, found }: { board: BoardAddress; found: (person: FoundPerson) => void }) {
  const { find, board: words } = messages.value;
  const { people, fault, look, isAnswered } = useFoundPeople(board);
  const collection = useMemo(
    () =>
      combobox.collection({
        // People found for an earlier name cannot be chosen under a later one.
        items: isAnswered ? [...people] : [],
        itemToValue: ({ id }) => id,
        itemToString: ({ name }) => name,
      }),
    [people, isAnswered],
  );
  const service = useMachine(machine as combobox.Machine<FoundPerson>, {
    id: useId(),
    collection,
    selectionBehavior: 'clear',
    inputBehavior: 'autohighlight',
    openOnClick: false,
    placeholder: find.placeholder,
    translations: { triggerLabel: find.open, clearTriggerLabel: find.clear },
    onInputValueChange: ({ inputValue }) => look(inputValue.trim()),
    // Also where it is the one who was chosen last.
    onSelect: ({ itemValue }) => {
      const person = people.find(({ id }) => id === itemValue);
      if (person) found(person);
    },
  });
  const api = combobox.connect(service, normalizeProps);
  const { role: _role, type: _type, ...inputProps } = api.getInputProps();
  return (
    <div class={styles.find} {...api.getRootProps()}>
      <label class={ui.onlyHeard} {...api.getLabelProps()}>
        {find.label}
      </label>
      <div class={styles.control} {...api.getControlProps()}>
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          maxLength={40}
          {...inputProps}
          onKeyDown={(event) => {
            // There is nobody to choose yet, and the list would close.
            if (event.key !== 'Enter' || isAnswered) inputProps.onKeyDown?.(event);
          }}
        />
      </div>
      <div class={styles.positioner} {...api.getPositionerProps()}>
        <ul class={styles.list} {...api.getContentProps()} hidden={!api.open || (people.length === 0 && !isAnswered)}>
          {people.map((person) => (
            <li key={person.id} {...(isAnswered ? api.getItemProps({ item: person }) : unchoosable)}>
              <Avatar name={person.name} url={person.avatarUrl} size={32} />
              <span class={ui.name}>{person.name}</span>
              <span class={classes(ui.quiet, styles.rank)}>
                {person.rank === null ? find.notOn : person.rank !== undefined && words.rank(person.rank)}
              </span>
            </li>
          ))}
          {people.length === 0 && (
            <li class={ui.quiet} {...unchoosable}>
              {fault ? messages.value.fault[fault.kind] : find.none}
            </li>
          )}
        </ul>
      </div>
    </div>
  );
}

const nobody = { users: [] };

/** People whose names begin with what was typed last, once the typing rests; until then those who were found before. */
function useFoundPeople(board: BoardAddress) {
  const [name, look] = useState('');
  const rested = useRested(name);
  const { value, fault } = useResource(rested === '' ? null : peopleQuery(rested, board));
  const isAnswered = name !== '' && rested === name && (value !== null || fault !== null);
  const isNobody = name === '' || (isAnswered && value === null);
  const people: readonly FoundPerson[] = (useLast(isNobody ? nobody : value) ?? nobody).users;
  return { people, fault, look, isAnswered };
}
