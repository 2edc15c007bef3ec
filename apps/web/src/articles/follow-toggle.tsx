import { messages } from '../language/language';
import { follow, type Person } from './articles';
import { Toggle } from './toggle';
import { useClick } from './use-click';

/** Follows somebody, or no longer. */
export function FollowToggle({
  person,
  isOn,
  changed,
}: {
  person: Pick<Person, 'id' | 'name'>;
  isOn: boolean;
  changed: (isOn: boolean) => void;
}) {
  const { articles } = messages.value;
  const { isBusy, run } = useClick(() => follow(person.id, !isOn));
  return (
    <Toggle
      icon="follow"
      isOn={isOn}
      isBusy={isBusy}
      label={(isOn ? articles.following : articles.follow)(person.name)}
      toggle={() => void run().then((isDone) => isDone && changed(!isOn))}
    />
  );
}
