import assert from "node:assert/strict";
import { getIdentity } from "../../../../lib/runtime/node-red/node-identity";

describe("the identity of a node", () => {
  it("stays the id on any tab", () => {
    assert.equal(getIdentity({ id: "n1", _path: "tab/n1" }), "n1");
    assert.equal(getIdentity({ id: "n1", _path: "other/n1" }), "n1");
    assert.equal(getIdentity({ id: "n1" }), "n1");
  });

  it("uses the path in a subflow, where each deploy changes the id", () => {
    assert.equal(
      getIdentity({ id: "x17", _alias: "inner", _path: "tab/instance/inner" }),
      "tab/instance/inner",
    );
  });
});
