import type { NodeAPI, NodeMessage } from "node-red";

const SIMPLE_NAME = /^[A-Za-z]\w*$/;

/** Whether a path is a top-level property. It is read directly, without Node-RED's parser, which parses the path every time. */
export const isSimpleProperty = (path: string): boolean => SIMPLE_NAME.test(path);

/** A property of the message; undefined where it or a parent of it does not exist. @param path without `msg.` */
export function messageValue(RED: NodeAPI, msg: NodeMessage, path: string): unknown {
  try {
    return isSimpleProperty(path) ? msg[path] : RED.util.getMessageProperty(msg, path);
  } catch {
    return undefined;
  }
}
