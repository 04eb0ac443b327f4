// Schemas with rules on them.

import { type Json, text } from './define.ts';

export const rules = (...all: readonly Json[]): Json => ({ 'x-kubernetes-validations': all });
export const rule = (words: string, more: Json = {}): Json => rules({ rule: words, ...more });

/** So short that rules on it cost little by the real server's estimate. */
export const short = { ...text, maxLength: 20 };
