import type { PaperWay } from '../../../shared/paper-ways.ts'

/** How invoices, reminders, statements and receipts reach a customer: by mail, by text, or both. */

/** Where a paper goes now: an address, a number in E.164, or null. */
export type PaperReach = {
  mail: string | null
  text: string | null
  /** Why no text goes although one is wanted. */
  why: string | null
  /** The names of contacts to whom it goes, too. */
  also?: string[] | undefined
}

/**
 * Where a customer's papers go. Who wants texts that cannot reach them has mail instead, so that no invoice is lost over a STOP; who wants
 * mail never has a text that nobody asked for.
 * @param noText why no text may go to the number, or null
 */
export const paperReach = (
  way: PaperWay,
  { email, number }: { email: string | null; number: string | null },
  noText: string | null,
): PaperReach => {
  const why = way === 'email' ? null : number === null ? 'No mobile number on file' : noText
  const text = way === 'email' || why !== null ? null : number
  return { mail: way === 'text' && text !== null ? null : email, text, why }
}

/** Whether anything reaches a customer. */
export const isReached = ({ mail, text }: Pick<PaperReach, 'mail' | 'text'>): boolean => mail !== null || text !== null

/** By which ways somebody is told. */
export const toldWays = ['mail', 'text', 'both'] as const
export type Told = (typeof toldWays)[number]

/** By which ways a customer is told of money, or null where nothing reaches them. */
export const toldOf = ({ mail, text }: Pick<PaperReach, 'mail' | 'text'>): Told | null =>
  mail !== null ? (text !== null ? 'both' : 'mail') : text !== null ? 'text' : null

/** "by mail and text". */
export const toldBy: Record<Told, string> = { mail: 'by mail', text: 'by text', both: 'by mail and text' }
const toldByEs: Record<Told, string> = {
  mail: 'por correo',
  text: 'por mensaje de texto',
  both: 'por correo y mensaje de texto',
}

/** "by mail and text", "por correo y mensaje de texto". */
export const toldIn = (language: 'en' | 'es', told: Told): string => (language === 'es' ? toldByEs : toldBy)[told]

/** How the receipt of a payment reaches its payer, as a part of a sentence. */
export const receiptComes = (told: Told | null, language: 'en' | 'es' = 'en'): string => {
  if (language === 'es')
    return told === null ? 'esta página será entonces el recibo' : `el recibo llega ${toldByEs[told]}`
  return told === null ? 'this page then is the receipt' : `the receipt comes ${toldBy[told]}`
}

/** Why nothing reaches a customer, as the middle of a sentence. */
export const unreachedWords = ({ why }: Pick<PaperReach, 'why'>): string =>
  why === null ? 'has no e-mail on file' : `has no e-mail on file, and gets no texts (${why})`

/** "ann@example.com and by text to (912) 555-0147, also to Beth Cole". @param shown how a number is written */
export const reachWords = (
  { mail, text, also = [] }: Pick<PaperReach, 'mail' | 'text' | 'also'>,
  shown: (number: string) => string,
): string =>
  [
    [mail, text && (mail ? `by text to ${shown(text)}` : `${shown(text)} by text`)].filter(Boolean).join(' and '),
    ...(also.length > 0 ? [`also to ${also.join(' and ')}`] : []),
  ].join(', ')
