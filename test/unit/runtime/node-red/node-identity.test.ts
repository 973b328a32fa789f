import assert from "node:assert/strict";
import { getIdentity } from "../../../../lib/runtime/node-red/node-identity";

describe("the identity of a node", () => {
  it("is its id, whatever tab it is on", () => {
    assert.equal(getIdentity({ id: "n1", _path: "tab/n1" }), "n1");
    assert.equal(getIdentity({ id: "n1", _path: "other/n1" }), "n1");
    assert.equal(getIdentity({ id: "n1" }), "n1");
  });

  it("is its path in a subflow, where each deploy gives it another id", () => {
    assert.equal(
      getIdentity({ id: "x17", _alias: "inner", _path: "tab/instance/inner" }),
      "tab/instance/inner",
    );
  });
});
