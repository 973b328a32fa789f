import { Applications } from "./applications";
import { Attachments } from "./attachments";
import { SessionWindow } from "./session-window";
import type { Clock } from "../util/clock";
import { MediaStore } from "./media-store";
import { Templates } from "./templates";

export class Inventory {
  readonly applications = new Applications();
  readonly attachments = new Attachments();
  readonly sessionWindow: SessionWindow;
  readonly media = new MediaStore();
  readonly templates = new Templates();

  constructor(clock: Clock) {
    this.sessionWindow = new SessionWindow(clock);
  }

  clear(): void {
    this.applications.clear();
    this.attachments.clear();
    this.sessionWindow.clear();
    this.media.clear();
    this.templates.clear();
  }
}
