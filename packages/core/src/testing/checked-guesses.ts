/** Makes so many guesses, one after another. Returns how many were checked: they were wrong, and not refused before that. */
export async function checkedGuesses(count: number, guess: () => Promise<string>): Promise<number> {
  let checked = 0;
  for (let made = 0; made < count; made += 1) if ((await guess()) === "validation_error") checked += 1;
  return checked;
}
