import { useEffect, useRef } from 'preact/hooks';

/** Whether what is shown is shown still: an answer may come when the reader has gone elsewhere. */
export function useStill(): () => boolean {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  return () => isShown.current;
}
