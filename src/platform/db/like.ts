/** The pattern that finds a person's words anywhere in a text: what LIKE would read as a wildcard is taken as itself. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/**
 * The spans of numbers that begin with typed digits, for numbers of up to nine digits: 104 means 104, 1040 to 1049, 10400 to 10499 and so on. An
 * index of numbers answers them; a number read as a text is looked for in every row.
 */
export const numbersStarting = (digits: string): { from: number; to: number }[] => {
  const first = Number(digits)
  if (!/^[1-9]\d{0,8}$/.test(digits)) return []
  return Array.from({ length: 10 - digits.length }, (_, more) => ({
    from: first * 10 ** more,
    to: (first + 1) * 10 ** more - 1,
  }))
}
