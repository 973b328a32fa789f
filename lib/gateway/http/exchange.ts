import type { Dispatcher } from "undici";
import { say } from "../../texts/say";
import type { LocalFault } from "../contract/local-outcomes";
import { AnswerBody } from "./body/answer-body";
import { Deadline } from "./deadline";
import { detailOf, faultAfter, faultBefore, type NodeError } from "./exchange-fault";
import type { CancelSignals } from "./cancel-signal";
import { type ByteSource, isSource, type OpenSource } from "../contract/byte-source";
import { type Transfer, transferFault } from "./body/transfer";

/** One HTTP request. `path` includes the query. Contains secrets, so it must not be logged. */
export interface HttpRequest {
  readonly origin: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A source needs the header `content-length`, and is opened only when the request is handed to a connection. */
  readonly body: string | Uint8Array | ByteSource | null;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** The result of a request: an answer, or a fault whose name says whether the request had left. */
export type Exchange =
  | { readonly answer: HttpAnswer; readonly fault?: never }
  | { readonly answer?: never; readonly fault: LocalFault; readonly detail: string };

export interface ExchangeLimits {
  /** ms from a ready connection to the last byte of the answer; for a file that moves, the longest standstill. */
  readonly answerTimeout: number;
  /** ms from asking for a connection to having one; longer than the connector's own timeout. */
  readonly readyTimeout: number;
  /** Bytes of the answer's body. */
  readonly maxBody: number;
}

/** Receives the result of an exchange. */
export interface Exchanged {
  /** Called once, inside a callback of the HTTP client: it must not throw or run code of a flow. */
  exchanged(result: Exchange): void;
  /** Asked directly before the first byte leaves; false ends the request as CLOSING. Absent: always true. */
  holdsLease?(): boolean;
}

/** Bytes that can still be in buffers when the last piece of a body was handed over, and bytes a second of a slow line. */
const IN_BUFFERS = 4 * 1024 * 1024;
const SLOW_LINE = 32 * 1024;

/** Additional ms for the answer to a body of this length, until a slow line has carried the buffers. */
const timeInBuffers = (length: number): number => (Math.min(length, IN_BUFFERS) / SLOW_LINE) * 1000;

/** One request in flight, as the HTTP client reports it. */
class Exchanging implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | null = null;
  #settled = false;
  #waiting = true;
  #status = 0;
  #headers: HttpAnswer["headers"] = {};
  /** Of the answer once the request has left; before that, of a connection. */
  #deadline: Deadline | null = null;
  readonly #body: AnswerBody;
  readonly #leaveSignals: readonly (() => void)[];

  constructor(
    private readonly request: HttpRequest,
    private readonly limits: ExchangeLimits,
    private readonly signals: CancelSignals,
    private readonly transfer: Transfer,
    private readonly waiter: Exchanged,
  ) {
    const { maxBody } = limits;
    this.#body = new AnswerBody(maxBody, transfer, (fault, detail) => this.#end(fault, detail));
    const stop = (): void => this.#stop();
    this.#leaveSignals = [signals.stopNew.onStop(stop), signals.abort.onStop(stop)];
  }

  dispatch(dispatcher: Dispatcher): void {
    const { origin, method, path, headers, body } = this.request;
    dispatcher.dispatch(
      {
        origin,
        method,
        path,
        headers,
        body: isSource(body) ? (this.#follow(body) as never) : body,
        // The HTTP client must not repeat a request of any method.
        idempotent: false,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      this,
    );
    // The HTTP client checks an idle connection before it writes to it, so most requests leave later.
    if (this.#controller === null && !this.#settled) {
      this.#deadline = new Deadline(this.limits.readyTimeout, () => this.#late());
    }
  }

  onRequestStart(control: Dispatcher.DispatchController): void {
    if (this.#settled) {
      // Given up while waiting for a connection: ended here, before a byte is written.
      control.abort(new Error("given up before a connection was ready"));
      return;
    }
    if (this.#controller !== null) {
      // The request left before and must not be sent twice, even if the HTTP client tries to.
      this.#settle({ fault: "CONNECTION_LOST", detail: say("service.late.again") });
      control.abort(new Error("sent before"));
      return;
    }
    if (this.waiter.holdsLease?.() === false) {
      this.#end("CLOSING", "");
      control.abort(new Error("the process was stopped while it waited for a connection"));
      return;
    }
    this.#controller = control;
    const { answerTimeout } = this.limits;
    if (this.#deadline === null) {
      this.#deadline = new Deadline(answerTimeout, () => this.#late());
    } else {
      this.#deadline.restart(answerTimeout);
    }
  }

  onResponseStart(
    _control: Dispatcher.DispatchController,
    code: number,
    received: HttpAnswer["headers"],
  ): void {
    if (code >= 200) {
      this.#status = code;
      this.#headers = received;
      this.#body.begin(code, received);
    }
  }

  onResponseData(control: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.transfer.limit !== undefined && !this.#settled) {
      this.#deadline?.progress(chunk.length);
    }
    this.#body.take(chunk, control);
  }

  onResponseEnd(): void {
    if (this.#settled) {
      return;
    }
    // The answer is complete: from now on no signal and no deadline changes it.
    this.#stopWaiting();
    const whole = this.#body.finish();
    if (whole instanceof Promise) {
      whole.then(
        (kept) => this.#answered(kept),
        (error: unknown) => this.#settle(transferFault(error)),
      );
    } else {
      this.#answered(whole);
    }
  }

  onResponseError(_control: Dispatcher.DispatchController, error: NodeError): void {
    const fault = this.#controller === null ? faultBefore(error) : faultAfter(error);
    this.#settle({ fault, detail: detailOf(error) });
  }

  #answered(body: Buffer): void {
    this.#settle({ answer: { status: this.#status, headers: this.#headers, body } });
  }

