import { Applications } from "./applications";
import { Attachments } from "./attachments";
import type { ByteBudget } from "../util/byte-budget";
import { SessionWindow } from "./session-window";
import type { Clock } from "../util/clock";
import { MediaStore } from "./media-store";
import { Templates } from "./templates";

/** What a request to an account can refer to. */
export class Inventory {
  readonly applications = new Applications();
  readonly attachments: Attachments;
  readonly careWindow: SessionWindow;
  readonly media: MediaStore;
  readonly templates = new Templates();

  /**
   * @param mediaBytes how many bytes of uploaded media are kept
   * @param budget shared with all other records
   */
  constructor(clock: Clock, mediaBytes: number, budget: ByteBudget) {
    this.attachments = new Attachments(budget);
    this.careWindow = new SessionWindow(clock);
    this.media = new MediaStore(mediaBytes, budget);
  }

  /** Back to what every account has from the start. */
  clear(): void {
    this.applications.clear();
    this.attachments.clear();
    this.careWindow.clear();
    this.media.clear();
    this.templates.clear();
  }
}
