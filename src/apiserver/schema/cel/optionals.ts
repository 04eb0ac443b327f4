// CEL's optional values, for `oldSelf` of rules that can do without one.

import { Optional } from '@marcbachmann/cel-js';

export const present = (value: unknown): unknown => Optional.of(value);

export const absent = (): unknown => Optional.none();
