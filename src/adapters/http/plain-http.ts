// `node:http` without what it also exports for browsers: to import it as a module loads Node's own fetch and WebSocket
// client, a thirtieth of a start.

import process from 'node:process';

export const { Agent, createServer, IncomingMessage, METHODS, request, ServerResponse } =
  process.getBuiltinModule('node:http');
