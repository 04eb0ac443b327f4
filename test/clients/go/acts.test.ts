// What the Go program prints on both servers is the same, act by act, and none of its acts fails.

import { compared } from '../frame/compared.ts';
import { goProgram } from './acts.ts';

compared(goProgram);
