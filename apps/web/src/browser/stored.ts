/** A text that this browser remembers. */
export interface Stored {
  read(): string | null;
  /** Null forgets it. */
  write(text: string | null): void;
}

/**
 * What the browser remembers under a name: for good, or as long as the tab lives. Where it forbids pages to remember
 * anything, or has no room, the text is remembered until the page is left.
 */
export function stored(storage: 'localStorage' | 'sessionStorage', name: string): Stored {
  let here: string | null = null;
  let isHereAlone = false;
  return {
    read() {
      if (isHereAlone) return here;
      try {
        return window[storage].getItem(name);
      } catch {
        return null;
      }
    },
    write(text) {
      here = text;
      try {
        if (text === null) window[storage].removeItem(name);
        else window[storage].setItem(name, text);
        isHereAlone = false;
      } catch {
        isHereAlone = true;
      }
    },
  };
}
