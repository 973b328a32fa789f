import assert from "node:assert/strict";
import { type Place, Roster } from "../../../../lib/gateway/http/linked-list";
import { collect, leftBySmallCollections } from "../../../support/small-collections";

const entry = (name: string) => ({ name });
const names = (entries: readonly { readonly name: string }[]): string =>
  entries.map(({ name }) => name).join("");

describe("roster", () => {
  it("keeps the order of coming, whoever leaves", () => {
    const roster = new Roster<{ name: string }>();
    const places = new Map([..."abcde"].map((name) => [name, roster.add(entry(name))]));
    const leave = (name: string): void => roster.remove(places.get(name) as Place<{ name: string }>);
    leave("a");
    assert.equal(names(roster.values()), "bcde");
    leave("e");
    leave("c");
    assert.equal(names(roster.values()), "bd");
    roster.add(entry("f"));
    assert.equal(names(roster.values()), "bdf");
    assert.equal(roster.size, 3);
    leave("d");
    leave("d");
    leave("a");
    assert.equal(names(roster.values()), "bf");
    assert.equal(roster.size, 2);
  });

  it("gives all of them away at once, and goes on from nothing", () => {
    const roster = new Roster<{ name: string }>();
    const place = roster.add(entry("a"));
    roster.add(entry("b"));
    assert.equal(names(roster.takeAll()), "ab");
    assert.equal(roster.size, 0);
    roster.remove(place);
    roster.add(entry("c"));
    assert.equal(names(roster.values()), "c");
    assert.equal(roster.size, 1);
  });

  it("holds no entry that has left, even where its place is kept", () => {
    const roster = new Roster<object>();
    const place = roster.add({});
    roster.remove(place);
    assert.deepEqual({ ...place }, { before: null, after: null, value: null });
  });

  // A Set fails here: what passed through it stays until the next collection of everything.
  it("lets small collections clear what passed, for as long as things pass", async () => {
    const roster = new Roster<object>();
    const places: Place<object>[] = [];
    const pass = (rounds: number): void => {
      for (let at = 0; at < rounds * 100; at++) {
        places.push(roster.add({ kilobytes: new Array(256).fill(at) }));
        if (places.length > 32) {
          roster.remove(places.shift() as Place<object>);
        }
        if (at % 100 === 99) {
          collect("the young");
        }
      }
    };
    pass(20);
    const left = await leftBySmallCollections(() => pass(40));
    // 4,000 entries passed, of 2 KB each; 33 of them are here.
    assert.ok(left < 1_000_000, `${left} bytes were left`);
  });
});
