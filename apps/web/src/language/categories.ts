import { en } from './en';

/** The community's categories, in the order in which pages show them. */
export type Category = keyof typeof en.categoryNames;

/** Every {@link Category}. */
export const categories = Object.keys(en.categoryNames).filter(isCategory);

/** Whether an address names one. */
export function isCategory(name: string | undefined): name is Category {
  return name !== undefined && Object.hasOwn(en.categoryNames, name);
}
