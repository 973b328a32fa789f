import assert from "node:assert/strict";
import { findPathFormFault, pathKey, urlPath } from "../../../../lib/shared/network/webhook-path";

describe("paths of webhooks", () => {
  const ADDRESSES: readonly [typed: string, inAddress: string][] = [
    ["/messaging/a1", "/messaging/a1"],
    ["hooks//sms/", "/hooks/sms"],
    ["/hooks/grüße an uns", "/hooks/gr%C3%BC%C3%9Fe%20an%20uns"],
    ["/hooks/gr%c3%bc%C3%9fe%20an uns", "/hooks/gr%C3%BC%C3%9Fe%20an%20uns"],
    ["/a%2Bb", "/a+b"],
    ["/a%2fb", "/a%2Fb"],
    ["/100%", "/100%25"],
    ["/100%25", "/100%25"],
    ["/你好/🎉", "/%E4%BD%A0%E5%A5%BD/%F0%9F%8E%89"],
    ["", ""],
  ];
  for (const [typed, inAddress] of ADDRESSES) {
    it(`${JSON.stringify(typed)} stands in an address as ${inAddress}`, () => {
      assert.equal(urlPath(typed), inAddress);
      assert.equal(urlPath(inAddress), inAddress, "and stays so");
      // What the address parser of browsers and Node.js makes of it is what gets called.
      assert.equal(new URL(`http://x${inAddress || "/"}`).pathname, inAddress || "/");
    });
  }

  const PAIRS: readonly [one: string, other: string, same: boolean][] = [
    ["/hooks/a", "/Hooks/A/", true],
    ["/hooks/grüße", "/HOOKS/gr%c3%bc%C3%9Fe", true],
    ["/hooks/a b", "/hooks/a%20b", true],
    ["/hooks/a b", "/hooks/a+b", false],
    ["/hooks/a/b", "/hooks/a%2Fb", false],
    ["/hooks/a%2Fb", "/hooks/a%2fb", true],
    ["/a+b", "/a%2bb", true],
    ["/100%", "/100%25", true],
    ["/100%", "/100", false],
    // Express compares escaped letters, whose case it does not see.
    ["/hooks/Ü", "/hooks/ü", false],
  ];
  for (const [one, other, same] of PAIRS) {
    it(`${one} and ${other} are ${same ? "one path" : "two paths"}`, () => {
      assert.equal(pathKey(one) === pathKey(other), same);
    });
  }

  const FAULTS: readonly [typed: string, fault: string | null][] = [
    ["/hooks/grüße an uns", null],
    ["/a%3Fb", null],
    ["${HOOK}", null],
    ["/a?b", "path"],
    ["/a#b", "path"],
    ["\\a", "path"],
    ["/a\u00a0b", "path"],
    ["/a%0Ab", "path"],
    ["/a/../b", "path-dots"],
    ["/a/%2e%2E/b", "path-dots"],
    ["./a", "path-dots"],
  ];
  for (const [typed, fault] of FAULTS) {
    it(`${JSON.stringify(typed)} ${fault === null ? "can be called" : `is refused: ${fault}`}`, () => {
      assert.equal(findPathFormFault(typed), fault);
    });
  }
});
