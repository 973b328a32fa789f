import ipaddr from "ipaddr.js";

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

export interface AddressBlock {
  readonly start: IpAddress;
  readonly bits: number;
}

const MAPPED_BITS = 96;
const MAPPED = "::ffff:";

const isV4 = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text);

/** Converts an IPv4-mapped IPv6 address to IPv4. */
const unmapped = (text: string): string =>
  text.startsWith(MAPPED) && isV4(text.slice(MAPPED.length)) ? text.slice(MAPPED.length) : text;

function parseV6(text: string): IpAddress | null {
  const tail = text.slice(text.lastIndexOf(":") + 1);
  // ipaddr.js reads octal numbers here, unlike other parsers.
  if (!ipaddr.IPv6.isValid(text) || (tail.includes(".") && !isV4(tail))) {
    return null;
  }
  // ipaddr.js takes `::1.2.3.4` for an IPv4-mapped address, unless it is written in full.
  const address = ipaddr.IPv6.parse(text.replace(/^::(?=\d+\.)/, "0:0:0:0:0:0:"));
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Reads IPv4, or IPv6 without its zone. Returns null for any other text. */
export function parseAddress(text: string): IpAddress | null {
  const short = unmapped(text);
  return isV4(short) ? ipaddr.IPv4.parse(short) : parseV6(text.split("%", 1)[0] ?? "");
}

export function canonicalAddress(text: string): string | null {
  const short = unmapped(text);
  return isV4(short) ? short : (parseAddress(text)?.toString() ?? null);
}

const PORT_OR_BRACKETS = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

/** An address without the port and the brackets that a header or a socket adds; any other text as it is. */
export function withoutPort(text: string): string {
  const [, bracketed, withPort] = PORT_OR_BRACKETS.exec(text) ?? [];
  return bracketed ?? withPort ?? text;
}

/** Where a translated or tunnelled IPv6 address has the IPv4 address that it stands for, in bytes. */
const EMBEDDED: Readonly<Record<string, number>> = { rfc6145: 12, rfc6052: 12, "6to4": 2, teredo: 12 };

function toCallerBytes(address: IpAddress): readonly number[] {
  const bytes = address.toByteArray();
  const range = address.range();
  const at = EMBEDDED[range];
  const embedded = at === undefined ? bytes : bytes.slice(at, at + 4);
  // RFC 4380: Teredo inverts the bits of the address.
  return range === "teredo" ? embedded.map((byte) => 255 - byte) : embedded;
}

/** Returns the IPv6 network of a caller, because each line has 2^64 addresses. */
export function callerNetwork(text: string): string {
  const address = parseAddress(withoutPort(text));
  if (address === null) {
    return text;
  }
  const bytes = toCallerBytes(address);
  return bytes.length === 4
    ? bytes.join(".")
    : `${ipaddr.fromByteArray([...bytes.slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`;
}

export const addressEntries = (typed: string): string[] =>
  typed.split(/[\s,;]+/).filter((entry) => entry !== "");

/** Reads an address without a zone, or a CIDR block. */
export function parseBlock(entry: string): AddressBlock | null {
  const [, host = "", bits] = /^([^/%]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const start = parseAddress(host.replace(/^\[(.*)\]$/, "$1"));
  if (start === null) {
    return null;
  }
  const widest = start.kind() === "ipv4" ? 32 : 128;
  const offset = widest === 32 && host.includes(":") ? MAPPED_BITS : 0;
  const prefix = bits === undefined ? widest : Number(bits) - offset;
  return prefix < 0 || prefix > widest ? null : { start, bits: prefix };
}

export const isInBlock = (address: IpAddress, { start, bits }: AddressBlock): boolean =>
  address.kind() === start.kind() && address.match(start, bits);
