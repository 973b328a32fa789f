import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Ending } from "./gate-server";
import {
  bare,
  basicHeader,
  chunk,
  chunked,
  EVENT,
  forwarded,
  JSON_TYPE,
  json,
  LIMIT,
  latin1,
  nested,
  packed,
  post,
  SECOND,
  SECRET,
  sayingLength,
  sized,
  typed,
  withBasic,
  withSecret,
} from "./hostile-requests";
import type { Sending } from "../raw-connection";
import { MESSAGE, REPORT, STATUS } from "../sample-events";

export interface Row {
  readonly name: string;
  readonly bytes: string | Buffer;
  /** Status of each answer, in order; none where the connection ends without. */
  readonly statuses: readonly number[];
  /** What became of each request that reached the gates. */
  readonly endings: readonly Ending[];
  readonly sending?: Partial<Pick<Sending, "trickle" | "split" | "end" | "bodiless">>;
  /** The client breaks the connection once the server has the head. */
  readonly cut?: boolean;
}

/** Requests that end in the same way, by name. */
const rows = (
  statuses: number | readonly number[],
  endings: Ending | readonly Ending[],
  requests: Readonly<Record<string, string | Buffer>>,
  more: Pick<Row, "sending" | "cut"> = {},
): Row[] =>
  Object.entries(requests).map(([name, bytes]) => ({
    name,
    bytes,
    statuses: [statuses].flat(),
    endings: [endings].flat(),
    ...more,
  }));

const METHODS: readonly Row[] = [
  ...rows(405, "method", {
    "GET with a good body": bare("GET /open", [JSON_TYPE, `Content-Length: ${EVENT.length}`], EVENT),
    "OPTIONS as a browser asks before": bare("OPTIONS /open", ["Origin: https://evil.example"]),
    "GET that says to be a POST": bare("GET /open", ["X-HTTP-Method-Override: POST"]),
    "an upgrade": bare("GET /open", ["Connection: Upgrade", "Upgrade: websocket"]),
  }),
  ...rows(405, "method", { HEAD: bare("HEAD /open") }, { sending: { bodiless: true } }),
  ...rows(400, [], { "post in lower case": post("/open").replace("POST", "post") }),
  ...rows([], [], { CONNECT: bare("CONNECT /open") }),
];

const SIZES: readonly Row[] = [
  ...rows(200, "inbound", {
    "as large as allowed, declared": post("/open", sized(LIMIT)),
    "as large as allowed, in chunks": chunked("/open", `${chunk(sized(LIMIT))}0\r\n\r\n`),
  }),
  ...rows(413, "too-large", {
    "one byte larger, declared": post("/open", sized(LIMIT + 1)),
    "one byte larger, in chunks": chunked("/open", `${chunk(sized(LIMIT + 1))}0\r\n\r\n`),
    "chunks without an end": chunked("/open", chunk("x".repeat(64)).repeat(200)),
    "ten GB declared and not sent": sayingLength(10_000_000_000),
    "size before credentials": sayingLength(99_999, "", "/query"),
  }),
  ...rows(400, [], {
    "a negative length": sayingLength("-1", EVENT),
  }),
  ...rows([100, 413], "too-large", {
    "too large, and wait for the word to go on": bare("POST /open", [
      JSON_TYPE,
      "Content-Length: 99999",
      "Expect: 100-continue",
    ]),
  }),
  ...rows([100, 200], "inbound", {
    "good, and wait for the word to go on": post("/open", EVENT, "Expect: 100-continue"),
  }),
  ...rows(417, [], { "another expectation": post("/open", EVENT, "Expect: a-miracle") }),
];

const message = JSON.stringify(MESSAGE);
const gzipBomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, "["), { level: 9 }).subarray(0, LIMIT);
const utf16 = Buffer.from(message, "utf16le").toString("latin1");

