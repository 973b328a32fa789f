import type { ByteSource, OpenSource } from "../../contract/byte-source";
import { transferFault } from "./transfer";
import type { LocalFault } from "../../contract/local-outcomes";

/** Callbacks while a body is sent. */
export interface BodyWatch {
  readonly moved: (bytes: number) => void;
  /** The last piece was handed to the connection. */
  readonly sent: () => void;
  readonly failed: (fault: LocalFault, detail: string) => void;
}

/**
 * A source as the HTTP client takes a body: read at the pace of the connection and always closed. The
 * client writes the head of a request with the first piece of its body, so a source that cannot be opened sends
 * nothing at all.
 */
export async function* requestBody(source: ByteSource, watch: BodyWatch): AsyncGenerator<Uint8Array> {
  let open: OpenSource | null = null;
  try {
    open = await source.open();
    for await (const piece of open.pieces) {
      yield piece;
      watch.moved(piece.length);
    }
    watch.sent();
  } catch (error) {
    const { fault, detail } = transferFault(error);
    watch.failed(fault, detail);
    throw error;
  } finally {
    await open?.close();
  }
}
