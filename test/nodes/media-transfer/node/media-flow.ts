import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeMessage } from "node-red";
import type { Simulator } from "../../../../simulator/index";
import { type Config, startFlow, type TestFlow } from "../../../node/flow";

/** A temporary folder, and a way to remove it. */
export function newFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "media-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Every byte its own: a piece in the wrong place shows. */
export function bytes(size: number): Buffer {
  const content = Buffer.alloc(size);
  for (let at = 0; at < size; at++) content[at] = at % 251;
  return content;
}

type Service = Pick<Simulator, "url" | "credentials">;

/** Starts a flow with one media-transfer node at a service. */
export function startMedia(
  { url, credentials }: Service,
  sender: Config,
  account: Config = {},
  more: readonly Config[] = [],
  ports: 4 | 5 | 6 | 7 = 4,
): Promise<TestFlow> {
  const { username, password, clientId, clientSecret } = credentials;
  return startFlow({
    account: { service: "service", serviceAddress: url, legacyAuth: "basic", ...account },
    credentials: { username, password, clientId, clientSecret },
    sender: { type: "messaging-media-transfer", baseFolder: "", ...sender },
    more,
    ports,
  });
}

/** What a node makes of a message. */
export async function one({ send, all }: TestFlow, msg: Record<string, unknown>): Promise<NodeMessage> {
  const before = all.messages.length;
  send(msg);
  return (await all.until(before + 1)).at(-1) as NodeMessage;
}

/** The text of the first error of a flow. */
export async function errorText({ caught }: TestFlow): Promise<string> {
  const [msg] = (await caught.until(1)) as (NodeMessage & { error?: { message: string } })[];
  return String(msg?.error?.message);
}

/** What the node writes to disk under, and what it reads from, at this moment. */
export function openFilesIn(folder: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(folder) ? [target] : [];
    } catch {
      return [];
    }
  });
}

type Write = (...parameters: unknown[]) => Promise<unknown>;

/** Puts something in the way of every write to a file, until the returned function is called. */
export async function hinderWrites(
  hinder: (write: () => Promise<unknown>) => Promise<unknown>,
): Promise<() => void> {
  const handle = await open("/dev/null", "r");
  const prototype = Object.getPrototypeOf(handle) as { write: Write };
  await handle.close();
  const { write } = prototype;
  prototype.write = function (...parameters) {
    return hinder(() => write.apply(this, parameters));
  };
  return () => {
    prototype.write = write;
  };
}
