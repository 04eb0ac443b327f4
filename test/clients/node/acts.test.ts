// What the JavaScript client says on both servers is the same, act by act.

import { compared } from '../frame/compared.ts';
import { nodeProgram } from './acts.ts';

compared(nodeProgram);
