import { type EventSocket, openEventSocket } from "../event-socket";

const CONNECTIONS = 8;

/** Posts a delivery report for each message, as the service does, in the order of the messages. */
export class Reporter {
  readonly #waiting: (readonly [clientMessageId: string, transferId: string])[] = [];
  #free: EventSocket[] = [];
  #underWay = 0;
  #failed = 0;
  #count = 0;
  #drained: (() => void)[] = [];

  /** @param url of the webhook */
  constructor(url: string) {
    for (let each = 0; each < CONNECTIONS; each++) {
      openEventSocket(
        url,
        (socket, accepted) => {
          if (accepted !== null) {
            this.#underWay--;
            this.#failed += accepted ? 0 : 1;
          }
          this.#free.push(socket);
          this.#post();
        },
        (error) => {
          throw error;
        },
      );
    }
  }

  report(clientMessageId: string, transferId: string): void {
    if (clientMessageId === "") {
      throw new Error("a message without an id of the client cannot be reported");
    }
    this.#waiting.push([clientMessageId, transferId]);
    this.#post();
  }

  /** Resolves when all reports were taken: how many were not accepted. */
  async drained(): Promise<number> {
    if (this.#waiting.length > 0 || this.#underWay > 0) {
      await new Promise<void>((resolve) => this.#drained.push(resolve));
    }
    return this.#failed;
  }

  #post(): void {
    while (this.#free.length > 0 && this.#waiting.length > 0) {
      const [clientMessageId, transferId] = this.#waiting.shift() as [string, string];
      this.#underWay++;
      this.#free.pop()?.post({
        messageType: "deliveryReport",
        notificationId: String(++this.#count),
        transferId,
        senderAddress: "41790000000",
        deliveryReportMessageStatus: "delivered",
        sentOn: "2026-01-15T20:33:02.000+02:00",
        deliveredOn: "2026-01-15T20:33:03.000+02:00",
        deliveredAs: "sms",
        clientMessageId,
      });
    }
    if (this.#waiting.length === 0 && this.#underWay === 0) {
      for (const resolve of this.#drained.splice(0)) resolve();
    }
  }
}
