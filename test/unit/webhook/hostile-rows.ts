import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { GateSettings } from "../../../lib/webhook/gates";
import type { Ending } from "./gate-server";
import type { Sending } from "./raw-connection";
import { MESSAGE, REPORT, STATUS } from "./sample-events";

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

/** Bytes that a body may have on most paths. */
const LIMIT = 2048;
const SECRET = "right-secret-0123456789";
const OLD = "old/secret+with signs&=é";

/** A set of gates for each path. */
export const DOORS: Readonly<
  Record<string, Partial<GateSettings> & { readonly kind?: "inbound" | "status" }>
> = {
  "/open": {},
  "/status": { kind: "status" },
  "/large": { sizeLimit: 1024 * 1024 },
  "/slow": { bodyTimeout: 60 },
  "/query": { auth: { kind: "query", secrets: [SECRET, OLD, ""] } },
  "/unset": { auth: { kind: "query", secrets: ["", ""] } },
  "/header": { auth: { kind: "header", name: "X-Webhook-Secret", secrets: [SECRET, OLD] } },
  "/basic": {
    auth: {
      kind: "basic",
      users: [
        { username: "hook", password: SECRET },
        { username: "hook", password: "pass:word é" },
        { username: "hook", password: "" },
      ],
    },
  },
  "/local-only": { allowed: "127.0.0.0/8, ::1" },
  "/far-only": { allowed: "203.0.113.0/24" },
  "/one-proxy": { allowed: "203.0.113.0/24 2001:db8::/32", proxyHops: 1 },
  "/two-proxies": { allowed: "203.0.113.0/24", proxyHops: 2 },
};

type Headers = readonly (readonly [string, string])[];

const JSON_TYPE = ["Content-Type", "application/json;charset=UTF-8"] as const;
const latin1 = (body: string | Buffer): string => Buffer.from(body as string).toString("latin1");
const EVENT = latin1(JSON.stringify(MESSAGE));
const json = (value: unknown): string => latin1(JSON.stringify(value));

/** A request with exactly these headers after Host; one character of the body per byte. */
const bare = (target: string, headers: Headers, body = "", method = "POST"): string =>
  [
    `${method} ${target} HTTP/1.1`,
    "Host: x",
    ...headers.map(([name, value]) => `${name}: ${value}`),
    "",
    body,
  ].join("\r\n");
/** A JSON request with a true Content-Length. */
const post = (target: string, body = EVENT, headers: Headers = []): string =>
  bare(target, [JSON_TYPE, ["Content-Length", String(body.length)], ...headers], body);
/** A request whose Content-Type is this. */
const typed = (type: string, body = EVENT): string =>
  bare(
    "/open",
    [
      ["Content-Type", type],
      ["Content-Length", String(body.length)],
    ],
    body,
  );
const packed = (encoding: string, body: Buffer | string): string =>
  post("/open", Buffer.isBuffer(body) ? body.toString("latin1") : body, [["Content-Encoding", encoding]]);
