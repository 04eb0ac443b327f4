// A command and whoever it speaks with, whatever carries the conversation: WebSocket channels or SPDY streams.

import { type Place, type Running, start } from './commands.ts';

/** What carries one conversation. */
export interface Conversation {
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): void;
  /** The last word, after which the conversation ends. */
  end(status: object): void;
  /** `undefined`: there will be no more input. */
  onInput(listener: (bytes: Uint8Array | undefined) => void): void;
  onResize(listener: (size: { readonly width: number; readonly height: number }) => void): void;
}

const SUCCESS = { metadata: {}, status: 'Success' };

/** Runs the command until it ends, and says how it ended. */
export function converse(command: readonly string[], place: Place, conversation: Conversation): void {
  let isOver = false;
  const over = (status: object): void => {
    if (!isOver) conversation.end(status);
    isOver = true;
  };
  const running: Running = start(
    command,
    {
      write: (stream, bytes) => (isOver ? undefined : conversation.write(stream, bytes)),
      exit: code => over(code === 0 ? SUCCESS : failed(code)),
      fail: message => over(notStarted(message)),
    },
    place,
  );
  conversation.onInput(bytes => running.input(bytes));
  conversation.onResize(size => running.resized(size));
}

/** `size` of a resize message: JSON with capital letters. */
export function sizeOf(message: Uint8Array): { readonly width: number; readonly height: number } {
  const { Width, Height } = JSON.parse(Buffer.from(message).toString()) as { Width: number; Height: number };
  return { width: Width, height: Height };
}

const failed = (code: number): object => ({
  metadata: {},
  status: 'Failure',
  message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
  reason: 'NonZeroExitCode',
  details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
});

const notStarted = (message: string): object => ({
  metadata: {},
  status: 'Failure',
  message: `Internal error occurred: error executing command in container: ${message}`,
  reason: 'InternalError',
  details: { causes: [{ message: `error executing command in container: ${message}` }] },
  code: 500,
});
