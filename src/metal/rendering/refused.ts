// Why a template cannot be rendered for a host: the field, and what is wrong with what it names (metal-R6).

import { defineError } from '../../base/errors.ts';

export const renderingRefused = defineError('PIPPIN_E_METAL_RENDERING_REFUSED', {
  retry: 'never',
  remedy: 'Put right what the field takes its value from; a template that is wrong is replaced by another',
  says: (field: string, why: string) => `${field}: ${why}`,
});
