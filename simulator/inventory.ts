import { Applications } from "./applications";
import { Attachments } from "./attachments";
import { CareWindow } from "./care-window";
import type { Clock } from "./clock";
import { MediaStore } from "./media-store";
import { Templates } from "./templates";

/** What a request to an account can refer to. */
export class Inventory {
  readonly applications = new Applications();
  readonly attachments = new Attachments();
  readonly careWindow: CareWindow;
  readonly media: MediaStore;
  readonly templates = new Templates();

  /** @param mediaBytes how many bytes of uploaded media are kept */
  constructor(clock: Clock, mediaBytes: number) {
    this.careWindow = new CareWindow(clock);
    this.media = new MediaStore(mediaBytes);
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
