// Metal3Remediation and its template in both versions: a time-out is a duration in v1beta1 and seconds in v1beta2.

import { durationOf, secondsOf } from './duration.ts';
import { at, inOrder, renamed, type Step, told } from './steps.ts';

const timeout = inOrder(
  // A text that is no duration is none: one bad object must not keep all others from being listed.
  told('timeout', {
    up: text => (typeof text === 'string' ? secondsOf(text) || undefined : undefined),
    down: seconds => (typeof seconds === 'number' && seconds !== 0 ? durationOf(seconds) : undefined),
  }),
  renamed('timeout', 'timeoutSeconds'),
);

const spec = at('strategy', timeout);

export const remediation: Step = at('spec', spec);

export const remediationTemplate: Step = at('spec', at('template', at('spec', spec)));
