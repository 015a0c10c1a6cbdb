/** Returns the reply of a call, and how often other work had its turn meanwhile. */
export async function withTurns<T>(run: () => Promise<T>): Promise<{ reply: T; turns: number }> {
  let turns = 0;
  let isRunning = true;
  const countTurn = () => {
    turns += 1;
    if (isRunning) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const reply = await run();
  isRunning = false;
  return { reply, turns };
}
