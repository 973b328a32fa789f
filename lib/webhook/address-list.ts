import { BlockList, isIPv4, isIPv6, SocketAddress } from "node:net";
import { SetupError } from "../shared/messaging-error";
import { quoteValue } from "../shared/quote-value";

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;
/** Bits in front of an IPv4 address that is written as an IPv6 one. */
const MAPPED_BITS = 96;

/**
 * The one spelling under which an address is compared and shown: the shortest, without a zone, and an IPv4 address
 * that came as an IPv6 one as IPv4. Null for what is no address.
 */
export function plainAddress(text: string): string | null {
  const zone = text.indexOf("%");
  const bare = zone < 0 ? text : text.slice(0, zone);
  if (!isIPv6(bare)) {
    return isIPv4(bare) ? bare : null;
  }
  const address = MAPPED.test(bare) ? bare : new SocketAddress({ address: bare, family: "ipv6" }).address;
  return MAPPED.exec(address)?.[1] ?? address;
}

/** Addresses and blocks of addresses that may call; one that names none allows everybody. */
export class AddressList {
  readonly #v4 = new BlockList();
  readonly #v6 = new BlockList();
  readonly isEmpty: boolean;

  /**
   * @param typed IPv4 and IPv6 addresses and CIDR blocks, between them commas, semicolons or white space
   * @throws SetupError BAD_SETTING that names the first entry that is neither
   */
  constructor(typed: string) {
    const entries = typed.split(/[\s,;]+/).filter((entry) => entry !== "");
    for (const entry of entries) {
      this.#add(entry);
    }
    this.isEmpty = entries.length === 0;
  }

  /** @param address as `plainAddress` spells it */
  allows(address: string): boolean {
    return this.isEmpty || (isIPv4(address) ? this.#v4.check(address) : this.#v6.check(address, "ipv6"));
  }

  #add(entry: string): void {
    const [, host = "", bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const address = plainAddress(host.replace(/^\[(.*)\]$/, "$1"));
    if (address === null || host.includes("%")) {
      throw badEntry(entry);
    }
    const isV4 = isIPv4(address);
    const widest = isV4 ? 32 : 128;
    const offset = isV4 && host.includes(":") ? MAPPED_BITS : 0;
    const prefix = bits === undefined ? widest : Number(bits) - offset;
    if (prefix < 0 || prefix > widest) {
      throw badEntry(entry);
    }
    if (isV4) {
      this.#v4.addSubnet(address, prefix);
    } else {
      this.#v6.addSubnet(address, prefix, "ipv6");
    }
  }
}

function badEntry(entry: string): SetupError {
  return new SetupError(
    "BAD_SETTING",
    `The address list of the webhook has an entry that is neither an address nor a block of addresses: ${quoteValue(entry)}. Write it as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32.`,
  );
}
