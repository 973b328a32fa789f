import { READ_HISTORY } from "../../shared/history";
import { readInstances } from "./history-link";
import { InstancesSection } from "./instances-section";
import { Poll } from "./poll";
import { failureText } from "./wording";

/** Keeps the section of the Node-REDs up to date. */
export class InstancesPanel {
  readonly #section = new InstancesSection();
  readonly #mayRead = RED.user.hasPermission(READ_HISTORY);
  readonly #poll = new Poll(
    () => this.element.offsetParent !== null,
    (isCurrent) => this.#look(isCurrent),
  );
  #account: string | null = null;

  get element(): HTMLElement {
    return this.#section.element;
  }

  /** Follows the Node-REDs of an account; null for none. */
  watch(account: string | null): void {
    if (account !== this.#account) {
      this.#section.clear();
    }
    this.#account = account;
    if (account === null || !this.#mayRead) {
      this.#poll.stop();
    } else {
      this.#poll.start();
    }
  }

  /** @returns false where there is nothing to follow until the account is deployed anew */
  async #look(isCurrent: () => boolean): Promise<boolean> {
    try {
      const view = await readInstances(this.#account ?? "");
      if (isCurrent()) {
        this.#section.show(view);
      }
      return view.instances !== null;
    } catch (failure) {
      if (isCurrent()) {
        this.#section.fail(failureText(failure));
      }
      return true;
    }
  }
}
