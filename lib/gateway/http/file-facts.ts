import { lookup } from "node:dns/promises";
import { Client, type Dispatcher } from "undici";
import { type AddressBlock, isInBlock, parseAddress, parseBlock } from "../../shared/network/ip-address";
import type { ProxySettings } from "../contract/settings";
import { CancelSignal } from "./cancel-signal";
import { connectorFor } from "./connector";
import { chooseProxy } from "./proxy-choice";
import { bareHost } from "./service-address";

/** What a server says of a file; null for what it does not say. */
export interface FileFacts {
  /** Media type without parameters, such as `image/jpeg`. */
  readonly type: string | null;
  /** Bytes. */
  readonly size: number | null;
}

/** Why nothing is known of a file. */
export type FileFactsFault = "bad-url" | "not-public" | "unreachable" | "refused" | "redirects" | "timeout";

export type FileFactsAnswer = FileFacts | { readonly error: FileFactsFault; readonly status?: number };

/** What the look at a file needs of its surroundings. */
export interface FileFactsOptions {
  readonly proxy: ProxySettings | null;
  readonly env: NodeJS.ProcessEnv;
  /** ms for everything together. */
  readonly timeout: number;
  /** Whether an IP address may be asked; tests have their servers on this computer. */
  readonly isAllowed?: (address: string) => boolean;
}

const MOST_REDIRECTS = 3;
const MEDIA_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/;
const LONGEST_URL = 2_048;

class Refusal extends Error {
  constructor(
    readonly fault: FileFactsFault,
    readonly status?: number,
  ) {
    super(fault);
  }
}

/** IPv6 ranges in which an IPv4 address is written: a router or this computer may make that of it. */
const WITH_IPV4 = parseBlock("::/96") as AddressBlock;

/** Whether everybody on the internet may reach an address: none of this computer, its network, or a cloud's metadata. */
export function isPublic(text: string): boolean {
  const address = parseAddress(text);
  // `unicast` leaves out IPv4-mapped, 6to4, NAT64 and Teredo addresses.
  return address?.range() === "unicast" && !isInBlock(address, WITH_IPV4);
}

function readUrl(text: string): URL {
  const url = text.length <= LONGEST_URL && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new Refusal("bad-url");
  }
  return url;
}

/**
 * The address that a host is asked at. Every one that its name has must be allowed, and the connection goes to the one that was looked at, so
 * that a name that changes meanwhile, or is another one for a proxy, leads nowhere else.
 */
async function addressOf(hostname: string, isAllowed: (address: string) => boolean): Promise<string> {
  // An IP address is found as it is.
  const found = await lookup(bareHost(hostname), { all: true }).catch(() => {
    throw new Refusal("unreachable");
  });
  const [first] = found;
  if (first === undefined || !found.every(({ address }) => isAllowed(address))) {
    throw new Refusal("not-public");
  }
  return first.address;
}

/** Status and headers of one request, whose body is not read. */
async function ask(
  url: URL,
  method: "HEAD" | "GET",
  { proxy, env, timeout, isAllowed = isPublic }: FileFactsOptions,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const route = chooseProxy(url, false, proxy, env);
  const hostname = await addressOf(url.hostname, isAllowed);
  const closing = new CancelSignal();
  const connect = connectorFor(route, {}, timeout, closing);
  const client = new Client(url.origin, {
    pipelining: 1,
    connect: (options, callback) => connect({ ...options, hostname }, callback),
  });
  const headers = {
    accept: "*/*",
    "accept-encoding": "identity",
    ...(method === "GET" && { range: "bytes=0-0" }),
  };
  try {
    const answer = await client.request({ method, path: url.pathname + url.search, headers, signal });
    answer.body.on("error", () => {});
    answer.body.destroy();
    return answer;
  } finally {
    closing.stop();
    void client.destroy().catch(() => {});
  }
}

const header = ({ headers }: Dispatcher.ResponseData, name: string): string => String(headers[name] ?? "");

function wholeNumber(text: string | undefined): number | null {
  const number = /^\d{1,15}$/.test(text ?? "") ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}

function factsIn(answer: Dispatcher.ResponseData): FileFacts {
  const type = (header(answer, "content-type").split(";", 1)[0] ?? "").trim().toLowerCase();
  const coding = header(answer, "content-encoding");
  const size =
    answer.statusCode === 206
      ? wholeNumber(header(answer, "content-range").split("/")[1])
      : coding === "" || coding === "identity"
        ? wholeNumber(header(answer, "content-length") || undefined)
        : null;
  return { type: MEDIA_TYPE.test(type) ? type : null, size };
}

async function follow(
  start: URL,
  method: "HEAD" | "GET",
  options: FileFactsOptions,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  let url = start;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const answer = await ask(url, method, options, signal);
    const target = header(answer, "location");
    if (answer.statusCode < 300 || answer.statusCode >= 400 || target === "") {
      return answer;
    }
    url = readUrl(URL.canParse(target, url.href) ? new URL(target, url.href).href : "");
  }
  throw new Refusal("redirects");
}

const isComplete = ({ type, size }: FileFacts): boolean => type !== null && size !== null;

/**
 * Asks a server for type and size of a file, and for nothing else: by HEAD, then by a GET of one byte where that does not
 * tell both. Only public addresses are asked, through redirects too. The content is not read. Never rejects for what a server does.
 */
export async function readFileFacts(text: string, options: FileFactsOptions): Promise<FileFactsAnswer> {
  const signal = AbortSignal.timeout(options.timeout);
  try {
    const url = readUrl(text);
    const head = await follow(url, "HEAD", options, signal);
    const first = head.statusCode === 200 ? factsIn(head) : { type: null, size: null };
    if (isComplete(first)) {
      return first;
    }
    const answer = await follow(url, "GET", options, signal);
    if (answer.statusCode !== 200 && answer.statusCode !== 206) {
      throw new Refusal("refused", answer.statusCode);
    }
    const second = factsIn(answer);
    return { type: second.type ?? first.type, size: second.size ?? first.size };
  } catch (error) {
    if (error instanceof Refusal) {
      return { error: error.fault, ...(error.status !== undefined && { status: error.status }) };
    }
    return { error: signal.aborted ? "timeout" : "unreachable" };
  }
}
