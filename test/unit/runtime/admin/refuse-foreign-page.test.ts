import assert from "node:assert/strict";
import { refuseForeignPage } from "../../../../lib/runtime/admin/refuse-foreign-page";

type Headers = Readonly<Record<string, string | readonly string[]>>;

/** Calls a route with these headers. @param trusted address of a proxy that the settings of Node-RED trust */
function call(headers: Headers, trusted = ""): number | "passed" {
  const results: (number | "passed")[] = [];
  const handler = refuseForeignPage({ log: { warn: () => {} } } as never);
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
  return results[0] as number | "passed";
}

type Row = readonly [
  name: string,
  host: string | undefined,
  origin?: string | readonly string[] | undefined,
  site?: string | readonly string[],
];

const PASSED: readonly Row[] = [
  ["a program that is no browser", "localhost:1880"],
  ["the editor", "localhost:1880", "http://localhost:1880", "same-origin"],
  ["the editor, in a browser that does not send Sec-Fetch-Site", "red:1880", "http://red:1880"],
  ["the editor under a name in capitals", "Red.LAN", "http://red.lan"],
  ["the editor at an IPv6 address", "[fd00::7]:1880", "http://[fd00::7]:1880"],
  ["the editor behind a proxy that says the usual port", "red.example:443", "https://red.example"],
  ["the editor behind a proxy that leaves out the port", "red.example", "http://red.example:8080"],
  ["the editor behind a proxy with another Host", "127.0.0.1:1880", "https://red.example", "same-origin"],
  ["a GET of the editor", "red.example", undefined, "same-origin"],
  ["a typed address", "red.example", undefined, "none"],
  ["a GET of the same site", "red.example", undefined, "same-site"],
];

const REFUSED: readonly Row[] = [
  ["a foreign page", "localhost:1880", "https://evil.example", "cross-site"],
  ["a foreign page in a browser that does not send Sec-Fetch-Site", "red", "http://evil.example"],
  ["a foreign page's link, picture or form by GET", "localhost:1880", undefined, "cross-site"],
  ["a foreign page that sends no Origin of its own", "localhost:1880", "null"],
  ["an empty Origin", "localhost:1880", ""],
  ["a program at another port", "localhost:1880", "http://localhost:3000"],
  ["a program at another port of the same site", "localhost:1880", "http://localhost:3000", "same-site"],
  ["a name that begins alike", "red.example", "https://red.example.evil.example"],
  ["a name below", "red.example", "https://evil.red.example"],
  ["a name with the host as its user", "red.example", "https://red.example@evil.example"],
  ["an extension", "red.example", "chrome-extension://red.example"],
  ["a value that is none", "red.example", undefined, "odd"],
  ["two values", "red.example", undefined, ["same-origin", "cross-site"]],
  ["two origins", "red.example", ["https://red.example", "https://evil.example"]],
  ["a call without a host", undefined, "https://evil.example"],
];

describe("pages at the admin routes", () => {
  it("refuses pages unless host and origin match the editor", () => {
    for (const [rows, result] of [
      [PASSED, "passed"],
      [REFUSED, 403],
    ] as const) {
      for (const [name, host, origin, site] of rows) {
        const headers = { host, origin, "sec-fetch-site": site };
        const given = Object.entries(headers).filter(([, value]) => value !== undefined);
        assert.equal(call(Object.fromEntries(given) as Headers), result, name);
      }
    }
  });

  it("reads X-Forwarded-Host only from a proxy that settings trust", () => {
    const behind = {
      host: "127.0.0.1:1880",
      "x-forwarded-host": "red.example, inner",
      origin: "http://red.example",
    };
    assert.equal(call(behind, "10.0.0.2"), "passed");
    assert.equal(call({ ...behind, origin: "http://evil.example" }, "10.0.0.2"), 403);
    for (const trusted of ["", "10.0.0.3"]) {
      const page = { host: "red:1880", "x-forwarded-host": "evil.example", origin: "http://evil.example" };
      assert.equal(call(page, trusted), 403);
    }
  });
});
