import ipaddr from "ipaddr.js";

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** All addresses whose first `bits` bits equal those of `start`. */
export interface AddressBlock {
  readonly start: IpAddress;
  readonly bits: number;
}

/** Bits in front of an IPv4 address that is written as an IPv6 one. */
const MAPPED_BITS = 96;
const MAPPED = "::ffff:";

const isV4 = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text);

/** The IPv4 address in the usual spelling of an IPv4-mapped IPv6 address, else the text. */
const unmapped = (text: string): string =>
  text.startsWith(MAPPED) && isV4(text.slice(MAPPED.length)) ? text.slice(MAPPED.length) : text;

function parseV6(text: string): IpAddress | null {
  const tail = text.slice(text.lastIndexOf(":") + 1);
  // ipaddr.js takes octal numbers there, which others read as decimal ones.
  if (!ipaddr.IPv6.isValid(text) || (tail.includes(".") && !isV4(tail))) {
    return null;
  }
  // ipaddr.js takes `::1.2.3.4` for an IPv4-mapped address, which it is not; written in full it does not.
  const address = ipaddr.IPv6.parse(text.replace(/^::(?=\d+\.)/, "0:0:0:0:0:0:"));
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/**
 * Reads an IPv4 address of four decimal numbers, or an IPv6 address, whose zone is dropped. An IPv4-mapped IPv6
 * address becomes the IPv4 address.
 * @returns null for any other text
 */
export function parseAddress(text: string): IpAddress | null {
  const short = unmapped(text);
  return isV4(short) ? ipaddr.IPv4.parse(short) : parseV6(text.split("%", 1)[0] ?? "");
}

/** The one spelling under which an address is compared and shown: the shortest. Null for a text that is no address. */
export function canonicalAddress(text: string): string | null {
  const short = unmapped(text);
  return isV4(short) ? short : (parseAddress(text)?.toString() ?? null);
}

/**
 * What tells a caller apart: an IPv4 address, or the network of an IPv6 one, of which each line has 2^64 addresses of its own.
 * @returns the text where it is no address
 */
export function callerNetwork(text: string): string {
  const address = parseAddress(text);
  if (address === null) {
    return text;
  }
  const bytes = address.toByteArray();
  return bytes.length === 4
    ? address.toString()
    : `${ipaddr.fromByteArray([...bytes.slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`;
}

/** The entries of a typed list, between which stand commas, semicolons or white space. */
export const addressEntries = (typed: string): string[] =>
  typed.split(/[\s,;]+/).filter((entry) => entry !== "");

/**
 * Reads an entry of an address list: an address without a zone, in brackets or not, or a CIDR block.
 * @returns null for any other text
 */
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

/** Whether an address lies in a block. IPv4 and IPv6 never match each other. */
export const isInBlock = (address: IpAddress, { start, bits }: AddressBlock): boolean =>
  address.kind() === start.kind() && address.match(start, bits);
