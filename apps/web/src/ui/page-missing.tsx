import { useEffect } from 'preact/hooks';
import { ApiError } from '../http/api-error';
import { api } from '../http/api';
import { askUntilAnswered } from '../live/ask-until-answered';
import { FaultNotice } from './fault-notice';

const fault = new ApiError('offline', '');

/**
 * What stands in a page's place where its program did not come: there is no network, or a newer version has taken its
 * place. It loads the page anew when the server is back.
 */
export function PageMissing() {
  useEffect(() => {
    let wasAway = false;
    return askUntilAnswered({
      ask: (signal) => api.GET('/health/live', { signal }),
      // A server that was there all along has no such program: loading again and again would not help.
      answer: () => wasAway && location.reload(),
      fault: () => (wasAway = true),
    });
  }, []);
  return <FaultNotice fault={fault} again={() => location.reload()} />;
}
