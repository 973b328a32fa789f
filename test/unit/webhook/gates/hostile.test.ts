import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { REFUSALS } from "../../../../lib/webhook/gates/refusals";
import { type Ending, GateServer } from "./gate-server";
import {
  bare,
  basicHeader,
  chunk,
  chunked,
  ENDPOINTS,
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
import { MESSAGE, REPORT, STATUS } from "../sample-events";
import { type Sending, sendRaw, type WireAnswer, waitForQuick } from "../raw-connection";

type More = Partial<Pick<Sending, "trickle" | "split" | "end">>;

interface Row {
  readonly name: string;
  readonly bytes: string;
  /** Status of each answer, in order; none where the connection ends without. */
  readonly statuses: readonly number[];
  /** What became of each request that reached the gates. */
  readonly endings: readonly Ending[];
  readonly more: More;
}

/** Requests that end in the same way, by name. */
const rows = (
  statuses: number | readonly number[],
  endings: Ending | readonly Ending[],
  requests: Readonly<Record<string, string>>,
  more: More = {},
): Row[] =>
  Object.entries(requests).map(([name, bytes]) => ({
    name,
    bytes,
    statuses: [statuses].flat(),
    endings: [endings].flat(),
    more,
  }));

const right = `secret=${SECRET}`;
const quoted = encodeURIComponent(SECOND);
/** An event with this query. */
const asked = (query: string): string => post(`/query?${query}`);
const half = EVENT.slice(0, 40);
const gzipBomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, "["), { level: 9 }).subarray(0, LIMIT);

const ROWS: readonly Row[] = [
  ...rows(200, "inbound", {
    "as large as allowed, declared": post("/open", sized(LIMIT)),
    "as large as allowed, in chunks": chunked("/open", `${chunk(sized(LIMIT))}0\r\n\r\n`),
    "the right secret": asked(right),
    "the right secret among others": asked(`a=1&${right}&b`),
    "the second secret, with signs": asked(`secret=${quoted}`),
    "header: right": withSecret(SECRET),
    "header: the second, in UTF-8": withSecret(latin1(SECOND)),
    "basic: right": withBasic(`hook:${SECRET}`),
    "basic: a colon in the password, UTF-8": withBasic("hook:pass:word é"),
    "an address on the list": post("/local-only"),
    "no proxy: a forged address takes nothing away": forwarded("/local-only", "198.51.100.1"),
    "one proxy: right": forwarded("/one-proxy", "203.0.113.9"),
    identity: packed("Identity"),
    "JSON in capitals": typed('APPLICATION/JSON; CHARSET="utf-8"'),
    "JSON without a character set": typed("application/json"),
    "a byte order mark": post("/open", `\xef\xbb\xbf${EVENT}`),
  }),
  ...rows(413, "too-large", {
    "one byte larger, declared": post("/open", sized(LIMIT + 1)),
    "one byte larger, in chunks": chunked("/open", `${chunk(sized(LIMIT + 1))}0\r\n\r\n`),
    "chunks without an end": chunked("/open", chunk("x".repeat(64)).repeat(200)),
    "ten GB declared and not sent": sayingLength(10_000_000_000),
  }),
  ...rows(401, "no-credentials", {
    "no secret": post("/query"),
    "an empty secret": asked("secret="),
    "the secret in a header instead": post("/query", EVENT, `X-Webhook-Secret: ${SECRET}`),
    "header: empty": withSecret(""),
    "header: in the address instead": post(`/header?${right}`),
    "basic: missing": post("/basic"),
  }),
  ...rows(401, "wrong-credentials", {
    "a wrong secret": asked("secret=wrong"),
    "half a secret": asked(right.slice(0, -1)),
    "a NUL behind the secret": asked(`${right}%00`),
    "broken escapes": asked("secret=%zz"),
    "header: joined by a comma": withSecret(`${SECRET}, ${SECRET}`),
    "basic: wrong password": withBasic("hook:wrong"),
    "basic: empty password": withBasic("hook:"),
    "basic: wrong user": withBasic(`root:${SECRET}`),
    "basic: as a bearer token": post("/basic", EVENT, `Authorization: Bearer ${SECRET}`),
  }),
  ...rows(401, "several-credentials", {
    "right, then wrong": asked(`${right}&secret=wrong`),
    "the secret as a list": asked(`secret[]=${SECRET}`),
    "the secret under an escaped name": asked(`s%65cret=${SECRET}`),
    "header: twice": post("/header", EVENT, `X-Webhook-Secret: ${SECRET}`, `x-webhook-secret: ${SECRET}`),
    "basic: twice": post("/basic", EVENT, basicHeader(`hook:${SECRET}`), "Authorization: Basic eA=="),
  }),
  ...rows(401, "no-secret-set", { "no secret set, and none given": post("/unset?secret=") }),
  ...rows(403, "address-not-allowed", {
    "an address off the list": post("/far-only"),
    "no proxy: a forged address": forwarded("/far-only", "203.0.113.9"),
    "one proxy: forged in front": forwarded("/one-proxy", "203.0.113.9, 198.51.100.1"),
  }),
  ...rows(403, "address-unknown", { "one proxy: nothing forwarded": post("/one-proxy") }),
  ...rows(415, "encoding", {
    "gzip bomb": packed("gzip", gzipBomb),
    "identity and gzip": packed("identity, gzip"),
  }),
  ...rows(415, "content-type", {
    "no content type": bare("POST /open", [`Content-Length: ${EVENT.length}`], EVENT),
    "text/plain, which browsers send without asking": typed("text/plain"),
    "a type that only begins like JSON": typed("application/json-seq"),
    "two types in one": typed("application/json, text/html"),
  }),
  ...rows(415, "charset", { "Latin-1 by declaration": typed("application/json; charset=iso-8859-1") }),
  ...rows(400, "empty", {
    "no body at all": bare("POST /open", [JSON_TYPE]),
    "no chunks": chunked("/open", "0\r\n\r\n"),
  }),
  ...rows(400, "not-utf8", { "cut within a character": post("/open", '{"content":"\xf0\x9f\x91"}') }),
  ...rows(400, "not-json", {
    "JSON cut off": post("/open", EVENT.slice(0, -1)),
    "100,000 levels that are not closed": post("/large", "[".repeat(100_000)),
    "a request in the body of a good one": post("/open", post("/open")),
  }),
  // Acknowledged, or it would be delivered again without end.
  ...rows(200, "unrecognised", {
    "100,000 levels": post("/large", nested(100_000)),
    ["__proto__"]: post("/open", '{"__proto__":{"polluted":1}}'),
    "a list of good events": post("/open", json([MESSAGE, MESSAGE])),
    "a message where a status is taken": post("/status", json(MESSAGE)),
  }),
  ...rows(200, "status", { "a good status": post("/status", json(STATUS)) }),
  ...rows(200, "report", { "a good report": post("/status", json(REPORT)) }),
  ...rows([100, 413], "too-large", {
    "too large, and wait for the word to go on": bare("POST /open", [
      JSON_TYPE,
      "Content-Length: 99999",
      "Expect: 100-continue",
    ]),
  }),
  ...rows(400, [], {
    "length and chunks": chunked("/open", `${chunk(EVENT)}0\r\n\r\n`, "Content-Length: 5"),
  }),
  ...rows(400, "aborted", { "a chunk with a wrong size": chunked("/open", "zz\r\n{}\r\n0\r\n\r\n") }),
  ...rows(400, "aborted", { "less than announced": sayingLength(EVENT.length, half) }, { end: true }),
  ...rows(408, "slow-body", { "nothing of what was announced": sayingLength(20, "", "/slow") }),
  ...rows(
    408,
    "slow-body",
    { "byte by byte, without end": sayingLength(2000, "{", "/slow") },
    { trickle: " ".repeat(1_900) },
  ),
  ...rows(200, "inbound", { "byte by byte": post("/open") }, { split: true }),
  ...rows([401, 200], ["wrong-credentials", "inbound"], {
    "refused and good at once": post("/query?secret=wrong") + post("/open"),
  }),
  ...rows(401, "no-credentials", {
    "a request in the body of a refused one": post("/query", post("/open")),
  }),
];

