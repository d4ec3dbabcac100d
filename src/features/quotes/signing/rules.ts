import type { Language } from '../../businesses/notices/rules.ts'

/** What somebody agrees to with their name under a quote, word for word: it is part of what is signed. */
export const agreeWords: Record<Language, (business: string) => string> = {
  en: (business) =>
    `I accept this quote of ${business} with the options above and its terms, and agree that my name below stands for my signature.`,
  es: (business) =>
    `Acepto esta cotización de ${business} con las opciones de arriba y sus términos, y que mi nombre abajo vale como mi firma.`,
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
