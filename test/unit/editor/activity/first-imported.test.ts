import assert from "node:assert/strict";
import { firstImported } from "../../../../lib/editor/activity/first-steps/first-imported";

const NODES = [
  { id: "account", type: "messaging-account" },
  { id: "send", type: "sms-send", x: 300, y: 60, z: "tab" },
  { id: "read-me", type: "comment", x: 100, y: 60, z: "tab" },
  { id: "late", type: "inject", x: 10, y: 90, z: "tab" },
  { id: "elsewhere", type: "sms-send", x: 1, y: 1, z: "other" },
];
const add = (workspaces: readonly string[], nodes = NODES.map(({ id }) => id)) => ({
  t: "add",
  workspaces: workspaces.map((id) => ({ id })),
  nodes,
});
const first = (event: Parameters<typeof firstImported>[0]): string | undefined =>
  firstImported(
    event,
    (id) => NODES.find((node) => node.id === id),
    (type) => type === "sms-send",
  )?.id;

describe("the first node of an import", () => {
  for (const [title, event, expected] of [
    ["is the topmost one on the left of the first tab", add(["tab", "other"]), "read-me"],
    [
      "is found where the import replaced nodes",
      { t: "multi", events: [{ t: "replace" }, add(["tab"])] },
      "read-me",
    ],
    ["is none of a flow without a tab", add([]), undefined],
    ["is none of a tab without a node of this package", add(["tab"], ["read-me", "late"]), undefined],
    [
      "is none after something else",
      { t: "delete", workspaces: [{ id: "tab" }], nodes: ["send"] },
      undefined,
    ],
    ["is none of flows that were loaded", undefined, undefined],
  ] as const) {
    it(title, () => assert.equal(first(event), expected));
  }
});
