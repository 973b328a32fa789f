const ENTRY = /^\[?([^/[\]]+)\]?(?:\/(\d{1,3}))?$/;
const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

function isV4(host: string): boolean {
  const [, ...parts] = IPV4.exec(host) ?? [];
  return parts.length === 4 && parts.every((part) => Number(part) <= 255 && String(Number(part)) === part);
}

/** Browsers and Node.js share the URL parser, so both accept the same IPv6 addresses. */
const isV6 = (host: string): boolean => host.includes(":") && URL.canParse(`http://[${host}]/`);

/**
 * The first entry of a typed list that is neither an address nor a CIDR block; null where all are.
 * @param typed entries separated by commas, semicolons or white space
 */
export function findWrongAddress(typed: string): string | null {
  const entries = typed.split(/[\s,;]+/).filter((entry) => entry !== "");
  const wrong = entries.find((entry) => {
    const [, host = "", bits = "0"] = ENTRY.exec(entry) ?? [];
    return !(isV4(host) ? Number(bits) <= 32 : isV6(host) && Number(bits) <= 128);
  });
  return wrong ?? null;
}
