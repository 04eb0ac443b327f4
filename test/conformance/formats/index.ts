// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { accepting } from './accepting.ts';
import { compressing } from './compression.ts';
import { discovering } from './discovery.ts';
import { asking } from './health.ts';
import { negotiating } from './negotiation.ts';
import { describing } from './openapi.ts';
import { protobufIn } from './protobuf-in.ts';
import { protobufOut } from './protobuf-out.ts';
import { watchFormats } from './watch.ts';
import { yaml } from './yaml.ts';

export const cases: readonly Case[] = [
  ...protobufOut,
  ...protobufIn,
  ...watchFormats,
  ...yaml,
  ...negotiating,
  ...accepting,
  ...compressing,
  ...discovering,
  ...asking,
  ...describing,
];