const chunk = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n`;
const chunked = (target: string, chunks: string, headers: Headers = []): string =>
  bare(target, [JSON_TYPE, ["Transfer-Encoding", "chunked"], ...headers], chunks);
const withSecret = (secret: string): string => post("/header", EVENT, [["X-Webhook-Secret", secret]]);
const withBasic = (pair: string): string =>
  post("/basic", EVENT, [["Authorization", `Basic ${Buffer.from(pair).toString("base64")}`]]);
const forwarded = (path: string, ...values: string[]): string =>
  post(
    path,
    EVENT,
    values.map((value) => ["X-Forwarded-For", value] as const),
  );
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
/** An event of exactly this many bytes. */
const sized = (bytes: number): string => {
  const frame = json({ ...MESSAGE, filling: "" });
  return frame.replace('"filling":""', `"filling":"${"x".repeat(bytes - frame.length)}"`);
};
const row = (
  name: string,
  bytes: string | Buffer,
  statuses: number | readonly number[],
  endings: Ending | readonly Ending[],
  more: Omit<Row, "name" | "bytes" | "statuses" | "endings"> = {},
): Row => ({ name, bytes, statuses: [statuses].flat(), endings: [endings].flat(), ...more });

const METHODS: readonly Row[] = [
  row("GET", bare("/open", [], "", "GET"), 405, "method"),
  row(
    "GET with a good body",
    bare("/open", [JSON_TYPE, ["Content-Length", String(EVENT.length)]], EVENT, "GET"),
    405,
    "method",
  ),
  row("HEAD", bare("/open", [], "", "HEAD"), 405, "method", { sending: { bodiless: true } }),
  row("PUT", post("/open").replace("POST", "PUT"), 405, "method"),
  row("PATCH", post("/open").replace("POST", "PATCH"), 405, "method"),
  row("DELETE", bare("/open", [], "", "DELETE"), 405, "method"),
  row(
    "OPTIONS as a browser asks before",
    bare("/open", [["Origin", "https://evil.example"]], "", "OPTIONS"),
    405,
    "method",
  ),
  row("TRACE", bare("/open", [], "", "TRACE"), 405, "method"),
  row(
    "GET that says to be a POST",
    bare("/open", [["X-HTTP-Method-Override", "POST"]], "", "GET"),
    405,
    "method",
  ),
  row("post in lower case", post("/open").replace("POST", "post"), 400, []),
  row("CONNECT", bare("/open", [], "", "CONNECT"), [], []),
  row(
    "an upgrade",
    bare(
      "/open",
      [
        ["Connection", "Upgrade"],
        ["Upgrade", "websocket"],
      ],
      "",
      "GET",
    ),
    405,
    "method",
  ),
];

const SIZES: readonly Row[] = [
  row("as large as allowed, declared", post("/open", sized(LIMIT)), 200, "inbound"),
  row("one byte larger, declared", post("/open", sized(LIMIT + 1)), 413, "too-large"),
  row("as large as allowed, in chunks", chunked("/open", `${chunk(sized(LIMIT))}0\r\n\r\n`), 200, "inbound"),
  row(
    "one byte larger, in chunks",
    chunked("/open", `${chunk(sized(LIMIT + 1))}0\r\n\r\n`),
    413,
    "too-large",
  ),
  row("chunks without an end", chunked("/open", chunk("x".repeat(64)).repeat(200)), 413, "too-large"),
  row(
    "ten GB declared and not sent",
    bare("/open", [JSON_TYPE, ["Content-Length", "10000000000"]]),
    413,
    "too-large",
  ),
  row("a length beyond all numbers", bare("/open", [JSON_TYPE, ["Content-Length", "9".repeat(40)]]), 400, []),
  row("a negative length", bare("/open", [JSON_TYPE, ["Content-Length", "-1"]], EVENT), 400, []),
  row("a length with a plus", bare("/open", [JSON_TYPE, ["Content-Length", "+5"]], EVENT), 400, []),
  row("a hexadecimal length", bare("/open", [JSON_TYPE, ["Content-Length", "0x10"]], EVENT), 400, []),
  row(
    "too large, and wait for the word to go on",
    bare("/open", [JSON_TYPE, ["Content-Length", "99999"], ["Expect", "100-continue"]]),
    [100, 413],
    "too-large",
  ),
  row(
    "good, and wait for the word to go on",
    post("/open", EVENT, [["Expect", "100-continue"]]),
    [100, 200],
    "inbound",
  ),
  row("another expectation", post("/open", EVENT, [["Expect", "a-miracle"]]), 417, []),
  row("size before credentials", bare("/query", [JSON_TYPE, ["Content-Length", "99999"]]), 413, "too-large"),
];

const gzipBomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, "["), { level: 9 }).subarray(0, LIMIT);
const utf16 = Buffer.from(JSON.stringify(MESSAGE), "utf16le").toString("latin1");

const TYPES: readonly Row[] = [
  row("gzip bomb", packed("gzip", gzipBomb), 415, "encoding"),
  row("gzip of a good event", packed("gzip", gzipSync(JSON.stringify(MESSAGE))), 415, "encoding"),
  row("x-gzip", packed("X-GZip", gzipSync(JSON.stringify(MESSAGE))), 415, "encoding"),
  row("deflate", packed("deflate", deflateSync(JSON.stringify(MESSAGE))), 415, "encoding"),
  row("brotli", packed("br", brotliCompressSync(JSON.stringify(MESSAGE))), 415, "encoding"),
  row("identity and gzip", packed("identity, gzip", EVENT), 415, "encoding"),
  row("identity twice", packed("identity, identity", EVENT), 415, "encoding"),
  row("identity", packed("Identity", EVENT), 200, "inbound"),
  row("gzip without content-encoding", post("/open", gzipBomb.toString("latin1")), 400, "not-utf8"),
  row(
    "no content type",
    bare("/open", [["Content-Length", String(EVENT.length)]], EVENT),
    415,
    "content-type",
  ),
  row("a form", typed("application/x-www-form-urlencoded", "a=1"), 415, "content-type"),
  row("text/plain, which browsers send without asking", typed("text/plain"), 415, "content-type"),
  row("text/json", typed("text/json"), 415, "content-type"),
  row("a type that only begins like JSON", typed("application/json-seq"), 415, "content-type"),
  row("a type that has JSON as a parameter", typed("text/html; a=application/json"), 415, "content-type"),
  row("two types in one", typed("application/json, text/html"), 415, "content-type"),
  row("multipart", typed("multipart/form-data; boundary=application/json"), 415, "content-type"),
  row("JSON in capitals", typed('APPLICATION/JSON; CHARSET="utf-8"'), 200, "inbound"),
  row("JSON without a character set", typed("application/json"), 200, "inbound"),
  row("US-ASCII by declaration", typed("application/json; charset=US-ASCII"), 200, "inbound"),
  row(
    "US-ASCII by declaration, Latin-1 in fact",
    typed("application/json; charset=us-ascii", '"\xfc"'),
    400,
    "not-utf8",
  ),
  row("Latin-1 by declaration", typed("application/json; charset=iso-8859-1"), 415, "charset"),
  row("UTF-16 by declaration", typed("application/json; charset=utf-16le", utf16), 415, "charset"),
  row("UTF-7 by declaration", typed("application/json; charset=utf-7"), 415, "charset"),
  row("two character sets", typed("application/json; charset=utf-8; charset=utf-16"), 415, "charset"),
  row("UTF-16 under the name of UTF-8", post("/open", utf16), 400, "not-utf8"),
  row(
    "UTF-16 of plain letters under the name of UTF-8",
    post("/open", Buffer.from("{}", "utf16le").toString("latin1")),
    400,
    "not-json",
  ),
  row("Latin-1 under the name of UTF-8", post("/open", '{"content":"Gr\xfcezi"}'), 400, "not-utf8"),
  row("UTF-8 cut within a character", post("/open", '{"content":"\xf0\x9f\x91"}'), 400, "not-utf8"),
  row("overlong UTF-8", post("/open", '{"content":"\xc0\xaf"}'), 400, "not-utf8"),
  row("surrogates in UTF-8", post("/open", '{"content":"\xed\xa0\x80"}'), 400, "not-utf8"),
  row("a byte order mark", post("/open", `\xef\xbb\xbf${EVENT}`), 200, "inbound"),
  row("two byte order marks", post("/open", `\xef\xbb\xbf\xef\xbb\xbf${EVENT}`), 400, "not-json"),
];

const JSONS: readonly Row[] = [
  row("no body at all", bare("/open", [JSON_TYPE]), 400, "empty"),
  row("a body of no bytes", post("/open", ""), 400, "empty"),
  row("no chunks", chunked("/open", "0\r\n\r\n"), 400, "empty"),
  row("nothing but spaces", post("/open", "   "), 400, "not-json"),
  row("JSON cut off", post("/open", EVENT.slice(0, -1)), 400, "not-json"),
  row("JSON cut off within an escape", post("/open", '{"content":"\\u00'), 400, "not-json"),
  row("two values", post("/open", "{}{}"), 400, "not-json"),
  row("a comma too many", post("/open", '{"a":1,}'), 400, "not-json"),
  row("single quotes", post("/open", "{'a':1}"), 400, "not-json"),
  row("a comment", post("/open", "{}//"), 400, "not-json"),
  row("NaN", post("/open", '{"a":NaN}'), 400, "not-json"),
  row("a NUL byte behind", post("/open", "{}\0"), 400, "not-json"),
  row("a raw line break in a text", post("/open", '{"a":"\n"}'), 400, "not-json"),
  row("HTML", post("/open", "<script>alert(1)</script>"), 400, "not-json"),
  row("10 levels", post("/open", nested(10)), 200, "unrecognised"),
  row("32 levels", post("/open", nested(32)), 200, "unrecognised"),
  row("33 levels", post("/open", nested(33)), 200, "unrecognised"),
  row("33 levels of objects", post("/open", `${'{"a":'.repeat(32)}{}${"}".repeat(32)}`), 200, "unrecognised"),
  row(
    "33 levels of which one has no siblings",
    post("/open", `[1,{"a":[2,${nested(31)}]}]`),
    200,
    "unrecognised",
  ),
  row("100,000 levels", post("/large", nested(100_000)), 200, "unrecognised"),
  row("100,000 levels that are not closed", post("/large", "[".repeat(100_000)), 400, "not-json"),
  row(
    "100,000 levels of objects",
    post("/large", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
    200,
    "unrecognised",
  ),
  row("__proto__", post("/open", '{"__proto__":{"polluted":1}}'), 200, "unrecognised"),
  row("__proto__ in an event", post("/open", EVENT.replace("{", '{"__proto__":1,')), 200, "unrecognised"),
  row("__proto__ deep down", post("/open", '{"a":[1,{"b":{"__proto__":null}}]}'), 200, "unrecognised"),
  row(
    "__proto__ with escapes",
    post("/open", '{"\\u005f_proto_\\u005F":{"polluted":1}}'),
    200,
    "unrecognised",
  ),
  row(
    "constructor.prototype",
    post("/open", '{"constructor":{"prototype":{"polluted":1}}}'),
    200,
    "unrecognised",
  ),
  row(
    "constructor.prototype in a list",
    post("/open", '[[{"const\\u0072uctor":{"prototype":1}}]]'),
    200,
    "unrecognised",
  ),
  row(
    "a constructor that reaches nothing",
    post("/open", json({ ...MESSAGE, constructor: "Ltd.", prototype: {} })),
    200,
    "inbound",
  ),
  row("__proto__ as a value", post("/open", json({ ...MESSAGE, content: "__proto__" })), 200, "inbound"),
  row("a key twice", post("/open", EVENT.replace("{", '{"sender":1,')), 200, "inbound"),
  row("a number beyond all numbers", post("/open", EVENT.replace("{", '{"n":1e999,')), 200, "inbound"),
  row("half a surrogate pair", post("/open", EVENT.replace("{", '{"n":"\\ud800",')), 200, "inbound"),
];

/** Well-formed JSON that is no event is acknowledged: it would be delivered again without end. */
const SHAPES: readonly Row[] = [
  row("null", post("/open", "null"), 200, "unrecognised"),
  row("a number", post("/open", "42"), 200, "unrecognised"),
  row("a text", post("/open", '"x"'), 200, "unrecognised"),
  row("false", post("/status", "false"), 200, "unrecognised"),
  row("an empty object", post("/open", "{}"), 200, "unrecognised"),
  row("an empty list", post("/status", "[]"), 200, "unrecognised"),
  row("a list of good events", post("/open", json([MESSAGE, MESSAGE])), 200, "unrecognised"),
  row(
    "a sender that is a number",
    post("/open", json({ ...MESSAGE, sender: 41790000001 })),
    200,
    "unrecognised",
  ),
  row(
    "a sender that is an object",
    post("/open", json({ ...MESSAGE, sender: { $ne: null } })),
    200,
    "unrecognised",
  ),
  row("content that is a list", post("/open", json({ ...MESSAGE, content: ["x"] })), 200, "unrecognised"),
  row("a user that is a text", post("/open", json({ ...MESSAGE, user: "Ada" })), 200, "unrecognised"),
  row("no content", post("/open", json({ ...MESSAGE, content: undefined })), 200, "unrecognised"),
  row("a status where messages are taken", post("/open", json(STATUS)), 200, "unrecognised"),
  row("a message where a status is taken", post("/status", json(MESSAGE)), 200, "unrecognised"),
  row(
    "a status that is a number",
    post("/status", json({ ...STATUS, messageStatus: 1 })),
    200,
    "unrecognised",
  ),
  row(
    "a report of no message",
    post("/status", json({ ...REPORT, transferId: null, clientMessageId: null })),
    200,
    "unrecognised",
  ),
  row("a good status", post("/status", json(STATUS)), 200, "status"),
  row("a good report", post("/status", json(REPORT)), 200, "report"),
];

const quoted = encodeURIComponent(OLD);

const CREDENTIALS: readonly Row[] = [
  row("the right secret", post(`/query?secret=${SECRET}`), 200, "inbound"),
  row("the right secret among others", post(`/query?a=1&secret=${SECRET}&b`), 200, "inbound"),
  row("the right secret, escaped without need", post(`/query?secret=%72${SECRET.slice(1)}`), 200, "inbound"),
  row("the second secret, with signs", post(`/query?secret=${quoted}`), 200, "inbound"),
  row("the right secret in an absolute target", post(`http://x/query?secret=${SECRET}`), 200, "inbound"),
  row("no secret", post("/query"), 401, "no-credentials"),
  row("an empty secret", post("/query?secret="), 401, "no-credentials"),
  row("a secret without a value", post("/query?secret"), 401, "no-credentials"),
  row("a wrong secret", post("/query?secret=wrong"), 401, "wrong-credentials"),
  row("half a secret", post(`/query?secret=${SECRET.slice(0, -1)}`), 401, "wrong-credentials"),
  row("more than the secret", post(`/query?secret=${SECRET}x`), 401, "wrong-credentials"),
  row("a NUL behind the secret", post(`/query?secret=${SECRET}%00`), 401, "wrong-credentials"),
  row("the secret in capitals", post(`/query?secret=${SECRET.toUpperCase()}`), 401, "wrong-credentials"),
  row(
    "the secret escaped twice",
    post(`/query?secret=${encodeURIComponent(quoted)}`),
    401,
    "wrong-credentials",
  ),
  row("broken escapes", post("/query?secret=%zz"), 401, "wrong-credentials"),
  row("escapes that are not UTF-8", post("/query?secret=%ff%fe"), 401, "wrong-credentials"),
  row("the right secret twice", post(`/query?secret=${SECRET}&secret=${SECRET}`), 401, "several-credentials"),
  row("right, then wrong", post(`/query?secret=${SECRET}&secret=wrong`), 401, "several-credentials"),
  row("wrong, then right", post(`/query?secret=wrong&secret=${SECRET}`), 401, "several-credentials"),
  row("both secrets", post(`/query?secret=${SECRET}&secret=${quoted}`), 401, "several-credentials"),
  row("the secret as a list", post(`/query?secret[]=${SECRET}`), 401, "several-credentials"),
  row("the secret as an object", post(`/query?secret[a]=${SECRET}`), 401, "several-credentials"),
  row("the secret under an escaped name", post(`/query?s%65cret=${SECRET}`), 401, "several-credentials"),
  row(
    "right, and a list besides",
    post(`/query?secret=${SECRET}&secret%5B%5D=x`),
    401,
    "several-credentials",
  ),
  row(
    "right, and a name in capitals besides",
    post(`/query?secret=${SECRET}&SECRET=x`),
    401,
    "several-credentials",
  ),
  row("the secret behind a second question mark", post(`/query?a=1?secret=${SECRET}`), 401, "no-credentials"),
  row("the secret in the fragment", post(`/query?secret=#${SECRET}`), 401, "wrong-credentials"),
  row(
    "the secret in a header instead",
    post("/query", EVENT, [["X-Webhook-Secret", SECRET]]),
    401,
    "no-credentials",
  ),
  row("no secret set, and none given", post("/unset?secret="), 401, "no-secret-set"),
  row("no secret set, and the word undefined", post("/unset?secret=undefined"), 401, "no-secret-set"),
  row("header: right", withSecret(SECRET), 200, "inbound"),
  row("header: the second, in UTF-8", withSecret(latin1(OLD)), 200, "inbound"),
  row("header: the second, in Latin-1", withSecret(OLD), 200, "inbound"),
  row("header: wrong", withSecret("wrong"), 401, "wrong-credentials"),
  row("header: missing", post("/header"), 401, "no-credentials"),
  row("header: empty", withSecret(""), 401, "no-credentials"),
  row(
    "header: twice",
    post("/header", EVENT, [
      ["X-Webhook-Secret", SECRET],
      ["x-webhook-secret", SECRET],
    ]),
    401,
    "several-credentials",
  ),
  row("header: joined by a comma", withSecret(`${SECRET}, ${SECRET}`), 401, "wrong-credentials"),
  row("header: in the address instead", post(`/header?secret=${SECRET}`), 401, "no-credentials"),
  row("basic: right", withBasic(`hook:${SECRET}`), 200, "inbound"),
  row("basic: a colon in the password, UTF-8", withBasic("hook:pass:word é"), 200, "inbound"),
  row("basic: missing", post("/basic"), 401, "no-credentials"),
  row("basic: wrong password", withBasic("hook:wrong"), 401, "wrong-credentials"),
  row("basic: empty password", withBasic("hook:"), 401, "wrong-credentials"),
  row("basic: nothing", withBasic(""), 401, "wrong-credentials"),
  row("basic: nothing but a colon", withBasic(":"), 401, "wrong-credentials"),
  row("basic: wrong user", withBasic(`root:${SECRET}`), 401, "wrong-credentials"),
  row("basic: no Base64", post("/basic", EVENT, [["Authorization", "Basic !!!"]]), 401, "wrong-credentials"),
  row(
    "basic: as a bearer token",
    post("/basic", EVENT, [["Authorization", `Bearer ${SECRET}`]]),
    401,
    "wrong-credentials",
  ),
  row(
    "basic: twice, the first right",
    post("/basic", EVENT, [
      ["Authorization", `Basic ${Buffer.from(`hook:${SECRET}`).toString("base64")}`],
      ["Authorization", "Basic eA=="],
    ]),
    401,
    "several-credentials",
  ),
  row(
    "credentials before everything in the body",
    post("/query?secret=wrong", '{"__proto__":1}'),
    401,
    "wrong-credentials",
  ),
  row("no secret, and an abyss", post("/query", nested(100)), 401, "no-credentials"),
  row("the right secret, and an abyss", post(`/query?secret=${SECRET}`, nested(100)), 200, "unrecognised"),
];

