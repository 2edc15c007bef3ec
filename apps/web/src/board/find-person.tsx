import * as combobox from '@zag-js/combobox';
import { normalizeProps, useMachine } from '@zag-js/preact';
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../http/api-error';
import { messages } from '../language/language';
import { Avatar } from '../ui/avatar';
import { Icon } from '../ui/icon';
import { type BoardAddress, findPeople, type FoundPerson } from '../ranks/ranks';
import { machine } from './typed-combobox';

const restMs = 180;

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
    <div class="find" {...api.getRootProps()}>
      <label class="only-heard" {...api.getLabelProps()}>
        {find.label}
      </label>
      <div class="find-control" {...api.getControlProps()}>
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
      <div class="find-positioner" {...api.getPositionerProps()}>
        <ul class="find-list" {...api.getContentProps()} hidden={!api.open || (people.length === 0 && !isAnswered)}>
          {people.map((person) => (
            <li key={person.id} {...(isAnswered ? api.getItemProps({ item: person }) : unchoosable)}>
              <Avatar name={person.name} url={person.avatarUrl} size={32} />
              <span class="name">{person.name}</span>
              <span class="quiet">{person.rank == null ? find.notOn : words.rank(person.rank)}</span>
            </li>
          ))}
          {people.length === 0 && (
            <li class="quiet" {...unchoosable}>
              {fault ? messages.value.fault[fault.kind] : find.none}
            </li>
          )}
        </ul>
      </div>
    </div>
  );
}

interface Answer {
  readonly name: string;
  readonly people: readonly FoundPerson[];
  readonly fault: ApiError | null;
}

const nobody: Answer = { name: '', people: [], fault: null };

/** People whose names begin with what was typed last, once the typing rests. */
function useFoundPeople({ leaderboard, period, partition }: BoardAddress) {
  const [name, look] = useState('');
  const [answer, setAnswer] = useState<Answer>(nobody);
  useEffect(() => {
    if (name === '') {
      setAnswer(nobody);
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      findPeople(name, { leaderboard, period, partition }, abort.signal).then(
        (people) => setAnswer({ name, people, fault: null }),
        (error: unknown) => {
          if (!abort.signal.aborted) setAnswer({ name, people: [], fault: asApiError(error) });
        },
      );
    }, restMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [name, leaderboard, period, partition]);
  return { ...answer, look, isAnswered: name !== '' && answer.name === name };
}
