/** Which facts answer what a customer wrote: simple words, English and Spanish. No guessing beyond them. */

/** late: how late the crew is today; visit: the next one; balance: what is owed; last: the visit that was done. */
export const answerKinds = ['late', 'visit', 'balance', 'last'] as const
export type AnswerKind = (typeof answerKinds)[number]

export const mostAnswers = 3

/** From so many minutes on a crew is said to be late. */
export const lateFromMinutes = 10

/** Minutes as people say them: to the next five. */
export const roughMinutes = (minutes: number): number => Math.ceil(minutes / 5) * 5

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').replace(/[’‘]/g, "'").toLowerCase()

const words: readonly [RegExp, readonly AnswerKind[]][] = [
  [
    /\b(late|delay(ed)?|running behind|still coming|where (are|r) (you|u|they)|where is (the|my) crew|no one (came|showed|here)|nobody (came|showed|here)|retras\w*|tarde|demora\w*|atrasad\w*|donde esta\w*|todavia vienen|no ha(n)? (venido|llegado))\b/,
    ['late', 'visit'],
  ],
  [
    /\b(how much|what do i owe|owe|owed|balance|bill|invoice|pay|paid|payment|due|cuanto|debo|saldo|factura|cuenta|pagar|pago|pague)\b/,
    ['balance'],
  ],
  [
    /\b(when|what (day|time)|which day|next (visit|time|mow\w*|cut|service)|are you coming|you coming|schedule[d]?|cuando|que (dia|hora)|a que hora|vienen|van a venir|proxim[ao]\w*|siguiente)\b/,
    ['visit', 'late'],
  ],
  [
    /\b(did (you|they|anyone|someone) (come|mow|cut|do)|(were|was) (you|anyone|someone|they) here|last (visit|time|mow\w*|cut)|already (came|come|been|done)|missed|skipped|vinieron|ya (vinieron|pasaron|cortaron)|ultima (vez|visita))\b/,
    ['last', 'visit'],
  ],
]

/** What a message asks after, the plainest first; nothing where no word says. */
export const topicsOf = (text: string): AnswerKind[] => {
  const said = plain(text)
  return [...new Set(words.flatMap(([asked, kinds]) => (asked.test(said) ? kinds : [])))]
}

/** The facts to offer: those that were asked after, then the most useful of the others. */
export const chooseAnswers = (text: string, known: readonly AnswerKind[]): AnswerKind[] =>
  [...new Set([...topicsOf(text), ...answerKinds])].filter((kind) => known.includes(kind)).slice(0, mostAnswers)
