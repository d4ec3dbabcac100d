import type { Language } from '../../businesses/notices/rules.ts'

/** Whether a quote leaves its customer something to choose. */
export const hasOptions = ({
  packages,
  lines,
  prepayPercent,
}: {
  packages: readonly unknown[]
  lines: readonly { optional: boolean }[]
  prepayPercent?: number | null | undefined
}): boolean => packages.length > 0 || (prepayPercent ?? 0) > 0 || lines.some(({ optional }) => optional)

/**
 * What somebody agrees to with their name on a quote, word for word: it is part of what is signed. It names no place
 * of the name, which stands elsewhere on the page than on the paper.
 * @param chosen whether there was something to choose
 */
export const agreeWords: Record<Language, (business: string, chosen: boolean) => string> = {
  en: (business, chosen) =>
    `I accept this quote of ${business}${chosen ? ' with the options chosen here' : ''} and its terms, and agree that the name I give stands for my signature.`,
  es: (business, chosen) =>
    `Acepto esta cotización de ${business}${chosen ? ' con las opciones elegidas aquí' : ''} y sus términos, y que el nombre que doy vale como mi firma.`,
}

/** Why a renewal holds that nobody signed. */
export const renewedWords: Record<Language, (told: string, until: string) => string> = {
  en: (told, until) => `Renewed by itself: notice was sent on ${told}, and nobody said no by ${until}.`,
  es: (told, until) => `Se renovó sola: el aviso se envió el ${told} y nadie dijo que no hasta el ${until}.`,
}

const longestLine = 600
const mostLines = 40

/**
 * Lines of a drawn signature as a page sends them: x and y in turn as shares of the box. What is not such is left out.
 * @returns at most 40 lines of 300 points
 */
export const readStrokes = (text: string): number[][] => {
  if (text.length > 200_000) return []
  try {
    const read: unknown = JSON.parse(text || '[]')
    if (!Array.isArray(read)) return []
    return read
      .slice(0, mostLines)
      .flatMap((line) =>
        Array.isArray(line) && line.length >= 4 && line.every((one) => typeof one === 'number' && one >= 0 && one <= 1)
          ? [(line as number[]).slice(0, longestLine - (longestLine % 2))]
          : [],
      )
  } catch {
    return []
  }
}
