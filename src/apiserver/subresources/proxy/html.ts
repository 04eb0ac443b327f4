// The links of a page that is proxied, tag by tag: texts, comments and scripts stay as they are.

import type { ApiResponse } from '../../../kube/transport.ts';

/** Which attributes of which elements hold an address. */
const LINKS: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  applet: ['codebase'],
  area: ['href'],
  audio: ['src'],
  base: ['href'],
  blockquote: ['cite'],
  body: ['background'],
  button: ['formaction'],
  command: ['icon'],
  del: ['cite'],
  embed: ['src'],
  form: ['action'],
  frame: ['longdesc', 'src'],
  head: ['profile'],
  html: ['manifest'],
  iframe: ['longdesc', 'src'],
  img: ['longdesc', 'src', 'usemap'],
  input: ['src', 'usemap', 'formaction'],
  ins: ['cite'],
  link: ['href'],
  object: ['classid', 'codebase', 'data', 'usemap'],
  q: ['cite'],
  script: ['src'],
  source: ['src'],
  track: ['src'],
  video: ['poster', 'src'],
};

const ATTRIBUTE = /([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]*)))?/g;
/** Elements whose content is no markup. */
const RAW: ReadonlySet<string> = new Set(['script', 'style', 'textarea', 'title']);
/** More than this is no page for people, and goes on as it is. */
const MOST_BYTES = 4 * 1024 * 1024;

export async function rewrittenPage(answer: ApiResponse, relocate: (link: string) => string): Promise<Uint8Array> {
  const page = await wholeOf(answer);
  if (page.length > MOST_BYTES) return page;
  return Buffer.from(rewritten(page.toString(), relocate));
}

async function wholeOf({ body, stream }: ApiResponse): Promise<Buffer> {
  const chunks: Uint8Array[] = [body];
  for (let chunk = await stream?.next(); chunk !== undefined; chunk = await stream?.next()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** By hand: a pattern for whole tags would go back over what has no end. What is not closed stays as it is. */
export function rewritten(page: string, relocate: (link: string) => string): string {
  let out = '';
  let at = 0;
  for (;;) {
    const open = page.indexOf('<', at);
    const end = open < 0 ? -1 : endOf(page, open);
    if (end < 0) return out + page.slice(at);
    const isTag = /[A-Za-z]/.test(page[open + 1] ?? '');
    const { text, name } = isTag ? tag(page.slice(open, end), relocate) : { text: page.slice(open, end), name: '' };
    const raw = RAW.has(name) ? rawEnd(page, end, name) : end;
    out += page.slice(at, open) + text + page.slice(end, raw);
    at = raw;
  }
}

/** Behind the comment or tag that begins here. */
function endOf(page: string, open: number): number {
  if (page.startsWith('<!--', open)) return after(page.indexOf('-->', open + 4), 3);
  if (!/[A-Za-z]/.test(page[open + 1] ?? '')) return open + 1;
  return tagEnd(page, open);
}

/** A `>` inside a quoted value ends nothing. */
function tagEnd(page: string, open: number): number {
  let last = '';
  for (let at = open + 1; at < page.length; at += 1) {
    const sign = page[at] ?? '';
    if (sign === '>') return at + 1;
    // Behind the last sign when the value is not closed: no tag ends there.
    if (last === '=' && `"'`.includes(sign)) at = closing(page, sign, at);
    if (sign.trim() !== '') last = sign;
  }
  return -1;
}

function closing(page: string, quote: string, from: number): number {
  const found = page.indexOf(quote, from + 1);
  return found < 0 ? page.length : found;
}

const after = (found: number, length: number): number => (found < 0 ? -1 : found + length);

function rawEnd(page: string, from: number, name: string): number {
  const close = new RegExp(`</${name}`, 'gi');
  close.lastIndex = from;
  return close.exec(page)?.index ?? page.length;
}

function tag(text: string, relocate: (link: string) => string): { readonly text: string; readonly name: string } {
  const name = (/^<([^\s/>]+)/.exec(text)?.[1] ?? '').toLowerCase();
  const links = LINKS[name] ?? [];
  const inside = text.slice(name.length + 1, -1);
  const written = [...inside.matchAll(ATTRIBUTE)].map(([, key = '', double, single, bare]) => {
    const attribute = key.toLowerCase();
    const value = unescaped(double ?? single ?? bare ?? '');
    return ` ${attribute}="${escaped(links.includes(attribute) ? relocate(value) : value)}"`;
  });
  return { text: `<${name}${written.join('')}${isClosed(inside) ? '/' : ''}>`, name };
}

/** `<br/>`, but not `<a href=/b/>`, where the slash is of the address. */
function isClosed(inside: string): boolean {
  if (!inside.endsWith('/')) return false;
  const cut = Math.max(...[' ', '"', "'", '\n', '\t'].map(sign => inside.lastIndexOf(sign)));
  return !inside.slice(cut + 1).includes('=');
}

const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  '\r': '&#13;',
};
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const escaped = (text: string): string => text.replaceAll(/[&'<>"\r]/g, sign => SIGNS[sign] ?? sign);

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
