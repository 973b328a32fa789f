import { ACTIVITY_PATH, ACTIVITY_TOPIC, type ActivityState, WATCH_FOR } from "../../shared/activity";
import type { ActivityModel, Change } from "./model";

/** ms between two looks: the runtime tells nobody who has not looked for a while. */
const LOOK_EVERY = WATCH_FOR / 3;
/** ms after which what an update left out is fetched, once it has become quiet. */
const QUIET = 1500;

/** Whether the runtime could be asked. */
export type Connection = "up" | "down" | "denied";

/** Keeps the model up to date: looks at the whole now and then, and takes in updates in between. */
export class ActivityFeed {
  #fill: number | null = null;
  #asked = 0;

  constructor(
    private readonly model: ActivityModel,
    private readonly changed: (change: Change) => void,
    private readonly connection: (state: Connection) => void,
  ) {}

  start(): void {
    RED.comms.subscribe(ACTIVITY_TOPIC, (_topic, update) => this.#take(update as ActivityState));
    // After a lost connection much may have happened, in another runtime even. Not every Node-RED tells.
    RED.comms.on?.("connect", () => this.look());
    document.addEventListener("visibilitychange", () => this.#lookIfSeen());
    setInterval(() => this.#lookIfSeen(), LOOK_EVERY);
    this.look();
  }

  /** Asks for what is new, and to be told what follows. */
  look(): void {
    const asked = ++this.#asked;
    const query = $.param({ epoch: this.model.epoch, after: this.model.completeTo });
    $.getJSON(`${ACTIVITY_PATH}?${query}`)
      .done((state: ActivityState) => {
        this.connection("up");
        this.#take(state);
      })
      .fail((answer) => {
        if (asked === this.#asked) {
          this.connection(answer.status === 401 || answer.status === 403 ? "denied" : "down");
        }
      });
  }

  /** Forgets everything, here and in the runtime. */
  clear(): void {
    $.ajax({ url: ACTIVITY_PATH, method: "DELETE" }).always(() => this.look());
  }

  #lookIfSeen(): void {
    if (document.visibilityState === "visible") {
      this.look();
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
      this.#fill = window.setTimeout(() => this.look(), QUIET);
    }
  }
}
