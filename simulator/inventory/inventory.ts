import { APPLICATION_ID } from "../sign-in/credentials";
import { Attachments } from "./attachments";
import { SessionWindow } from "./session-window";
import type { Clock } from "../util/clock";
import { MediaStore } from "./media-store";
import { Templates } from "./templates";
import { isUuid } from "../util/formats";

export class Inventory {
  /** Ids of the sending applications, in lower case. */
  readonly applications = new Set([APPLICATION_ID]);
  readonly attachments = new Attachments();
  readonly sessionWindow: SessionWindow;
  readonly media = new MediaStore();
  readonly templates = new Templates();

  constructor(clock: Clock) {
    this.sessionWindow = new SessionWindow(clock);
  }

  hasApplication(id: string): boolean {
    return this.applications.has(id.toLowerCase());
  }

  addApplication(id: string): void {
    if (!isUuid(id)) throw new TypeError("applicationId: must be a UUID");
    this.applications.add(id.toLowerCase());
  }

  clear(): void {
    this.applications.clear();
    this.applications.add(APPLICATION_ID);
    this.attachments.clear();
    this.sessionWindow.clear();
    this.media.clear();
    this.templates.clear();
  }
}
