// Stock kubectl sees no difference: the same tour of both servers, word for word.

import { compared } from '../frame/compared.ts';
import { kubectlTour } from './tour.ts';

compared(kubectlTour);
