import assert from "node:assert/strict";
import { isLocalAddress } from "../../../../lib/editor/webhook/local-address";

describe("editor: addresses that the service cannot reach", () => {
  for (const host of [
    ...["localhost", "LOCALHOST:1880", "localhost.", "node-red.localhost", "[::1]:1880"],
    ...["127.0.0.1:1880", "127.1", "2130706433", "0.0.0.0"],
    ...["10.1.2.3", "192.168.0.10", "172.16.0.1", "172.31.255.255", "[::ffff:192.168.0.10]"],
    ...["169.254.10.20", "100.64.0.1", "[fe80::1]", "[fd12:3456::1]"],
  ]) {
    it(`${host} is one`, () => {
      assert.equal(isLocalAddress(`http://${host}/messaging/in?secret=x`), true);
      assert.equal(isLocalAddress(`https://${host}`), true);
    });
  }

  for (const host of [
    ...["api.example.com", "localhost.example.com", "mylocalhost", "127.example.com"],
    ...["127.0.0.1.example.com", "10.example.com", "192.168.example.com"],
    ...["172.32.0.1", "172.15.0.1", "192.169.0.1", "[2001:db8::1]"],
  ]) {
    it(`${host} is none`, () => assert.equal(isLocalAddress(`https://${host}/x`), false));
  }

  it("rejects what is not an address", () => assert.equal(isLocalAddress("localhost"), false));
});
