// Whether a text is what Go takes for the address of a request: absolute, or a path that starts at the root.

import { parseAddress } from '../../base/ip.ts';

const SCHEME = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;
const BAD_ESCAPE = /%(?![0-9a-fA-F]{2})/;
const USER = /^[a-zA-Z0-9._:~!$&'()*+,;=%@-]*$/;
const PORT = /^(?::\d*)?$/;
/** Of a host only what is no ASCII may be escaped, and the percent sign. */
const HOST = /^(?:[a-zA-Z0-9._~!$&'()*+,;=<>"\]-]|[^\0-\x7f]|%25|%[89a-fA-F][0-9a-fA-F])*$/;

export function isRequestUri(text: string): boolean {
  if (text === '' || [...text].some(isControl)) return false;
  if (text === '*') return true;
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const [rest = ''] = text.slice(scheme.length).split('?', 1);
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return !BAD_ESCAPE.test(rest);
  const pathAt = rest.indexOf('/', 2);
  const [authority, path] = pathAt < 0 ? [rest.slice(2), ''] : [rest.slice(2, pathAt), rest.slice(pathAt)];
  return isAuthority(authority) && !BAD_ESCAPE.test(path);
}

function isAuthority(text: string): boolean {
  const at = text.lastIndexOf('@');
  const user = at < 0 ? '' : text.slice(0, at);
  return USER.test(user) && !BAD_ESCAPE.test(user) && isHost(text.slice(at + 1));
}

function isHost(text: string): boolean {
  if (text.startsWith('[')) {
    const end = text.lastIndexOf(']');
    const [address = ''] = text.slice(1, end).split('%25', 1);
    return end > 0 && parseAddress(address)?.family === 6 && PORT.test(text.slice(end + 1));
  }
  const colon = text.indexOf(':');
  const [host, port] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon)];
  return HOST.test(host) && PORT.test(port);
}

function isControl(character: string): boolean {
  const code = character.charCodeAt(0);
  return code < 0x20 || code === 0x7f;
}