const ADDRESSES: readonly Row[] = [
  row("an address on the list", post("/local-only"), 200, "inbound"),
  row("an address off the list", post("/far-only"), 403, "address-not-allowed"),
  row("no proxy: a forged address", forwarded("/far-only", "203.0.113.9"), 403, "address-not-allowed"),
  row(
    "no proxy: a forged address takes nothing away",
    forwarded("/local-only", "198.51.100.1"),
    200,
    "inbound",
  ),
  row(
    "no proxy: other forged headers",
    post("/far-only", EVENT, [
      ["X-Real-IP", "203.0.113.9"],
      ["Forwarded", "for=203.0.113.9"],
      ["Client-IP", "203.0.113.9"],
    ]),
    403,
    "address-not-allowed",
  ),
  row("one proxy: right", forwarded("/one-proxy", "203.0.113.9"), 200, "inbound"),
  row("one proxy: right, with a port", forwarded("/one-proxy", "203.0.113.9:4711"), 200, "inbound"),
  row(
    "one proxy: IPv6 with brackets and port",
    forwarded("/one-proxy", "[2001:db8::7]:4711"),
    200,
    "inbound",
  ),
  row("one proxy: IPv4 written as IPv6", forwarded("/one-proxy", "::ffff:203.0.113.9"), 200, "inbound"),
  row(
    "one proxy: forged in front",
    forwarded("/one-proxy", "203.0.113.9, 198.51.100.1"),
    403,
    "address-not-allowed",
  ),
  row(
    "one proxy: forged in a header of its own",
    forwarded("/one-proxy", "203.0.113.9", "198.51.100.1"),
    403,
    "address-not-allowed",
  ),
  row("one proxy: nothing forwarded", post("/one-proxy"), 403, "address-unknown"),
  row("one proxy: no address", forwarded("/one-proxy", "unknown"), 403, "address-unknown"),
  row("one proxy: octal digits", forwarded("/one-proxy", "0313.0.113.9"), 403, "address-unknown"),
  row("one proxy: a comma behind", forwarded("/one-proxy", "203.0.113.9,"), 403, "address-unknown"),
  row("two proxies: right", forwarded("/two-proxies", "203.0.113.9, 10.0.0.1"), 200, "inbound"),
  row(
    "two proxies: right over two headers",
    forwarded("/two-proxies", "203.0.113.9", "10.0.0.1"),
    200,
    "inbound",
  ),
  row(
    "two proxies: forged in front",
    forwarded("/two-proxies", "203.0.113.9, 198.51.100.1, 10.0.0.1"),
    403,
    "address-not-allowed",
  ),
  row("two proxies: one entry only", forwarded("/two-proxies", "203.0.113.9"), 403, "address-unknown"),
  row(
    "two proxies: forged past the inner one",
    forwarded("/two-proxies", "203.0.113.9, , 10.0.0.1"),
    403,
    "address-unknown",
  ),
];

