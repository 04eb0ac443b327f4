// What a bare-metal host does next, from its object alone: the states that the Bare Metal Operator takes it through.

import type { BareMetalHost, BareMetalHostStatus } from '../../src/kinds/generated/bare-metal-host.generated.ts';
import {
  HOST_PAUSED_ANNOTATION,
  HOST_REBOOT_ANNOTATION_PREFIX,
  HOST_STATUS_ANNOTATION,
} from '../../src/kinds/metal-wire.ts';
import { annotationOf, hasFinalizer, isDeleting } from '../../src/kube/object.ts';
import { hardwareOf } from './hardware.ts';
import { delayOf, type HostQuirks, type StepName } from './quirks.ts';

/** The Bare Metal Operator's finalizer on its hosts. */
export const BARE_METAL_HOST_FINALIZER = 'baremetalhost.metal3.io';

/** The next thing that happens to a host: what its object says afterwards. */
export interface HostStep {
  readonly name: StepName;
  readonly afterMs: number;
  /** Merged into the status. */
  readonly status?: Readonly<Record<string, unknown>>;
  readonly finalizer?: 'put on' | 'taken off';
  /** This annotation is used up. */
  readonly annotationGone?: string;
}

type Draft = Omit<HostStep, 'afterMs'>;

/** Undefined: nothing happens until the object or the quirks change. */
export function step(host: BareMetalHost, quirks: HostQuirks = {}): HostStep | undefined {
  if (annotationOf(host, HOST_PAUSED_ANNOTATION) !== undefined) return undefined;
  const draft = isDeleting(host) ? leaving(host) : living(host);
  if (draft === undefined || quirks.stuck?.includes(draft.name)) return undefined;
  const error = quirks.errors?.[draft.name];
  if (error !== undefined) return failing(host, draft.name, { error, quirks });
  return { ...draft, afterMs: delayOf(draft.name, quirks) };
}

/** An operating system of ours, or of whoever installed it, has power. */
export const isRunning = (host: BareMetalHost): boolean =>
  host.status?.poweredOn === true && ['provisioned', 'externally provisioned'].includes(stateOf(host));

const stateOf = ({ status }: BareMetalHost): string => status?.provisioning?.state ?? '';

function living(host: BareMetalHost): Draft | undefined {
  if (!hasFinalizer(host, BARE_METAL_HOST_FINALIZER)) return { name: 'taken on', finalizer: 'put on' };
  const state = stateOf(host);
  const carried = annotationOf(host, HOST_STATUS_ANNOTATION);
  if (state === '' && carried !== undefined) return restored(carried);
  switch (state) {
    case '':
      return to('registering');
    case 'registering':
      return host.spec?.externallyProvisioned === true
        ? to('externally provisioned', { hardware: hardwareOf(host) })
        : to('inspecting');
    case 'inspecting':
      return to('preparing', { hardware: hardwareOf(host) });
    case 'preparing':
      return to('available');
    case 'ready':
    case 'available':
      return wantsImage(host) ? to('provisioning') : power(host);
    case 'provisioning':
      return wantsImage(host) ? to('provisioned', { poweredOn: true, provisioning: imageOf(host) }) : freed();
    case 'provisioned':
      return wantsImage(host) ? power(host) : freed();
    case 'deprovisioning':
      return to('available', { poweredOn: false });
    case 'externally provisioned':
      return power(host);
    default:
      return undefined;
  }
}

/** What is installed is erased before power goes, and power goes before the host is let go. */
function leaving(host: BareMetalHost): Draft | undefined {
  if (!hasFinalizer(host, BARE_METAL_HOST_FINALIZER)) return undefined;
  switch (stateOf(host)) {
    case 'provisioning':
    case 'provisioned':
      return freed();
    case '':
    case 'unmanaged':
    case 'registering':
      return to('deleting');
    case 'powering off before delete':
      return to('deleting', { poweredOn: host.spec?.disablePowerOff === true && host.status?.poweredOn === true });
    case 'deleting':
      return { name: 'gone', finalizer: 'taken off' };
    default:
      return to('powering off before delete');
  }
}

function power(host: BareMetalHost): Draft | undefined {
  const { online, disablePowerOff } = host.spec ?? {};
  const isOn = host.status?.poweredOn === true;
  const mayGoOff = disablePowerOff !== true;
  const once = rebootsOnce(host);
  if (once !== undefined && isOn && mayGoOff) return { ...switched('power off'), annotationGone: once };
  const isWanted = online === true && !isHeldOff(host);
  if (isWanted === isOn) return undefined;
  if (isWanted) return switched('power on');
  return mayGoOff ? switched('power off') : undefined;
}

const REBOOT_ONCE = HOST_REBOOT_ANNOTATION_PREFIX.slice(0, -1);

const isInstalled = (host: BareMetalHost): boolean => ['provisioned', 'externally provisioned'].includes(stateOf(host));

const rebootsOnce = (host: BareMetalHost): string | undefined =>
  isInstalled(host) && annotationOf(host, REBOOT_ONCE) !== undefined ? REBOOT_ONCE : undefined;

/** As long as anybody's reboot annotation is there. */
const isHeldOff = (host: BareMetalHost): boolean =>
  isInstalled(host) &&
  Object.keys(host.metadata.annotations ?? {}).some(key => key.startsWith(HOST_REBOOT_ANNOTATION_PREFIX));

const wantsImage = ({ spec }: BareMetalHost): boolean => spec?.image !== undefined || spec?.customDeploy !== undefined;

const imageOf = ({ spec }: BareMetalHost): Readonly<Record<string, unknown>> =>
  spec?.image === undefined ? { customDeploy: spec?.customDeploy } : { image: spec.image };

const WELL = { operationalStatus: 'OK', errorType: null, errorMessage: '', errorCount: 0 };

function to(name: StepName, more: Readonly<Record<string, unknown>> = {}): Draft {
  const { provisioning, ...rest } = more as { readonly provisioning?: Readonly<Record<string, unknown>> };
  return { name, status: { ...WELL, ...rest, provisioning: { ...provisioning, state: name } } };
}

const freed = (): Draft => to('deprovisioning', { provisioning: { image: null, customDeploy: null } });

const switched = (name: 'power on' | 'power off'): Draft => ({
  name,
  status: { ...WELL, poweredOn: name === 'power on' },
});

/** A host that was moved here says what it was; it is not registered and inspected again. */
function restored(carried: string): Draft {
  const { hardwareDetails: _, ...status } = JSON.parse(carried) as BareMetalHostStatus & Record<string, unknown>;
  return { name: 'restored', status, annotationGone: HOST_STATUS_ANNOTATION };
}

const ERROR_TYPES: Partial<Record<StepName, string>> = {
  inspecting: 'registration error',
  'externally provisioned': 'registration error',
  preparing: 'inspection error',
  available: 'preparation error',
  'power on': 'power management error',
  'power off': 'power management error',
  deleting: 'power management error',
};

interface Failure {
  readonly error: string;
  readonly quirks: HostQuirks;
}

/** Told once: the host stays where it is until the error is no more. */
function failing({ status }: BareMetalHost, name: StepName, { error, quirks }: Failure): HostStep | undefined {
  if (status?.errorMessage === error) return undefined;
  const errorType = ERROR_TYPES[name] ?? 'provisioning error';
  const said = {
    operationalStatus: 'error',
    errorType,
    errorMessage: error,
    errorCount: (status?.errorCount ?? 0) + 1,
  };
  return { name, afterMs: delayOf(name, quirks), status: said };
}
