import { messages } from '../language/language';
import type { UserSummary } from '../contract/api.generated';
import { useClick } from '../points/use-click';
import { Toggle } from '../ui/toggle';
import { follow } from './follows';

/** Follows somebody, or no longer. */
export function FollowToggle({
  person,
  isOn,
  isSmall = false,
  changed,
}: {
  person: Pick<UserSummary, 'id' | 'name'>;
  isOn: boolean;
  /** Without words, for a line among many. */
  isSmall?: boolean;
  changed: (isOn: boolean) => void;
}) {
  const { articles } = messages.value;
  const { isBusy, run } = useClick(() => follow(person.id, !isOn));
  return (
    <Toggle
      icon="follow"
      isOn={isOn}
      isBusy={isBusy}
      isSmall={isSmall}
      label={(isOn ? articles.following : articles.follow)(person.name)}
      toggle={() => void run().then((isDone) => isDone && changed(!isOn))}
    />
  );
}
