/**
 * Makes a function that draws only what is another value than before: a button that is replaced under the mouse would lose the click.
 * Values are compared as JSON.
 */
export function whenChanged<Value>(draw: (value: Value) => void): (value: Value) => void {
  let drawn: string | undefined;
  return (value) => {
    const now = JSON.stringify(value);
    if (now !== drawn) {
      drawn = now;
      draw(value);
    }
  };
}
