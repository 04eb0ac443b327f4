// A simulated Scaleway whose state is on disk before any answer that tells of it, so that a kill of its process loses nothing.

import { ScalewayModel, type ScalewayOptions } from './model.ts';
import type { ScalewayState, SimKey, SimServer } from './state.ts';

type Save = (state: ScalewayState) => void;

export class SavedScaleway extends ScalewayModel {
  readonly #save: Save;

  constructor(options: ScalewayOptions, save: Save) {
    super(options);
    this.#save = save;
    // Servers settle by themselves; `order` and `discard` tell of it too.
    this.onHardware(() => this.save());
  }

  /** After changes that no call of the API made. */
  save(): void {
    this.#save(this.snapshot());
  }

  override updateServer(...call: Parameters<ScalewayModel['updateServer']>): SimServer {
    return this.#saving(() => super.updateServer(...call));
  }

  override reinstallServer(...call: Parameters<ScalewayModel['reinstallServer']>): SimServer {
    return this.#saving(() => super.reinstallServer(...call));
  }

  override rebootServer(...call: Parameters<ScalewayModel['rebootServer']>): SimServer {
    return this.#saving(() => super.rebootServer(...call));
  }

  override createSSHKey(...call: Parameters<ScalewayModel['createSSHKey']>): SimKey {
    return this.#saving(() => super.createSSHKey(...call));
  }

  override deleteSSHKey(...call: Parameters<ScalewayModel['deleteSSHKey']>): void {
    this.#saving(() => super.deleteSSHKey(...call));
  }

  /** Saves whatever came of it: a lost answer may have been carried out. */
  #saving<T>(change: () => T): T {
    try {
      return change();
    } finally {
      this.save();
    }
  }
}
