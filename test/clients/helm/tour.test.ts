// Helm sees no difference: the same life of a release on both servers, word for word.

import { compared } from '../frame/compared.ts';
import { helmTour } from './tour.ts';

compared(helmTour);
