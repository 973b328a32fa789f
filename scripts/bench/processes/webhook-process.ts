import { type BenchFlow, EmbeddedNodeRed } from "../embedded-node-red";
import { SECRET, SECRET_HEADER } from "../webhook-secret";
import { serve } from "../serve";

/** Who takes the events: the node of this package, or Node-RED's own nodes. */
export type ReceiverName = "core http in" | "webhook-in";

export interface ReceiverTask {
  readonly name: ReceiverName;
  readonly packages: string;
  readonly adminRoot: string | false;
}

/** The flow does the same in both cases: it sets a property of what came. */
const change = (wires: readonly (readonly string[])[]): Record<string, unknown> => ({
  id: "change",
  type: "change",
  z: "tab",
  rules: [{ t: "set", p: "taken", pt: "msg", to: "payload.content", tot: "msg" }],
  wires,
});

const FLOWS: Readonly<Record<ReceiverName, BenchFlow>> = {
  "core http in": [
    {
      id: "in",
      type: "http in",
      z: "tab",
      url: "/events",
      method: "post",
      upload: false,
      wires: [["change"]],
    },
    change([["answer"]]),
    { id: "answer", type: "http response", z: "tab", statusCode: "200", headers: {}, wires: [] },
  ],
  "webhook-in": [
    {
      id: "in",
      type: "webhook-in",
      z: "tab",
      kind: "inbound",
      path: "/events",
      auth: "header",
      headerName: SECRET_HEADER,
      acknowledge: "receipt",
      credentials: { secret: SECRET },
      wires: [["change"], ["change"]],
    },
    change([["sink"]]),
    { id: "sink", type: "bench-sink", z: "tab", wires: [] },
  ],
};

let used = process.cpuUsage();

serve({
  start: async ({ name, packages, adminRoot }: ReceiverTask): Promise<string> => {
    const nodeRed = await EmbeddedNodeRed.start(packages, adminRoot);
    await nodeRed.deploy(FLOWS[name]);
    return `${nodeRed.url}/events`;
  },
  /** µs of processor time since it was asked last. */
  cpu: (): number => {
    const { user, system } = process.cpuUsage(used);
    used = process.cpuUsage();
    return user + system;
  },
});
