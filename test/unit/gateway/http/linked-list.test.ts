import assert from "node:assert/strict";
import { type ListNode, LinkedList } from "../../../../lib/gateway/http/linked-list";

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
    const [, place] = [list.add({}), list.add({}), list.add({})] as const;
    list.remove(place);
    assert.deepEqual({ ...place }, { before: null, after: null, value: null });
  });
});
