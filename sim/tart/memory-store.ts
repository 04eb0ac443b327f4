// A Mac's disk in memory.

import type { SimImage, SimVm, TartStore } from './model.ts';

export function memoryStore(): TartStore {
  const vms = new Map<string, SimVm>();
  const images = new Map<string, SimImage>();
  const tags = new Map<string, string>();
  return {
    vmNames: () => [...vms.keys()],
    vm: name => vms.get(name),
    putVm: (name, vm) => void vms.set(name, vm),
    removeVm: name => void vms.delete(name),
    imageIds: () => [...images.keys()],
    image: id => images.get(id),
    putImage: (id, image) => void images.set(id, image),
    removeImage: id => void images.delete(id),
    tags: () => tags,
    link: (tag, id) => void tags.set(tag, id),
    unlink: tag => void tags.delete(tag),
  };
}
