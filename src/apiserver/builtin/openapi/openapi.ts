// The OpenAPI documents, as the part that the request handler uses.

import type { OpenApi } from '../../parts.ts';
import { v2 } from './v2.ts';
import { v3 } from './v3.ts';

export const openApi: OpenApi = { v2, v3 };
