import { useEffect } from 'preact/hooks';
import { messages } from '../language/language';

/** Names the browser's tab after what it shows. */
export function usePageTitle(title: string): void {
  const { brand } = messages.value;
  useEffect(() => {
    document.title = title === '' ? brand : `${title} · ${brand}`;
  }, [title, brand]);
}