const isRefusal = (ending: string): ending is keyof typeof REFUSALS => ending in REFUSALS;

/** Every answer that is ours is JSON of the promised form; Node.js's own have no body. */
function checkForm({ status, headers, body }: WireAnswer): void {
  if (headers["content-type"] === undefined) {
    assert.equal(body, "");
    return;
  }
  assert.equal(headers["content-type"], "application/json");
  const value = JSON.parse(body);
  if (status === 200) {
    assert.deepEqual(value, { statusCode: 2000, statusMessage: "OK" });
  } else {
    assert.deepEqual(Object.keys(value), ["error"]);
    assert.match(value.error, /^[A-Z][^<>]+\.$/);
  }
}

describe("hostile requests", () => {
  let server: GateServer;

  before(async () => {
    server = await GateServer.start(ENDPOINTS);
  });
  after(() => server.stop());

  for (const { name, bytes, statuses, endings, more } of ROWS) {
    it(`${name} → ${statuses.join(", ")}`, async () => {
      server.clear();
      const { answers } = await sendRaw(server.port, { bytes, answers: statuses.length, ...more });
      await waitForQuick(
        () => `${endings}, not ${server.endings}`,
        () => server.endings.length >= endings.length,
      );
      const got = answers.map(({ status }) => status);
      assert.deepEqual([got, server.endings], [statuses, endings]);
      assert.equal(server.emitted.length, endings.filter((ending) => !isRefusal(ending)).length);
      for (const answer of answers.filter(({ status }) => status >= 200)) {
        checkForm(answer);
      }
      assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
    });
  }
});
