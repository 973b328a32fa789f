import assert from "node:assert/strict";
import { GatewayClient } from "../../../../lib/gateway/client/gateway-client";
import { parseServiceAddress } from "../../../../lib/gateway/http/service-address";
import { REAL_TIMING } from "../../../../lib/gateway/http/timing";
import { SetupError } from "../../../../lib/shared/messaging-error";
import { settingsFor } from "../../../support/gateway/gateway-settings";

const parse = (typed: string) => parseServiceAddress("service", typed);

describe("gateway service address", () => {
  const good: readonly [typed: string, origin: string, basePath: string, loopback: boolean][] = [
    ["https://api.example.com", "https://api.example.com", "", false],
    ["  https://API.Example.com/ ", "https://api.example.com", "", false],
    ["https://api.example.com:443/", "https://api.example.com", "", false],
    ["https://api.example.com:8443/a/b//", "https://api.example.com:8443", "/a/b", false],
    ["https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443", "", false],
    ["http://127.0.0.1:1880/x", "http://127.0.0.1:1880", "/x", true],
    ["http://127.8.9.1", "http://127.8.9.1", "", true],
    ["http://localhost", "http://localhost", "", true],
    ["http://0x7f.1", "http://127.0.0.1", "", true],
    ["https://a.localhost", "https://a.localhost", "", false],
    ["http://[::1]:80", "http://[::1]", "", true],
    ["https://localhost", "https://localhost", "", true],
  ];
  for (const [typed, origin, basePath, loopback] of good) {
    it(`takes ${JSON.stringify(typed)}`, () => {
      const address = parse(typed);
      assert.deepEqual([address.origin, address.basePath, address.loopback], [origin, basePath, loopback]);
      assert.equal(address.host, new URL(origin).host);
    });
  }

  const unencrypted = `
    http://api.example.com http://10.0.0.1 http://0.0.0.0 http://127.0.0.1.example.com
    http://localhost.example.com http://mylocalhost http://[::2] http://[::ffff:127.0.0.1]
    http://[::ffff:7f00:1] http://[::] http://0 http://2130706432.example.com http://127.0.0.1.localhost
    http://a.LOCALHOST http://api.localhost:8080/x http://localhost. http://localhost.localdomain
    HTTP://api.example.com
  `;
  it("refuses plain http, except on this computer", () => {
    for (const typed of unencrypted.trim().split(/\s+/)) {
      assert.throws(() => parse(typed), { code: "INSECURE_ADDRESS", message: /https/ }, typed);
    }
  });

  const faulty = `
    api.example.com //api.example.com ftp://api.example.com https:// https:api.example.com https://a:99999
    https://api.example.com/?x=1 https://api.example.com/#x javascript:alert(1)
  `;
  for (const typed of ["", "  ", "https://a b", ...faulty.trim().split(/\s+/)]) {
    it(`refuses ${JSON.stringify(typed)}`, () =>
      assert.throws(() => parse(typed), { code: "BAD_ADDRESS", message: /^The service address / }));
  }

  it("refuses credentials in an address without repeating them", () => {
    for (const typed of [
      "https://user:s3cret@api.example.com",
      "https://s3cret@api.example.com",
      "https://:s3cret@a",
    ]) {
      assert.throws(
        () => parse(typed),
        (error: Error) => error instanceof SetupError && !error.message.includes("s3cret"),
      );
    }
  });

  it("names the wrong one of two addresses", () => {
    const make = (serviceAddress: string, tokenAddress: string) => () =>
      new GatewayClient(settingsFor(serviceAddress, { tokenAddress }), REAL_TIMING);
    assert.throws(make("x", "https://a"), /^SetupError: The service address|^The service address/);
    assert.throws(make("https://a", "x"), { message: /^The token address/ });
    assert.throws(make("https://a", "http://a"), { code: "INSECURE_ADDRESS" });
    assert.throws(make("https://a", "http://a.localhost"), { code: "INSECURE_ADDRESS" });
  });

  it("refuses only paths that cannot be part of a request", () => {
    const make = (path: string) => () =>
      new GatewayClient(settingsFor("https://a", { paths: { rcs: path } }), REAL_TIMING);
    for (const path of ["/a b", "/a?b=c", "/a#b", "/a/{recipient}", "/ä", "/a\nb", "/a\\b"]) {
      assert.throws(make(path), { code: "BAD_PATH", message: /rcs/ }, path);
    }
    for (const path of ["", "  ", "/a/b-c_d.e~f", "a", "/a%20b", " /a "]) {
      make(path)();
    }
  });
});
