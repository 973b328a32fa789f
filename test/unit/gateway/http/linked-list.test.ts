import assert from "node:assert/strict";
import { type ListNode, LinkedList } from "../../../../lib/gateway/http/linked-list";
import { collect, leftBySmallCollections } from "../../../support/small-collections";

const entry = (name: string) => ({ name });
const names = (entries: readonly { readonly name: string }[]): string =>
  entries.map(({ name }) => name).join("");

describe("list", () => {
  it("keeps the order of arrival when any entry is removed", () => {
    const list = new LinkedList<{ name: string }>();
    const places = new Map([..."abcde"].map((name) => [name, list.add(entry(name))]));
    const leave = (name: string): void => list.remove(places.get(name) as ListNode<{ name: string }>);
    leave("a");
    assert.equal(names(list.values()), "bcde");
    leave("e");
    leave("c");
    assert.equal(names(list.values()), "bd");
    list.add(entry("f"));
    assert.equal(names(list.values()), "bdf");
    assert.equal(list.size, 3);
    leave("d");
    leave("d");
    leave("a");
    assert.equal(names(list.values()), "bf");
    assert.equal(list.size, 2);
  });

  it("gives all of them away at once, and goes on from nothing", () => {
    const list = new LinkedList<{ name: string }>();
    const place = list.add(entry("a"));
    list.add(entry("b"));
    assert.equal(names(list.takeAll()), "ab");
    assert.equal(list.size, 0);
    list.remove(place);
    list.add(entry("c"));
    assert.equal(names(list.values()), "c");
    assert.equal(list.size, 1);
  });

  it("holds no entry that has left, even where its place is kept", () => {
    const list = new LinkedList<object>();
    const place = list.add({});
    list.remove(place);
    assert.deepEqual({ ...place }, { before: null, after: null, value: null });
  });

  // A Set fails here: what passed through it stays until the next collection of everything.
  it("lets small collections clear what passed, for as long as things pass", async () => {
    const list = new LinkedList<object>();
    const places: ListNode<object>[] = [];
    const pass = (rounds: number): void => {
      for (let at = 0; at < rounds * 100; at++) {
        places.push(list.add({ kilobytes: new Array(256).fill(at) }));
        if (places.length > 32) {
          list.remove(places.shift() as ListNode<object>);
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
