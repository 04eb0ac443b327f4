// The ways in which the VM runtime refuses, as far as the agent acts on the difference.

import { defineError } from '../base/errors.ts';

export const vmNotFound = defineError('PIPPIN_E_VM_NOT_FOUND', {
  retry: 'backoff',
  remedy: 'The VM or image was removed from the host; the agent builds it again by itself',
  says: (name: string) => `There is no VM or image "${name}" on this host`,
});

export const noSpace = defineError('PIPPIN_E_NO_SPACE', {
  retry: 'backoff',
  remedy: "Free space on the volume that holds tart's home folder, or give the host fewer image pools",
  says: (call: string) => `The host's disk is full: ${call}`,
});

export const vmSlotsUsedUp = defineError('PIPPIN_E_VM_SLOTS_USED_UP', {
  retry: 'backoff',
  remedy: 'macOS runs two macOS VMs per host: stop one, or set --max-pods to what the host can run',
  says: (said: string) => `The host runs as many VMs as it can: ${said}`,
});

export const runtimeFailed = defineError('PIPPIN_E_VM_RUNTIME', {
  retry: 'backoff',
  remedy: "The message is tart's own; the call is tried again by itself",
  says: (call: string, said: string) => `${call} failed: ${said}`,
});

export const runtimeTimedOut = defineError('PIPPIN_E_VM_RUNTIME_TIMEOUT', {
  retry: 'backoff',
  remedy: 'Look at the load and the disk of the host; the call is tried again by itself',
  says: (call: string, seconds: number) => `${call} did not end within ${seconds} s and was killed`,
});

export const vmEndedAtOnce = defineError('PIPPIN_E_VM_ENDED_AT_ONCE', {
  retry: 'backoff',
  remedy: "Read the VM's log on the host; its last lines are in the message",
  says: (name: string, tail: string) => `VM "${name}" ended right after its start: ${tail}`,
});

export const runtimeMissing = defineError('PIPPIN_E_TART_MISSING', {
  retry: 'never',
  remedy: 'Install tart (https://tart.run), or name it with --tart-binary',
  says: (binary: string) => `Cannot start tart: there is no program "${binary}"`,
});

export const runtimeVersionUnknown = defineError('PIPPIN_E_TART_VERSION', {
  retry: 'never',
  remedy: 'Install tart 2.x, the version that this agent speaks',
  says: (binary: string, said: string) =>
    `"${binary}" does not speak a version of tart that we know: it says "${said}"`,
});