const TYPES: readonly Row[] = [
  ...rows(415, "encoding", {
    "gzip bomb": packed("gzip", gzipBomb),
    "gzip of a good event": packed("gzip", gzipSync(message)),
    "x-gzip": packed("X-GZip", gzipSync(message)),
    deflate: packed("deflate", deflateSync(message)),
    brotli: packed("br", brotliCompressSync(message)),
    "identity and gzip": packed("identity, gzip"),
    "identity twice": packed("identity, identity"),
  }),
  ...rows(415, "content-type", {
    "no content type": bare("POST /open", [`Content-Length: ${EVENT.length}`], EVENT),
    "a form": typed("application/x-www-form-urlencoded", "a=1"),
    "text/plain, which browsers send without asking": typed("text/plain"),
    "text/json": typed("text/json"),
    "a type that only begins like JSON": typed("application/json-seq"),
    "a type that has JSON as a parameter": typed("text/html; a=application/json"),
    "two types in one": typed("application/json, text/html"),
    multipart: typed("multipart/form-data; boundary=application/json"),
  }),
  ...rows(415, "charset", {
    "Latin-1 by declaration": typed("application/json; charset=iso-8859-1"),
    "UTF-16 by declaration": typed("application/json; charset=utf-16le", utf16),
    "UTF-7 by declaration": typed("application/json; charset=utf-7"),
    "two character sets": typed("application/json; charset=utf-8; charset=utf-16"),
  }),
  ...rows(200, "inbound", {
    identity: packed("Identity"),
    "JSON in capitals": typed('APPLICATION/JSON; CHARSET="utf-8"'),
    "JSON without a character set": typed("application/json"),
    "US-ASCII by declaration": typed("application/json; charset=US-ASCII"),
    "a byte order mark": post("/open", `\xef\xbb\xbf${EVENT}`),
  }),
  ...rows(400, "not-utf8", {
    "gzip without content-encoding": post("/open", gzipBomb.toString("latin1")),
    "US-ASCII by declaration, Latin-1 in fact": typed("application/json; charset=us-ascii", '"\xfc"'),
    "UTF-8 cut within a character": post("/open", '{"content":"\xf0\x9f\x91"}'),
  }),
  ...rows(400, "not-json", {
    "two byte order marks": post("/open", `\xef\xbb\xbf\xef\xbb\xbf${EVENT}`),
  }),
];

const JSONS: readonly Row[] = [
  ...rows(400, "empty", {
    "no body at all": bare("POST /open", [JSON_TYPE]),
    "a body of no bytes": post("/open", ""),
    "no chunks": chunked("/open", "0\r\n\r\n"),
  }),
  ...rows(400, "not-json", {
    "JSON cut off": post("/open", EVENT.slice(0, -1)),
    "100,000 levels that are not closed": post("/large", "[".repeat(100_000)),
  }),
  ...rows(200, "unrecognised", {
    "100,000 levels": post("/large", nested(100_000)),
    ["__proto__"]: post("/open", '{"__proto__":{"polluted":1}}'),
    "constructor.prototype": post("/open", '{"constructor":{"prototype":{"polluted":1}}}'),
  }),
];

/** Well-formed JSON that is no event is acknowledged: it would be delivered again without end. */
const SHAPES: readonly Row[] = [
  ...rows(200, "unrecognised", {
    null: post("/open", "null"),
    "a list of good events": post("/open", json([MESSAGE, MESSAGE])),
    "a status where messages are taken": post("/open", json(STATUS)),
    "a message where a status is taken": post("/status", json(MESSAGE)),
  }),
  ...rows(200, "status", { "a good status": post("/status", json(STATUS)) }),
  ...rows(200, "report", { "a good report": post("/status", json(REPORT)) }),
];

const quoted = encodeURIComponent(SECOND);
const right = `secret=${SECRET}`;
/** An event with this query. */
const asked = (query: string): string => post(`/query?${query}`);

