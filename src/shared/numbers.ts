export const squareFeetPerAcre = 43_560

/** A lawn's size as people say it: 43560 -> "1 acre", 5000 -> "5,000 sq ft". */
export const lawnSizeText = (squareFeet: number): string =>
  squareFeet === squareFeetPerAcre ? '1 acre' : `${squareFeet.toLocaleString('en-US')} sq ft`

/** A number as people type it: "1,250.5"; a comma stands only before three digits. @returns null when it is none */
export const parseNumber = (text: string): number | null => {
  const clean = text.trim().replace(/(\d),(?=\d{3}\b)/g, '$1')
  return /^-?(\d+\.?\d*|\.\d+)$/.test(clean) ? Number(clean) : null
}
