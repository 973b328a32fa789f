import { ACTIVITY_PATH, ACTIVITY_TOPIC, type ActivityState, WATCH_FOR } from "../../shared/activity";
import { language } from "../dialog/locale";
import { DENIED } from "./request";
import type { ActivityModel, Change } from "./model";

/** ms between two polls: the runtime says nothing more to an editor that has not polled for a while. */
const POLL_EVERY = WATCH_FOR / 3;

/** Result of the latest request to the runtime: `up`, or the code of a fault, `down` or `denied`. */
export type Connection = string;

const faultOf = ({ status }: JQuery.jqXHR): string => DENIED[status] ?? "down";

/** Keeps the model up to date: polls at intervals, and whenever the runtime says that there is something new. */
export class ActivityFeed {
  #requests = 0;
  /** The latest request that is answered: its answer has all that those before it ask for. */
  #answered = 0;
  /** Requests that are not answered. */
  #open = 0;
  #isAskedAgain = false;

  constructor(
    private readonly model: ActivityModel,
    private readonly changed: (change: Change) => void,
    private readonly connection: (state: Connection) => void,
  ) {}

  start(): void {
    RED.comms.subscribe(ACTIVITY_TOPIC, () => this.#pollWhenAnswered());
    // After a lost connection the state can be different. Not every Node-RED has this event.
    RED.comms.on?.("connect", () => this.poll());
    document.addEventListener("visibilitychange", () => this.#pollIfVisible());
    setInterval(() => this.#pollIfVisible(), POLL_EVERY);
    this.poll();
  }

  /** Requests new entries, and to be told of others from now on. */
  poll(): void {
    const request = ++this.#requests;
    this.#open++;
    const query = $.param({
      epoch: this.model.epoch,
      after: this.model.completeTo,
      change: this.model.changesTo,
    });
    // The reasons of failures are in the language of the editor, which need not be that of the browser.
    const headers = { "Accept-Language": language() };
    $.ajax({ url: `${ACTIVITY_PATH}?${query}`, dataType: "json", headers })
      .done((state: ActivityState) => {
        if (request < this.#answered) {
          return;
        }
        this.#answered = request;
        this.connection("up");
        this.changed(this.model.take(state));
        this.model.changesTo = state.change;
      })
      .fail((answer) => {
        if (request === this.#requests) {
          this.connection(faultOf(answer));
        }
      })
      .always(() => {
        this.#open--;
        if (this.#isAskedAgain) {
          this.#isAskedAgain = false;
          this.#pollIfVisible();
        }
      });
  }

  /** Clears the activity, here and in the runtime. @param failed called where that was not possible */
  clear(failed: (fault: string) => void): void {
    $.ajax({ url: ACTIVITY_PATH, method: "DELETE" })
      .fail((answer) => failed(faultOf(answer)))
      .always(() => this.poll());
  }

  /** One poll at a time: what is told meanwhile is asked for once. */
  #pollWhenAnswered(): void {
    if (this.#open > 0) {
      this.#isAskedAgain = true;
    } else {
      this.#pollIfVisible();
    }
  }

  #pollIfVisible(): void {
    if (document.visibilityState === "visible") {
      this.poll();
    }
  }
}
