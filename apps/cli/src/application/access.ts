/**
 * What a command does with the data: it only `reads`, it `changes` what is there, or it `begins` where there is none.
 * Only the last of them leaves anything under an empty prefix.
 */
export type Access = 'reads' | 'changes' | 'begins';
