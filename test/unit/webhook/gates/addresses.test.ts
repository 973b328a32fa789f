import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { SetupError } from "../../../../lib/shared/messaging-error";
import { findWrongAddress } from "../../../../lib/editor/webhook/address-entries";
import { canonicalAddress } from "../../../../lib/shared/network/ip-address";
import { AddressList } from "../../../../lib/webhook/gates/address-list";
import { clientAddress } from "../../../../lib/webhook/gates/client-address";

describe("spelling of addresses", () => {
  const CASES: readonly (readonly [string, string | null])[] = [
    ["127.0.0.1", "127.0.0.1"],
    ["::1", "::1"],
    ["2001:DB8:0:0::7", "2001:db8::7"],
    ["0:0:0:0:0:0:0:1", "::1"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["::ffff:cb00:7109", "203.0.113.9"],
    ["::fffe:203.0.113.9", "::fffe:cb00:7109"],
    ["fe80::1%eth0", "fe80::1"],
    ["::1.2.3.4", "::102:304"],
    ["::ffff:010.0.0.1", null],
    ["010.0.0.1", null],
    ["1.2.3", null],
    ["0x7f000001", null],
    ["localhost", null],
    ["", null],
    ["[::1]", null],
    ["1.2.3.4\n", null],
  ];
  for (const [typed, plain] of CASES) {
    it(`${JSON.stringify(typed)} → ${plain}`, () => assert.equal(canonicalAddress(typed), plain));
  }
});

describe("address list", () => {
  const CASES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["", ["1.2.3.4", "::1"], []],
    ["1.2.3.4,5.6.7.8;9.9.9.9\n::1\t::2", ["1.2.3.4", "5.6.7.8", "9.9.9.9", "::1", "::2"], ["::3"]],
    ["10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["9.255.255.255", "11.0.0.0"]],
    ["1.2.3.4/31", ["1.2.3.4", "1.2.3.5"], ["1.2.3.3", "1.2.3.6"]],
    ["0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::1"]],
    ["::/0", ["::1", "2001:db8::1"], ["1.2.3.4"]],
    ["2001:db8::/32", ["2001:db8:ffff::1"], ["2001:db9::"]],
    ["[2001:db8::1]", ["2001:db8::1"], ["2001:db8::2"]],
    ["fe80::/10", ["febf::1"], ["fec0::1"]],
    ["::ffff:10.0.0.1", ["10.0.0.1"], ["10.0.0.2"]],
  ];
  for (const [typed, inside, outside] of CASES) {
    it(`${JSON.stringify(typed)} allows what it names`, () => {
      assert.equal(findWrongAddress(typed), null, "the dialog");
      const list = new AddressList(typed);
      const allowed = [...inside, ...outside].filter((address) => list.allows(address));
      assert.deepEqual(allowed, inside);
    });
  }

  const WRONG = [
    ...["localhost", "https://1.2.3.4", "1.2.3", "1.2.3.*", "1.2.3.4-1.2.3.9", "01.2.3.4", "fe80::1%eth0"],
    ...["1.2.3.4/33", "::1/129", "1.2.3.4/", "1.2.3.4/-1", "1.2.3.4/a", "1.2.3.4/8/8", "/8"],
    ...["::ffff:1.2.3.4/95", "[::1", "1.2.3.4]", "::1]"],
  ];
  for (const entry of WRONG) {
    it(`names ${entry} as wrong`, () => {
      const list = `10.0.0.0/8, ${entry}, ::1`;
      const named = (error: unknown): boolean =>
        error instanceof SetupError && error.code === "BAD_SETTING" && error.message.includes(`'${entry}'`);
      assert.throws(() => new AddressList(list), named);
      assert.equal(findWrongAddress(list), entry, "the dialog");
    });
  }

  it("does not read an IPv4-compatible address as the IPv4 address", () => {
    assert.equal(new AddressList("1.2.3.4").allows("::1.2.3.4"), false);
    assert.equal(new AddressList("::/0").allows("::1.2.3.4"), true);
  });
});

describe("address of the caller", () => {
  type Row = readonly [hops: number, peer: string | undefined, header: string | undefined, ip: string];
  const CERTAIN: readonly Row[] = [
    [0, "198.51.100.1", undefined, "198.51.100.1"],
    [0, "::ffff:198.51.100.1", undefined, "198.51.100.1"],
    [0, "::1", "203.0.113.9", "::1"],
    [1, undefined, "203.0.113.9", "203.0.113.9"],
    [1, "10.0.0.1", "1.1.1.1, 203.0.113.9", "203.0.113.9"],
    [2, "10.0.0.1", "1.1.1.1,203.0.113.9", "1.1.1.1"],
    [1, "10.0.0.1", "1.1.1.1:80", "1.1.1.1"],
    [1, "10.0.0.1", "[2001:db8::7]", "2001:db8::7"],
    [1, "10.0.0.1", "[2001:db8::7]:80", "2001:db8::7"],
    [1, "10.0.0.1", "2001:db8::7", "2001:db8::7"],
  ];
  const UNCERTAIN: readonly Row[] = [
    [0, undefined, undefined, ""],
    [1, "10.0.0.1", undefined, "10.0.0.1"],
    [2, "10.0.0.1", "1.1.1.1", "10.0.0.1"],
    [2, "10.0.0.1", "1.1.1.1, , 10.0.0.1", "10.0.0.1"],
    ...["", "1.1.1.1, x", "[1.1.1.1", "1.1.1.1:80:80", '"1.1.1.1"', "1.1.1.1,"].map(
      (header): Row => [1, "10.0.0.1", header, "10.0.0.1"],
    ),
  ];
  const rows = (isCertain: boolean, of: readonly Row[]) => of.map((row) => [isCertain, ...row] as const);
  for (const [isCertain, hops, peer, header, ip] of [...rows(true, CERTAIN), ...rows(false, UNCERTAIN)]) {
    it(`${hops} proxies, ${peer} X-Forwarded-For ${JSON.stringify(header)} → ${ip || "unknown"}`, () => {
      const headers = header === undefined ? {} : { "x-forwarded-for": header };
      const req = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
      assert.deepEqual(clientAddress(req, hops), { ip, isCertain });
    });
  }
});