const CREDENTIALS: readonly Row[] = [
  ...rows(200, "inbound", {
    "the right secret": asked(right),
    "the right secret among others": asked(`a=1&${right}&b`),
    "the right secret, escaped without need": asked(`secret=%72${SECRET.slice(1)}`),
    "the second secret, with signs": asked(`secret=${quoted}`),
    "the right secret in an absolute target": post(`http://x/query?${right}`),
    "header: right": withSecret(SECRET),
    "header: the second, in UTF-8": withSecret(latin1(SECOND)),
    "header: the second, in Latin-1": withSecret(SECOND),
    "basic: right": withBasic(`hook:${SECRET}`),
    "basic: a colon in the password, UTF-8": withBasic("hook:pass:word é"),
  }),
  ...rows(401, "no-credentials", {
    "no secret": post("/query"),
    "an empty secret": asked("secret="),
    "a secret without a value": asked("secret"),
    "the secret behind a second question mark": asked(`a=1?${right}`),
    "the secret in a header instead": post("/query", EVENT, `X-Webhook-Secret: ${SECRET}`),
    "header: missing": post("/header"),
    "header: empty": withSecret(""),
    "header: in the address instead": post(`/header?${right}`),
    "basic: missing": post("/basic"),
    "no secret, and an abyss": post("/query", nested(100)),
  }),
  ...rows(401, "wrong-credentials", {
    "a wrong secret": asked("secret=wrong"),
    "half a secret": asked(right.slice(0, -1)),
    "more than the secret": asked(`${right}x`),
    "a NUL behind the secret": asked(`${right}%00`),
    "the secret in capitals": asked(`secret=${SECRET.toUpperCase()}`),
    "the secret escaped twice": asked(`secret=${encodeURIComponent(quoted)}`),
    "broken escapes": asked("secret=%zz"),
    "escapes that are not UTF-8": asked("secret=%ff%fe"),
    "the secret in the fragment": asked(`secret=#${SECRET}`),
    "header: wrong": withSecret("wrong"),
    "header: joined by a comma": withSecret(`${SECRET}, ${SECRET}`),
    "basic: wrong password": withBasic("hook:wrong"),
    "basic: empty password": withBasic("hook:"),
    "basic: nothing": withBasic(""),
    "basic: nothing but a colon": withBasic(":"),
    "basic: wrong user": withBasic(`root:${SECRET}`),
    "basic: no Base64": post("/basic", EVENT, "Authorization: Basic !!!"),
    "basic: as a bearer token": post("/basic", EVENT, `Authorization: Bearer ${SECRET}`),
    "credentials before everything in the body": post("/query?secret=wrong", '{"__proto__":1}'),
  }),
  ...rows(401, "several-credentials", {
    "the right secret twice": asked(`${right}&${right}`),
    "right, then wrong": asked(`${right}&secret=wrong`),
    "wrong, then right": asked(`secret=wrong&${right}`),
    "both secrets": asked(`${right}&secret=${quoted}`),
    "the secret as a list": asked(`secret[]=${SECRET}`),
    "the secret as an object": asked(`secret[a]=${SECRET}`),
    "the secret under an escaped name": asked(`s%65cret=${SECRET}`),
    "right, and a list besides": asked(`${right}&secret%5B%5D=x`),
    "right, and a name in capitals besides": asked(`${right}&SECRET=x`),
    "header: twice": post("/header", EVENT, `X-Webhook-Secret: ${SECRET}`, `x-webhook-secret: ${SECRET}`),
    "basic: twice, the first right": post(
      "/basic",
      EVENT,
      basicHeader(`hook:${SECRET}`),
      "Authorization: Basic eA==",
    ),
  }),
  ...rows(401, "no-secret-set", {
    "no secret set, and none given": post("/unset?secret="),
    "no secret set, and the word undefined": post("/unset?secret=undefined"),
  }),
  ...rows(200, "unrecognised", {
    "the right secret, and an abyss": post(`/query?${right}`, nested(100)),
  }),
];

const ADDRESSES: readonly Row[] = [
  ...rows(200, "inbound", {
    "an address on the list": post("/local-only"),
    "no proxy: a forged address takes nothing away": forwarded("/local-only", "198.51.100.1"),
    "one proxy: right": forwarded("/one-proxy", "203.0.113.9"),
    "two proxies: right over two headers": forwarded("/two-proxies", "203.0.113.9", "10.0.0.1"),
  }),
  ...rows(403, "address-not-allowed", {
    "an address off the list": post("/far-only"),
    "no proxy: a forged address": forwarded("/far-only", "203.0.113.9"),
    "one proxy: forged in front": forwarded("/one-proxy", "203.0.113.9, 198.51.100.1"),
  }),
  ...rows(403, "address-unknown", {
    "one proxy: nothing forwarded": post("/one-proxy"),
  }),
];

