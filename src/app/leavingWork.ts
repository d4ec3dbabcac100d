let under: Promise<unknown> | null = null

/** What is still to be done on this phone for who has just left it: another document waits for it, which would break it off. */
export const addLeavingWork = (work: Promise<unknown>): void => {
  const mine = Promise.allSettled([under, work]).then(() => {
    if (under === mine) under = null
  })
  under = mine
}

export const leavingWork = (): Promise<unknown> | null => under
