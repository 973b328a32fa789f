const PLAIN_NAME = /^[A-Za-z]\w*$/;

/** Whether a path names a property of a message itself: Node-RED takes any path apart anew each time, such a one needs it not. */
export const isSimpleProperty = (path: string): boolean => PLAIN_NAME.test(path);
