import { useEffect, useState } from 'preact/hooks';

const restMs = 180;

/** What was typed last, once the typing rests: nothing is asked for each letter. */
export function useRested(typed: string): string {
  const [rested, setRested] = useState('');
  useEffect(() => {
    if (typed === '') {
      setRested('');
      return undefined;
    }
    const timer = setTimeout(() => setRested(typed), restMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return typed === '' ? '' : rested;
}