const half = EVENT.slice(0, 40);
const announced = bare("/open", [JSON_TYPE, ["Content-Length", String(EVENT.length)]], half);

const CONNECTIONS: readonly Row[] = [
  row("a header of 20 KB", post("/open", EVENT, [["X-Big", "x".repeat(20_000)]]), 431, []),
  row("an address of 20 KB", post(`/open?${"x".repeat(20_000)}`), 431, []),
  row(
    "2,100 headers",
    post(
      "/open",
      EVENT,
      Array.from({ length: 2_100 }, () => ["A", ""] as const),
    ),
    200,
    "inbound",
  ),
  row("two lengths that differ", post("/open", EVENT, [["Content-Length", "5"]]), 400, []),
  row("two lengths that agree", post("/open", EVENT, [["Content-Length", String(EVENT.length)]]), 400, []),
  row(
    "two lengths in one header",
    bare("/open", [JSON_TYPE, ["Content-Length", `${EVENT.length}, ${EVENT.length}`]], EVENT),
    400,
    [],
  ),
  row("length and chunks", chunked("/open", `${chunk(EVENT)}0\r\n\r\n`, [["Content-Length", "5"]]), 400, []),
  row(
    "chunks under a strange name",
    bare("/open", [JSON_TYPE, ["Transfer-Encoding", "xchunked"]], EVENT),
    400,
    "aborted",
  ),
  row(
    "chunks with something packed around",
    bare("/open", [JSON_TYPE, ["Transfer-Encoding", "chunked, gzip"]], EVENT),
    400,
    [],
  ),
  row("a chunk with a wrong size", chunked("/open", "zz\r\n{}\r\n0\r\n\r\n"), 400, "aborted"),
  row("a chunk that is longer than it says", chunked("/open", "1\r\n{}\r\n0\r\n\r\n"), 400, "aborted"),
  row("a chunk of 2^64 bytes", chunked("/open", "10000000000000000\r\n{}"), 400, "aborted"),
  row("a folded header", post("/open", EVENT, [["X-Fold", "a\r\n b"]]), 400, []),
  row("a folded secret", post("/header", EVENT, [["X-Webhook-Secret", `${SECRET}\r\n x`]]), 400, []),
  row("a space before the colon", post("/header", EVENT, [["X-Webhook-Secret ", SECRET]]), 400, []),
  row("a header without a name", post("/open", EVENT, [["", "x"]]), 400, []),
  row("a NUL in a header", post("/open", EVENT, [["X", "a\0b"]]), 400, []),
  row("no host", post("/open").replace("Host: x\r\n", ""), 400, []),
  row("HTTP/1.0", post("/open").replace("HTTP/1.1", "HTTP/1.0"), 200, "inbound"),
  row("a version that does not exist", post("/open").replace("HTTP/1.1", "HTTP/9.9"), 400, []),
  row("the greeting of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, []),
  row("the greeting of TLS", Buffer.from("160301020001000001fc0303", "hex"), 400, [], {
    sending: { end: true },
  }),
  row("noise", Buffer.from(Array.from({ length: 512 }, (_unused, at) => (at * 151) & 255)), 400, []),
  row("bare line feeds", post("/open").replaceAll("\r\n", "\n"), 400, []),
  row("less than announced, and silence", announced.replace("/open", "/slow"), 408, "slow-body"),
  row(
    "nothing of what was announced",
    bare("/slow", [JSON_TYPE, ["Content-Length", "20"]]),
    408,
    "slow-body",
  ),
  row(
    "byte by byte, without end",
    bare("/slow", [JSON_TYPE, ["Content-Length", "2000"]], "{"),
    408,
    "slow-body",
    { sending: { trickle: " ".repeat(1_900) } },
  ),
  row("chunk by chunk, without end", chunked("/slow", "1\r\n{\r\n"), 408, "slow-body", {
    sending: { trickle: "1\r\n \r\n".repeat(300) },
  }),
  row("less than announced, then the end", announced, 400, "aborted", { sending: { end: true } }),
  row("less than announced, then a broken connection", announced, [], "aborted", { cut: true }),
  row("chunks, then a broken connection", chunked("/open", chunk(half)), [], "aborted", { cut: true }),
  row(
    "a wrong secret, then a broken connection",
    bare("/query?secret=wrong", [JSON_TYPE, ["Content-Length", "2000"]], half),
    401,
    "wrong-credentials",
  ),
  // Node.js ends the connection before the first answer is out: the event will come again as a copy.
  row("more than announced", `${post("/open")}garbage\r\n\r\n`, 400, "inbound"),
  row(
    "announced so that JSON is cut",
    bare("/open", [JSON_TYPE, ["Content-Length", "40"]], EVENT),
    400,
    "not-json",
  ),
  row("byte by byte", post("/open"), 200, "inbound", { sending: { split: true } }),
  row(
    "three requests at once",
    post("/open") + post("/status", json(STATUS)) + post("/open", "[]"),
    [200, 200, 200],
    ["inbound", "status", "unrecognised"],
  ),
  row(
    "refused and good at once",
    post("/query?secret=wrong") + post("/open"),
    [401, 200],
    ["wrong-credentials", "inbound"],
  ),
  row("a request in the body of a refused one", post("/query", post("/open")), 401, "no-credentials"),
  row("a request in the body of a good one", post("/open", post("/open")), 400, "not-json"),
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
