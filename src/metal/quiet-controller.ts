// A controller of objects by the thousand: nothing is written of what ends by itself, and every trouble is told.

export {
  held,
  type QuietController,
  quietController,
  type Subject,
} from '../deletion/quiet-controller.ts';
