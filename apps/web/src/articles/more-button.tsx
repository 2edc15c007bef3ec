import { useState } from 'preact/hooks';
import { showFault } from '../points/gains';
import ui from '../ui/pieces.module.css';

/** Reads the next page of a list, one at a time; shows for a while why it could not. */
export function MoreButton({ label, more }: { label: string; more: () => Promise<void> }) {
  const [isBusy, setIsBusy] = useState(false);
  async function read(): Promise<void> {
    setIsBusy(true);
    await more().catch(showFault);
    setIsBusy(false);
  }
  return (
    <button type="button" class={ui.more} aria-busy={isBusy} onClick={() => !isBusy && void read()}>
      {label}
    </button>
  );
}
