import type { Flows } from "../../test/support/node-red/admin-client";

/** A node `sender` whose account `kept` keeps its messages in this folder. */
export const keptFlow = (storeFolder: string): Flows => [
  { id: "tab", type: "tab", label: "Shop" },
  {
    id: "kept",
    type: "messaging-account",
    name: "Shop",
    service: "simulator",
    keepMessages: "computer",
    storeFolder,
  },
  {
    id: "sender",
    type: "messaging-sms-send",
    z: "tab",
    name: "Orders",
    account: "kept",
    outputs: 4,
    wires: [[], [], [], []],
  },
];
