import type { QueueInstance, QueueInstances } from "../../shared/history";
import { el } from "../activity/dom";
import { formatCount, texts } from "../activity/formatting";
import { Collapsible } from "./collapsible";
import type { Tone } from "./history-model";
import { durationText, longTime, shortTime } from "./wording";

const TONES: Readonly<Record<QueueInstance["state"], Tone>> = {
  alive: "good",
  silent: "wait",
  ended: "none",
};

/** The Node-REDs that share the store of an account. Nothing is shown where only one can use it. */
export class InstancesSection {
  readonly element: HTMLElement;
  readonly #content = el("div");
  readonly #part = new Collapsible("messaging-history-instances", texts("instances.title"), this.#content);

  constructor() {
    // The element is there while its part is hidden, so that it can be asked whether it is in sight.
    this.element = el("div", "", this.#part.element);
    this.clear();
  }

  clear(): void {
    this.#part.element.hidden = true;
    this.#content.replaceChildren();
  }

  show({ instances, complete }: QueueInstances): void {
    if (instances === null) {
      this.clear();
      return;
    }
    this.#part.element.hidden = false;
    this.#part.summary = summaryOf(instances);
    const isSilent = instances.some(({ state }) => state === "silent");
    this.#content.replaceChildren(
      ...instances.map((each) => instanceRow(each, complete)),
      ...(isSilent ? [el("div", "messaging-history-quiet", texts("instances.silentHint"))] : []),
    );
  }

  /** Says why nothing is known of them, in place of what was known: a list that is old would be wrong. */
  fail(why: string): void {
    this.#part.summary = texts("instances.unknown");
    this.#content.replaceChildren(el("div", "messaging-history-said messaging-activity-wrong", why));
  }
}

function summaryOf(instances: readonly QueueInstance[]): string {
  return (["alive", "silent", "ended"] as const)
    .map((state) => [state, instances.filter((each) => each.state === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => texts(`instances.count.${state}`, { n: formatCount(count) }))
    .join(" · ");
}

function instanceRow(instance: QueueInstance, complete: boolean): HTMLElement {
  const { host, process, mine, state, startedAt, quietFor } = instance;
  const since = el("span", "", texts("instances.since", { time: shortTime(startedAt) }));
  since.title = longTime(startedAt);
  const name = el("span", "messaging-activity-who", host);
  name.title = host;
  return el(
    "div",
    "messaging-history-instance",
    el(
      "div",
      "messaging-activity-line",
      el("i", `messaging-activity-dot messaging-activity-${TONES[state]}`),
      name,
      mine ? el("span", "messaging-history-mine", texts("instances.mine")) : null,
    ),
    el(
      "div",
      "messaging-history-quiet",
      el("span", "", texts("instances.process", { n: String(process) })),
      " · ",
      since,
    ),
    el("div", "", texts(`instances.state.${state}`, { time: durationText(quietFor) })),
    el("div", "messaging-history-quiet", loadOf(instance, complete)),
  );
}

function loadOf({ sending, taken }: QueueInstance, complete: boolean): string {
  const load = [
    ...(sending > 0 ? [texts("instances.sending", { n: formatCount(sending) })] : []),
    ...(taken > 0
      ? [texts(complete ? "instances.taken" : "instances.takenAtLeast", { n: formatCount(taken) })]
      : []),
  ];
  return load.length === 0 ? texts(complete ? "instances.idle" : "instances.notCounted") : load.join(" · ");
}
