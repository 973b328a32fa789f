import { Applications } from "./applications";
import { Attachments } from "./attachments";
import type { ByteBudget } from "../util/byte-budget";
import { SessionWindow } from "./session-window";
import type { Clock } from "../util/clock";
import { MediaStore } from "./media-store";
import { Templates } from "./templates";

/** Data of an account that requests can refer to. */
export class Inventory {
  readonly applications = new Applications();
  readonly attachments: Attachments;
  readonly sessionWindow: SessionWindow;
  readonly media: MediaStore;
  readonly templates = new Templates();

  /**
   * @param mediaBytes maximum bytes of uploaded media
   * @param budget shared with all other records
   */
  constructor(clock: Clock, mediaBytes: number, budget: ByteBudget) {
    this.attachments = new Attachments(budget);
    this.sessionWindow = new SessionWindow(clock);
    this.media = new MediaStore(mediaBytes, budget);
  }

  /** Restores the initial state. */
  clear(): void {
    this.applications.clear();
    this.attachments.clear();
    this.sessionWindow.clear();
    this.media.clear();
    this.templates.clear();
  }
}
