// A Mac in this process: its facts, its disk as the tart model fills it, files of guests, and the agent's notes.

import type { AgentHost, GuestFile, HostFacts } from '../../src/agent/host.ts';
import type { AgentRecords, ImageRecord, VmRecord } from '../../src/agent/records.ts';
import type { Clock } from '../../src/base/clock.ts';
import { present } from '../../src/base/sighting.ts';
import { type InProcessTart, inProcessTart } from './in-process.ts';
import { freeGb } from './model.ts';
import type { Registry } from './registry.ts';

export interface InProcessMacOptions {
  readonly clock: Clock;
  readonly registry: () => Registry;
  readonly hostname: string;
  readonly hardwareUuid: string;
  readonly address?: string;
  readonly diskGb?: number;
}

/** One Mac: what outlives its agent. */
export interface InProcessMac {
  readonly tart: InProcessTart;
  readonly host: AgentHost;
  readonly records: AgentRecords;
  /** What was staged for a VM, as a guest would read it: by file name. */
  stagedFiles(vm: string): ReadonlyMap<string, string>;
}

export function inProcessMac(options: InProcessMacOptions): InProcessMac {
  const { clock, hostname, hardwareUuid, address } = options;
  const staged = new Map<string, ReadonlyMap<string, string>>();
  const written = new Map<string, GuestFile>();
  const tart = inProcessTart({
    clock,
    registry: options.registry,
    ...(options.diskGb === undefined ? {} : { diskGb: options.diskGb }),
    guestWrites: (path, file, text) => void written.set(`${path}/${file}`, { text, modifiedMs: clock.now() }),
  });
  const forget = (prefix: string): void => {
    for (const path of [...written.keys()]) if (path.startsWith(prefix)) written.delete(path);
  };
  const facts: HostFacts = { hostname, hardwareUuid, ...(address === undefined ? {} : { address }) };

  const host: AgentHost = {
    facts: async () => facts,
    disk: async () => present({ totalBytes: tart.host.diskGb * 1e9, freeBytes: freeGb(tart.host) * 1e9 }),
    stage: async (vm, files) => {
      forget(`/staged/${vm}/status/`);
      staged.set(vm, new Map(files.map(file => [file.name, file.content])));
      return { env: `/staged/${vm}/env`, status: `/staged/${vm}/status` };
    },
    unstage: async vm => {
      staged.delete(vm);
      forget(`/staged/${vm}/`);
    },
    staged: async () => [...staged.keys()],
    guestFile: async (vm, name) => written.get(`/staged/${vm}/status/${name}`),
  };
  return { tart, host, records: inMemoryRecords(), stagedFiles: vm => staged.get(vm) ?? new Map() };
}

function inMemoryRecords(): AgentRecords {
  const vms = new Map<string, VmRecord>();
  const images = new Map<string, ImageRecord>();
  return {
    vms: async () => [...vms.values()],
    vm: async name => vms.get(name),
    putVm: async record => void vms.set(record.vm, record),
    dropVm: async name => void vms.delete(name),
    images: async () => [...images.values()],
    putImage: async record => void images.set(record.contentId, record),
    dropImage: async id => void images.delete(id),
  };
}
