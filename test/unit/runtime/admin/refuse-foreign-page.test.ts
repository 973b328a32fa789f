import assert from "node:assert/strict";
import { refuseForeignPage } from "../../../../lib/runtime/admin/refuse-foreign-page";

type Headers = Readonly<Record<string, string | readonly string[]>>;

interface Called {
  readonly result: "passed" | number;
  readonly warnings: readonly string[];
}

/** Calls a route with these headers. @param trusted address of a proxy that the settings of Node-RED trust */
function call(headers: Headers, trusted = ""): Called {
  const warnings: string[] = [];
  const results: (number | "passed")[] = [];
  const handler = refuseForeignPage({ log: { warn: (text: string) => warnings.push(text) } } as never);
  const headersDistinct = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat()]),
  );
  const request = {
    headersDistinct,
    app: { get: (name: string) => (name === "trust proxy fn" ? (from: string) => from === trusted : null) },
    socket: { remoteAddress: "10.0.0.2" },
  };
  const response = { status: (code: number) => ({ end: () => results.push(code) }) };
  handler(request as never, response, () => results.push("passed"));
  assert.equal(results.length, 1);
  return { result: results[0] as Called["result"], warnings };
}

const PASSED: Readonly<Record<string, Headers>> = {
  "a program that is no browser": { host: "localhost:1880" },
  "the editor": { host: "localhost:1880", origin: "http://localhost:1880", "sec-fetch-site": "same-origin" },
  "the editor, in a browser that does not send Sec-Fetch-Site": {
    host: "red:1880",
    origin: "http://red:1880",
  },
  "the editor under a name in capitals": { host: "Red.LAN", origin: "http://red.lan" },
  "the editor at an IPv6 address": { host: "[fd00::7]:1880", origin: "http://[fd00::7]:1880" },
  "the editor behind a proxy that says the usual port": {
    host: "red.example:443",
    origin: "https://red.example",
  },
  "the editor behind a proxy that leaves out the port": {
    host: "red.example",
    origin: "http://red.example:8080",
  },
  "the editor behind a proxy with another Host, by https": {
    host: "127.0.0.1:1880",
    origin: "https://red.example",
    "sec-fetch-site": "same-origin",
  },
  "a GET of the editor": { host: "red.example", "sec-fetch-site": "same-origin" },
  "a typed address": { host: "red.example", "sec-fetch-site": "none" },
  "a GET of the same site": { host: "red.example", "sec-fetch-site": "same-site" },
};

const REFUSED: Readonly<Record<string, Headers>> = {
  "a foreign page": {
    host: "localhost:1880",
    origin: "https://evil.example",
    "sec-fetch-site": "cross-site",
  },
  "a foreign page in a browser that does not send Sec-Fetch-Site": {
    host: "red",
    origin: "http://evil.example",
  },
  "a foreign page's link, picture or form by GET": { host: "localhost:1880", "sec-fetch-site": "cross-site" },
  "a foreign page that sends no Origin of its own": { host: "localhost:1880", origin: "null" },
  "an empty Origin": { host: "localhost:1880", origin: "" },
  "a program at another port": { host: "localhost:1880", origin: "http://localhost:3000" },
  "a program at another port, which the browser calls the same site": {
    host: "localhost:1880",
    origin: "http://localhost:3000",
    "sec-fetch-site": "same-site",
  },
  "a name that begins alike": { host: "red.example", origin: "https://red.example.evil.example" },
  "a name below": { host: "red.example", origin: "https://evil.red.example" },
  "a name with the host as its user": { host: "red.example", origin: "https://red.example@evil.example" },
  "an extension": { host: "red.example", origin: "chrome-extension://red.example" },
  "a value that is none": { host: "red.example", "sec-fetch-site": "odd" },
  "two values": { host: "red.example", "sec-fetch-site": ["same-origin", "cross-site"] },
  "two origins": { host: "red.example", origin: ["https://red.example", "https://evil.example"] },
  "a call without a host": { origin: "https://evil.example" },
};

describe("pages at the admin routes", () => {
  for (const [name, headers] of Object.entries(PASSED)) {
    it(`let ${name} pass`, () => {
      assert.equal(call(headers).result, "passed");
    });
  }

  for (const [name, headers] of Object.entries(REFUSED)) {
    it(`refuse ${name}`, () => {
      assert.equal(call(headers).result, 403);
    });
  }

  it("take X-Forwarded-Host from a proxy that the settings trust, never from a page, which can write it too", () => {
    const behind = {
      host: "127.0.0.1:1880",
      "x-forwarded-host": "red.example, inner",
      origin: "http://red.example",
    };
    assert.equal(call(behind, "10.0.0.2").result, "passed");
    assert.equal(call({ ...behind, origin: "http://evil.example" }, "10.0.0.2").result, 403);
    for (const trusted of ["", "10.0.0.3"]) {
      const page = { host: "red:1880", "x-forwarded-host": "evil.example", origin: "http://evil.example" };
      assert.equal(call(page, trusted).result, 403);
    }
  });

  it("are named once in the log, with what to do if the page is the editor", () => {
    const page = { host: "10.0.0.9:1880", origin: "http://named.example" };
    const [warning = "", ...more] = [page, page].flatMap((headers) => call(headers).warnings);
    assert.match(warning, /http:\/\/named\.example.*10\.0\.0\.9:1880.*pass on the header Host/);
    assert.deepEqual(more, []);
  });
});
