import { ACTIVITY_PATH, ACTIVITY_TOPIC, type ActivityState, WATCH_FOR } from "../../shared/activity";
import type { ActivityModel, Change } from "./model";

/** ms between two polls: the runtime stops updates for an editor that has not polled for a while. */
const POLL_EVERY = WATCH_FOR / 3;
/** ms without an update after which entries that updates left out are fetched. */
const QUIET = 1500;

/** Result of the latest request to the runtime. */
export type Connection = "up" | "down" | "denied";

/** Keeps the model up to date: polls the whole state at intervals, and applies updates in between. */
export class ActivityFeed {
  #fill: number | null = null;
  #requests = 0;

  constructor(
    private readonly model: ActivityModel,
    private readonly changed: (change: Change) => void,
    private readonly connection: (state: Connection) => void,
  ) {}

  start(): void {
    RED.comms.subscribe(ACTIVITY_TOPIC, (_topic, update) => this.#take(update as ActivityState));
    // After a lost connection the state can be different. Not every Node-RED has this event.
    RED.comms.on?.("connect", () => this.poll());
    document.addEventListener("visibilitychange", () => this.#pollIfVisible());
    setInterval(() => this.#pollIfVisible(), POLL_EVERY);
    this.poll();
  }

  /** Requests new entries, and updates from now on. */
  poll(): void {
    const request = ++this.#requests;
    const query = $.param({
      epoch: this.model.epoch,
      after: this.model.completeTo,
      change: this.model.changesTo,
    });
    $.getJSON(`${ACTIVITY_PATH}?${query}`)
      .done((state: ActivityState) => {
        this.connection("up");
        this.#take(state);
        this.model.changesTo = state.change ?? 0;
      })
      .fail((answer) => {
        if (request === this.#requests) {
          this.connection(answer.status === 401 || answer.status === 403 ? "denied" : "down");
        }
      });
  }

  /** Clears the activity, here and in the runtime. */
  clear(): void {
    $.ajax({ url: ACTIVITY_PATH, method: "DELETE" }).always(() => this.poll());
  }

  #pollIfVisible(): void {
    if (document.visibilityState === "visible") {
      this.poll();
    }
  }

  #take(state: ActivityState): void {
    const change = this.model.take(state);
    this.changed(change);
    if (this.#fill !== null) {
      clearTimeout(this.#fill);
      this.#fill = null;
    }
    if (change.incomplete) {
      this.#fill = window.setTimeout(() => this.poll(), QUIET);
    }
  }
}
