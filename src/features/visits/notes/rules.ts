/**
 * What a crew says of a visit: to the customer in three parts (what it saw, what it did, what to expect), to the office, and for whoever comes next.
 */

/** What the customer reads, in this order. */
export const customerParts = ['saw', 'did', 'expect'] as const
export type CustomerPart = (typeof customerParts)[number]

export const noteParts = [...customerParts, 'office', 'next'] as const
export type NotePart = (typeof noteParts)[number]

/** The parts that become what was typed, by the names of their fields: all but the office's, which only grows. */
export const noteFields = ['customerNote', 'sawNote', 'didNote', 'expectNote', 'nextNote'] as const
export type NoteField = (typeof noteFields)[number]

/** Characters that one part keeps. */
export const longestNote = 2000

/** What a phone makes of a part: the words that stood there when it began, and those that shall stand there. */
export type NoteChange = { was: string; text: string }

/** The words over each part, in the language of who reads them. */
export const customerPartLabels: Readonly<Record<'en' | 'es', Readonly<Record<CustomerPart, string>>>> = {
  en: { saw: 'What we saw', did: 'What we did', expect: 'What to expect' },
  es: { saw: 'Lo que vimos', did: 'Lo que hicimos', expect: 'Qué esperar' },
}

/** The parts as they stand on a visit; `customerNote` is one text from before there were three. */
export type CustomerWords = { customerNote: string; sawNote: string; didNote: string; expectNote: string }

/** What the customer reads of a visit: each part that says something, a line with its label; empty where nothing was said. */
export const customerText = (words: CustomerWords, language: string): string => {
  const labels = customerPartLabels[language === 'es' ? 'es' : 'en']
  const said = { saw: words.sawNote, did: words.didNote, expect: words.expectNote }
  return [
    words.customerNote.trim(),
    ...customerParts.map((part) => (said[part].trim() ? `${labels[part]}: ${said[part].trim()}` : '')),
  ]
    .filter(Boolean)
    .join('\n')
}

/**
 * A part after a change that was typed over an older text, maybe hours ago without a signal. Where nobody else wrote meanwhile, it is what was typed;
 * where somebody did, both stand there, theirs first: no words of anybody are lost, and a change that came twice changes nothing the second time.
 */
export const changedNote = (now: string, { was, text }: NoteChange): string => {
  const wished = text.trim()
  if (wished === now || now === was.trim()) return wished.slice(0, longestNote)
  const added = wished.startsWith(was.trim()) ? wished.slice(was.trim().length).trim() : wished
  if (!added || now.split('\n').includes(added)) return now
  return [now, added].filter(Boolean).join('\n').slice(0, longestNote)
}
