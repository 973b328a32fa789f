import { type QueueInstance, type QueueInstances, READ_HISTORY } from "../../shared/history/history";
import { el } from "../activity/dom";
import { texts } from "../activity/formatting";
import { Collapsible } from "../activity/collapsible";
import { dot, joined, line, quiet, titled } from "../activity/parts";
import { AccountPoll } from "./poll";
import { readInstances } from "./history-link";
import type { Tone } from "./history-model";
import { durationText, failureText, longTime, shortTime } from "./wording";

const TONES: Readonly<Record<QueueInstance["state"], Tone>> = {
  alive: "good",
  silent: "wait",
  ended: "none",
};

/** The Node-REDs that share the store of an account. Nothing is shown where only one can use it. */
export class InstancesSection {
  readonly element: HTMLElement;
  readonly #content = el("div");
  readonly #part = new Collapsible(
    "messaging-history-part messaging-history-instances",
    [texts("instances.title")],
    el("div", "messaging-history-body", this.#content),
  );
  readonly #mayRead = RED.user.hasPermission(READ_HISTORY);
  readonly #poll = new AccountPoll<QueueInstances>({
    element: () => this.element,
    read: readInstances,
    show: (view) => this.#show(view),
    // In place of what was known: a list that is old would be wrong.
    failed: (failure) => {
      this.#part.summary = texts("instances.unknown");
      this.#content.replaceChildren(
        el("div", "messaging-history-said messaging-activity-wrong", failureText(failure)),
      );
    },
  });

  constructor() {
    this.element = el("div", "", this.#part.element);
    this.#clear();
  }

  /** Follows the Node-REDs of an account; null for none. */
  watch(account: string | null): void {
    if (account !== this.#poll.account) {
      this.#clear();
    }
    this.#poll.follow(this.#mayRead ? account : null);
  }

  #clear(): void {
    this.#part.element.hidden = true;
    this.#content.replaceChildren();
  }

  #show({ instances, complete }: QueueInstances): boolean {
    if (instances === null) {
      this.#clear();
      return false;
    }
    this.#part.element.hidden = false;
    this.#part.summary = summaryOf(instances);
    const isSilent = instances.some(({ state }) => state === "silent");
    this.#content.replaceChildren(
      ...instances.map((each) => instanceRow(each, complete)),
      ...(isSilent ? [quiet(texts("instances.silentHint"))] : []),
    );
    return true;
  }
}

const summaryOf = (instances: readonly QueueInstance[]): string =>
  joined(
    ...(["alive", "silent", "ended"] as const).map((state) => {
      const { length: n } = instances.filter((each) => each.state === state);
      return n > 0 && texts(`instances.count.${state}`, { n });
    }),
  );

function instanceRow(instance: QueueInstance, complete: boolean): HTMLElement {
  const { host, process, mine, state, startedAt, quietFor } = instance;
  return el(
    "div",
    "messaging-history-instance",
    line(
      dot(TONES[state]),
      titled("messaging-activity-who", host, host),
      mine ? el("span", "messaging-history-mine", texts("instances.mine")) : null,
    ),
    quiet(
      el("span", "", texts("instances.process", { n: String(process) })),
      " · ",
      titled("", texts("instances.since", { time: shortTime(startedAt) }), longTime(startedAt)),
    ),
    el("div", "", texts(`instances.state.${state}`, { time: durationText(quietFor) })),
    quiet(loadOf(instance, complete)),
  );
}

const loadOf = ({ sending, taken }: QueueInstance, complete: boolean): string =>
  joined(
    sending > 0 && texts("instances.sending", { n: sending }),
    taken > 0 && texts(complete ? "instances.taken" : "instances.takenAtLeast", { n: taken }),
  ) || texts(complete ? "instances.idle" : "instances.notCounted");
