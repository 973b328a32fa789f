import type { Node, NodeAPI, NodeMessage } from "node-red";
import { FieldError } from "../../shared/messaging-error";
import { formatNumber } from "../../texts/format-number";
import { say } from "../../texts/say";
import type { Decision, Met } from "../../webhook/acknowledgements";
import { getAcknowledgements } from "./get-acknowledgements";
import { FlowLifecycle } from "../node-red/flow-lifecycle";
import { Throttle } from "../node-red/throttle";
import { RedeployHandover } from "../node-red/redeploy-handover";

export interface AckConfig {
  /** `acknowledge`, `redeliver`, or `error`, which asks for redelivery only of messages with an error. */
  readonly answer: string;
}

const COUNTED = ["acknowledge", "redeliver", "decided", "late", "unknown"] as const;
type Counted = (typeof COUNTED)[number];

const decisionFor = (answer: string, msg: NodeMessage & { error?: unknown }): Decision =>
  answer === "redeliver" || (answer === "error" && msg.error !== undefined && msg.error !== null)
    ? "redeliver"
    : "acknowledge";

export class AckNode {
  readonly #counts: Record<Counted, number> = {
    acknowledge: 0,
    redeliver: 0,
    decided: 0,
    late: 0,
    unknown: 0,
  };
  readonly #throttle = new Throttle(() => this.#show());
  #isGood = true;

  constructor(
    RED: NodeAPI,
    private readonly node: Node,
    config: AckConfig,
  ) {
    const acknowledgements = getAcknowledgements(RED);
    const leave = acknowledgements.join();
    node.on("input", (msg: NodeMessage & { event?: { ack?: unknown; kind?: unknown } }, _send, done) => {
      const { event } = msg;
      if (typeof event !== "object" || event === null || typeof event.kind !== "string") {
        done(new FieldError("FIELD_UNRESOLVED", "event", say("webhook.no-event"), { label: "msg.event" }));
        return;
      }
      if (typeof event.ack === "string") {
        const decision = decisionFor(config.answer, msg);
        this.#count(decision, acknowledgements.decide(event.ack, decision));
      } else {
        // The webhook-in node acknowledges on receipt, so the event is already decided.
        this.#count("acknowledge", "decided");
      }
      done();
    });
    const lifecycle = FlowLifecycle.of(RED);
    const handover = RedeployHandover.of(RED);
    handover.arrive(node);
    node.on("close", (ended: () => void) => {
      this.#throttle.close();
      if (lifecycle.partial) {
        // Decisions in transit count, also those that arrive before the successor exists.
        handover.begin(node, leave);
        setImmediate(ended);
      } else {
        leave();
        ended();
      }
    });
  }

  #count(decision: Decision, met: Met): void {
    this.#counts[met === "open" ? decision : met]++;
    this.#isGood &&= met === "open" || met === "decided";
    this.#throttle.ask();
  }

  #show(): void {
    const parts = COUNTED.filter((name) => this.#counts[name] > 0).map((name) =>
      say(`badges.ack.${name}`, { n: formatNumber(this.#counts[name]) }),
    );
    this.node.status(
      this.#isGood
        ? { fill: "green", shape: "dot", text: parts.join(" · ") }
        : { fill: "yellow", shape: "ring", text: parts.join(" · ") },
    );
  }
}