const half = EVENT.slice(0, 40);
const announced = sayingLength(EVENT.length, half);
const inCoding = (coding: string): string =>
  bare("POST /open", [JSON_TYPE, `Transfer-Encoding: ${coding}`], EVENT);

const CONNECTIONS: readonly Row[] = [
  ...rows(431, [], {
    "a header of 20 KB": post("/open", EVENT, `X-Big: ${"x".repeat(20_000)}`),
  }),
  ...rows(200, "inbound", {
    "2,100 headers": post("/open", EVENT, ...Array.from({ length: 2_100 }, () => "A: ")),
    "HTTP/1.0": post("/open").replace("HTTP/1.1", "HTTP/1.0"),
  }),
  ...rows(400, [], {
    "length and chunks": chunked("/open", `${chunk(EVENT)}0\r\n\r\n`, "Content-Length: 5"),
    "a folded secret": withSecret(`${SECRET}\r\n x`),
    noise: Buffer.from(Array.from({ length: 512 }, (_unused, at) => (at * 151) & 255)),
  }),
  ...rows(
    400,
    [],
    { "the greeting of TLS": Buffer.from("160301020001000001fc0303", "hex") },
    { sending: { end: true } },
  ),
  ...rows(400, "aborted", {
    "chunks under a strange name": inCoding("xchunked"),
    "a chunk with a wrong size": chunked("/open", "zz\r\n{}\r\n0\r\n\r\n"),
    "a chunk that is longer than it says": chunked("/open", "1\r\n{}\r\n0\r\n\r\n"),
    "a chunk of 2^64 bytes": chunked("/open", "10000000000000000\r\n{}"),
  }),
  ...rows(408, "slow-body", {
    "less than announced, and silence": announced.replace("/open", "/slow"),
    "nothing of what was announced": sayingLength(20, "", "/slow"),
  }),
  ...rows(
    408,
    "slow-body",
    { "byte by byte, without end": sayingLength(2000, "{", "/slow") },
    { sending: { trickle: " ".repeat(1_900) } },
  ),
  ...rows(
    408,
    "slow-body",
    { "chunk by chunk, without end": chunked("/slow", "1\r\n{\r\n") },
    { sending: { trickle: "1\r\n \r\n".repeat(300) } },
  ),
  ...rows(400, "aborted", { "less than announced, then the end": announced }, { sending: { end: true } }),
  ...rows(
    [],
    "aborted",
    {
      "less than announced, then a broken connection": announced,
      "chunks, then a broken connection": chunked("/open", chunk(half)),
    },
    { cut: true },
  ),
  ...rows(401, "wrong-credentials", {
    "a wrong secret, then a broken connection": sayingLength(2000, half, "/query?secret=wrong"),
  }),
  // Node.js ends the connection before the first answer is out: the event will come again as a copy.
  ...rows(400, "inbound", { "more than announced": `${post("/open")}garbage\r\n\r\n` }),
  ...rows(400, "not-json", {
    "announced so that JSON is cut": sayingLength(40, EVENT),
    "a request in the body of a good one": post("/open", post("/open")),
  }),
  ...rows(200, "inbound", { "byte by byte": post("/open") }, { sending: { split: true } }),
  ...rows([200, 200, 200], ["inbound", "status", "unrecognised"], {
    "three requests at once": post("/open") + post("/status", json(STATUS)) + post("/open", "[]"),
  }),
  ...rows([401, 200], ["wrong-credentials", "inbound"], {
    "refused and good at once": post("/query?secret=wrong") + post("/open"),
  }),
  ...rows(401, "no-credentials", {
    "a request in the body of a refused one": post("/query", post("/open")),
  }),
];

export const ROWS: readonly Row[] = [
  ...METHODS,
  ...SIZES,
  ...TYPES,
  ...JSONS,
  ...SHAPES,
  ...CREDENTIALS,
  ...ADDRESSES,
  ...CONNECTIONS,
];