  #stopWaiting(): void {
    if (this.#waiting) {
      this.#waiting = false;
      this.#deadline?.stop();
      for (const leave of this.#leaveSignals) {
        leave();
      }
    }
  }

  #settle(result: Exchange): void {
    if (this.#settled) {
      return;
    }
    this.#settled = true;
    this.#stopWaiting();
    // The parts of an incomplete answer are removed before the result is reported.
    const clearing = result.answer === undefined ? this.#body.discard() : null;
    if (clearing === null) {
      this.waiter.exchanged(result);
    } else {
      void clearing.finally(() => this.waiter.exchanged(result));
    }
  }

  #end(fault: LocalFault, detail: string): void {
    this.#settle({ fault, detail });
    this.#controller?.abort(new Error(detail));
  }

  /** A signal was stopped. `stopNew` ends only a request that has not left. */
  #stop(): void {
    if (this.#controller === null) {
      this.#end("CLOSING", "");
    } else if (this.signals.abort.stopped) {
      this.#end("STOPPED_WAITING", "");
    }
  }

  #late(): void {
    const ms = this.limits.answerTimeout;
    if (this.#controller === null) {
      this.#end("CONNECT_TIMEOUT", say("service.late.connection"));
    } else if (this.#body.waitsForSink) {
      this.#end("FILE_UNWRITABLE", say("service.late.disk", { ms }));
    } else {
      const moves = this.transfer.limit !== undefined || isSource(this.request.body);
      this.#end("NO_ANSWER", say(moves ? "service.late.transfer" : "service.late.answer", { ms }));
    }
  }

  /**
   * A source as the HTTP client takes a body: read at the pace of the connection and always closed. The client writes the head of a
   * request with the first piece of its body, so a source that cannot be opened sends nothing at all.
   */
  async *#follow(source: ByteSource): AsyncGenerator<Uint8Array> {
    let open: OpenSource | null = null;
    try {
      open = await source.open();
      let moved = 0;
      for await (const piece of open.pieces) {
        yield piece;
        moved += piece.length;
        this.#deadline?.progress(piece.length);
        this.transfer.progress?.(moved, source.length);
      }
      this.#deadline?.restart(this.limits.answerTimeout + timeInBuffers(source.length));
    } catch (error) {
      const { fault, detail } = transferFault(error);
      this.#end(fault, detail);
      throw error;
    } finally {
      await open?.close();
    }
  }
}

/**
 * Sends one request once and tells exactly whether it had been handed to a ready connection when something
 * went wrong. Never throws, never repeats, never follows a redirect. Ends at once when `stopNew` is stopped before
 * the request was handed over, and when `abort` is stopped.
 */
export function beginExchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  limits: ExchangeLimits,
  signals: CancelSignals,
  transfer: Transfer,
  waiter: Exchanged,
): void {
  if (signals.stopNew.stopped || signals.abort.stopped) {
    waiter.exchanged({ fault: "CLOSING", detail: "" });
  } else {
    new Exchanging(request, limits, signals, transfer, waiter).dispatch(dispatcher);
  }
}

/** As `beginExchange`, with a promise, which never rejects. */
export function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  limits: ExchangeLimits,
  signals: CancelSignals,
): Promise<Exchange> {
  return new Promise((resolve) => {
    beginExchange(dispatcher, request, limits, signals, {}, { exchanged: resolve });
  });
}
