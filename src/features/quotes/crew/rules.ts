/** The most photos of what is noted. */
export const mostNotedPhotos = 6
/** The most services of what is noted. */
export const mostNotedLines = 20
export const leastNotedQuantity = 0.001
export const mostNotedQuantity = 100_000
export const mostNotedSquareFeet = 50_000_000
export const mostNotedFeet = 1_000_000

/** Whether what was noted can be taken as a draft of a quote. @param lines counts as they are, sizes in square feet, of edges in feet, or none */
export const isNotable = (
  lines: readonly { quantity: number; squareFeet: number | null; feet: number | null }[],
): boolean =>
  lines.length <= mostNotedLines &&
  lines.every(
    ({ quantity, squareFeet, feet }) =>
      quantity >= leastNotedQuantity &&
      quantity <= mostNotedQuantity &&
      (squareFeet === null || (squareFeet >= 1 && squareFeet <= mostNotedSquareFeet)) &&
      (feet === null || (feet >= 1 && feet <= mostNotedFeet)),
  )
