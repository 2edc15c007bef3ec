import { useEffect, useState } from 'preact/hooks';

const restMs = 180;

/** The text last typed, once the typing rests: it saves a request for each letter. */
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
