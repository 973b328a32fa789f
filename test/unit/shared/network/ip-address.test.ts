import assert from "node:assert/strict";
import { callerNetwork } from "../../../../lib/shared/network/ip-address";

describe("callerNetwork", () => {
  it("gives one caller for an address with any port, in brackets, mapped or translated", () => {
    const spellings = [
      "8.8.4.4",
      "8.8.4.4:5001",
      "8.8.4.4:5002",
      "::ffff:8.8.4.4",
      "[::ffff:8.8.4.4]:5001",
      "::ffff:0:8.8.4.4",
      "64:ff9b::8.8.4.4",
      "2002:808:404::1",
      "2001:0:4136:e378:8000:63bf:f7f7:fbfb",
    ];
    assert.deepEqual([...new Set(spellings.map(callerNetwork))], ["8.8.4.4"]);
  });

  it("gives one caller for an IPv6 network, with and without brackets and port", () => {
    const spellings = ["2001:db8::1", "2001:db8::2:3", "[2001:db8::1]", "[2001:db8::4]:443"];
    assert.deepEqual([...new Set(spellings.map(callerNetwork))], ["2001:db8::/64"]);
    assert.notEqual(callerNetwork("2001:db8:0:1::1"), callerNetwork("2001:db8::1"));
  });

  it("leaves other texts as they are", () => {
    for (const text of ["session-7", "user:5", "[a]", "1.2.3:4"]) {
      assert.equal(callerNetwork(text), text);
    }
  });
});
