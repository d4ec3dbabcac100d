import { customerParts, type NotePart, noteParts } from '../visits/notes/rules.ts'

/** What a crew says at a stop without typing it. */

/** Words that a crew picks: shown in its own language, written in the one of who reads them. */
export type Phrase = { id: string; part: NotePart; en: string; es: string }

export const mostPhrases = 40
export const longestPhrase = 160

export const partLabel: Record<NotePart, string> = {
  saw: 'To the customer: what we saw',
  did: 'To the customer: what we did',
  expect: 'To the customer: what to expect',
  office: 'To the office',
  next: 'For next time',
}

/** The phrases a business begins with. */
export const usualPhrases: readonly Phrase[] = [
  { id: 'great', part: 'saw', en: 'The lawn looks great.', es: 'El césped se ve muy bien.' },
  { id: 'dry', part: 'saw', en: 'The lawn is dry; it wants water.', es: 'El césped está seco; necesita agua.' },
  {
    id: 'weeds',
    part: 'saw',
    en: 'We saw weeds coming up. Ask us about a treatment.',
    es: 'Vimos maleza. Pregúntenos por un tratamiento.',
  },
  {
    id: 'waste',
    part: 'expect',
    en: 'Please pick up after pets before we come.',
    es: 'Por favor, recojan lo de las mascotas antes de la visita.',
  },
  {
    id: 'toys',
    part: 'did',
    en: 'We mowed around what lay on the lawn.',
    es: 'Cortamos alrededor de lo que había en el césped.',
  },
  {
    id: 'usual',
    part: 'did',
    en: 'We mowed, trimmed and blew the paths clean.',
    es: 'Cortamos, recortamos los bordes y limpiamos los caminos.',
  },
  {
    id: 'higher',
    part: 'did',
    en: 'We mowed higher than usual because it is dry.',
    es: 'Cortamos más alto que de costumbre porque está seco.',
  },
  {
    id: 'again',
    part: 'expect',
    en: 'Water it well in the next days.',
    es: 'Riéguelo bien en los próximos días.',
  },
  {
    id: 'sprinkler',
    part: 'office',
    en: 'A sprinkler head is broken. Please call the customer.',
    es: 'Hay un aspersor roto. Por favor, llamen al cliente.',
  },
  {
    id: 'damage',
    part: 'office',
    en: 'Something was damaged. Please call me.',
    es: 'Algo se dañó. Por favor, llámenme.',
  },
  {
    id: 'longer',
    part: 'office',
    en: 'This stop takes longer than planned.',
    es: 'Esta parada toma más tiempo de lo planeado.',
  },
  { id: 'gate', part: 'next', en: 'The gate sticks: lift it.', es: 'El portón se atora: levántalo.' },
  {
    id: 'soft',
    part: 'next',
    en: 'Soft ground behind the house: use the push mower.',
    es: 'Tierra blanda detrás de la casa: usa la podadora de empuje.',
  },
  {
    id: 'dog',
    part: 'next',
    en: 'Ring first: the dog is let out in the morning.',
    es: 'Toca primero: por la mañana sueltan al perro.',
  },
]

/** The language in which a picked phrase is written: the customer's, the office's English, the crew's own. */
export const languageOf = (
  part: NotePart,
  { customer, crew }: { customer: 'en' | 'es'; crew: 'en' | 'es' },
): 'en' | 'es' => (customerParts.some((one) => one === part) ? customer : part === 'office' ? 'en' : crew)

/** A phrase in a language; one without Spanish words is its English ones. */
export const phraseIn = (phrase: Pick<Phrase, 'en' | 'es'>, language: 'en' | 'es'): string =>
  language === 'es' && phrase.es ? phrase.es : phrase.en

/** A text with a phrase picked into it, or taken out again. */
export const withPhrase = (text: string, words: string): string =>
  text.includes(words)
    ? text.replace(words, '').replaceAll(/ {2,}/g, ' ').trim()
    : [text.trim(), words].filter(Boolean).join(' ')

/** The phrases of one part, in the order in which they stand. */
export const phrasesOf = (phrases: readonly Phrase[], part: NotePart): Phrase[] =>
  phrases.filter((phrase) => phrase.part === part)

export { type NotePart, noteParts }
