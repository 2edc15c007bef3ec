import * as combobox from '@zag-js/combobox';

const { implementations, ...rest } = combobox.machine;
const { syncInputValue, ...actions } = implementations?.actions ?? {};

/**
 * Zag's combobox, for quick typists: it writes its value into the field after a change is drawn, also where that change
 * was typed and the next letter stands in the field already. That letter was lost.
 */
export const machine: typeof combobox.machine = {
  ...rest,
  implementations: {
    ...implementations,
    actions: {
      ...actions,
      syncInputValue(params) {
        if (params.event.current().type !== 'INPUT.CHANGE') syncInputValue?.(params);
      },
    },
  },
};
