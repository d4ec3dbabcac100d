/** How many of a thing, as a person reads it: "1 visit", "1,200 visits". @param more what several are called, where an s is not enough */
export const counted = (n: number, one: string, more = `${one}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : more}`
