// watch: the changes of a collection from a revision on, with bookmarks, until its time is up.

import { seconds } from '../../base/clock.ts';
import type { ApiResponse, EventStream } from '../../kube/transport.ts';
import { acceptedForWatch, includeOf } from '../answer/present.ts';
import { expired, type Refusal, tooLargeRevision, unexpected } from '../answer/status.ts';
import { ConvertedWatch, StoredFrames } from '../conversion/converted-watch.ts';
import { readToday } from '../conversion/outgrown.ts';
import type { Call, Core } from '../core.ts';
import { type Accepted, MEDIA_TYPES } from '../request/accept.ts';
import { checkWatchOptions } from '../request/list-checks.ts';
import { type ListOptions, listOptions } from '../request/list-options.ts';
import { revisionProblem } from '../request/revision.ts';
import type { Row, Tail } from '../store.ts';
import { FrameWriter } from './watch-frames.ts';
import { WatchStream } from './watch-stream.ts';

/** A watch ends between once and twice this time, unless the client names a time. */
const MIN_WATCH_SECONDS = 1800;

export function watchObjects(call: Call): ApiResponse {
  const options = listOptions(call.query, call.resource, call.path.name);
  checkWatchOptions(options);
  const accepted = acceptedForWatch(call);
  if (accepted.shape === 'table') includeOf(call);
  return {
    status: 200,
    headers: headersOf(accepted),
    body: new Uint8Array(),
    stream: streamOf(call, options, accepted),
  };
}

function headersOf({ format }: Accepted): Record<string, string> {
  const type = format === 'json' ? MEDIA_TYPES.json : `${MEDIA_TYPES[format]};stream=watch`;
  return { 'content-type': type, 'cache-control': 'no-cache, private' };
}

function streamOf(call: Call, options: ListOptions, accepted: Accepted): EventStream {
  const writer = new FrameWriter(call, accepted);
  if (call.resource.conversion === undefined) return streamWith(call, options, writer);
  const stored = new StoredFrames(call, accepted, writer);
  return new ConvertedWatch(call, streamWith(call, options, stored), { stored, writer });
}

function streamWith(call: Call, options: ListOptions, writer: FrameWriter): EventStream {
  const { core } = call;
  const asked = revisionOf(options.resourceVersion);
  if (options.sendInitialEvents === true && asked > core.store.revision) {
    return endedWith(writer, tooLargeRevision(asked, core.store.revision));
  }
  const start = startOf(call, options, asked);
  if (start === undefined) return endedWith(writer, expired(tooOld(options.resourceVersion, core.store.revision)));

  const timeout = options.timeoutSeconds ?? 0;
  return new WatchStream({
    core,
    storage: call.resource.storageName,
    namespace: call.path.namespace,
    selects: options.selects,
    writer,
    ...start,
    bookmarks: options.allowWatchBookmarks,
    announceInitialEnd: options.sendInitialEvents === true && options.allowWatchBookmarks,
    timeoutMs: seconds(timeout > 0 ? timeout : usualSeconds(core)),
  });
}

function usualSeconds({ parts: { minWatchSeconds = MIN_WATCH_SECONDS }, random }: Core): number {
  return minWatchSeconds + random.below(Math.max(minWatchSeconds, 1));
}

interface Start {
  readonly initial: readonly Row[];
  readonly tail: Tail;
  readonly fromRevision: number;
}

/** Where the watch starts; undefined when its revision is forgotten. */
function startOf(call: Call, options: ListOptions, asked: number): Start | undefined {
  const { store } = call.core;
  const { storageName } = call.resource;
  const wantsState = options.sendInitialEvents ?? asked === 0;
  const fromRevision = wantsState || asked === 0 ? store.revision : asked;
  const tail = store.tail(storageName, fromRevision);
  if (tail === undefined) return undefined;
  return { initial: wantsState ? stateNow(call, options) : [], tail, fromRevision };
}

function stateNow(call: Call, { selects }: ListOptions): readonly Row[] {
  const { core, resource, path } = call;
  const range = core.store.range(resource.storageName, path.namespace === '' ? {} : { namespace: path.namespace });
  const rows = range?.rows ?? [];
  return selects === undefined ? rows : rows.filter(row => selects(readToday(core, resource, row).object));
}

function revisionOf(text: string): number {
  if (text === '') return 0;
  const problem = revisionProblem(text);
  if (problem !== undefined) throw unexpected(problem);
  return Number(text);
}

const tooOld = (asked: string, current: number): string => `too old resource version: ${asked} (${current})`;

/** A watch that says why it is none, and ends. */
function endedWith(writer: FrameWriter, { status }: Refusal): EventStream {
  const frames = [writer.ofStatus(JSON.parse(JSON.stringify(status)))];
  return {
    next: async () => frames.shift(),
    close: () => {
      frames.length = 0;
    },
  };
}
