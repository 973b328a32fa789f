import { useEffect, useState } from "preact/hooks";

/** Draws the component again after these events of the editor. @returns how many there were */
export function useRedEvents(...names: readonly string[]): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const heard = (): void => setCount((before) => before + 1);
    for (const name of names) RED.events.on(name, heard);
    return () => {
      for (const name of names) RED.events.off(name, heard);
    };
  }, []);
  return count;
}
