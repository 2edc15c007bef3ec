import { answerOf, api } from '../http/api';
import { queryOf } from '../http/query';
import { messages } from '../language/language';
import { useDeed } from '../resource/use-deed';
import { useResource } from '../resource/use-resource';
import { FaultNotice } from '../ui/fault-notice';
import ui from '../ui/pieces.module.css';

const path = '/activity/users/{userId}/opt-out';

/** Leaves the leaderboards, or comes back to them. */
export function OptOut({ userId }: { userId: string }) {
  const { person } = messages.value;
  const params = { params: { path: { userId } } };
  const { value, fault: unread, again, change } = useResource(queryOf(path, params));
  const { isBusy, fault, run } = useDeed('/ranks');
  if (!value) return unread && <FaultNotice fault={unread} again={again} />;
  const { optedOut } = value;
  const turn = async () => {
    const after = await answerOf(optedOut ? api.DELETE(path, params) : api.PUT(path, params));
    change(() => after);
  };
  return (
    <section aria-label={person.presence}>
      <p>{optedOut ? person.optedOut : person.optedIn}</p>
      <button type="button" class={ui.quietButton} disabled={isBusy} onClick={() => void run(turn)}>
        {optedOut ? person.optIn : person.optOut}
      </button>
      {fault && <FaultNotice fault={fault} />}
    </section>
  );
}
