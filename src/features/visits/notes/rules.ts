/** What a crew says of a visit has three parts: to the office, to the customer, and for whoever comes next. */

export const noteParts = ['customer', 'office', 'next'] as const
export type NotePart = (typeof noteParts)[number]

/** Characters that one part keeps. */
export const longestNote = 2000

/** What a phone makes of a part: the words that stood there when it began, and those that shall stand there. */
export type NoteChange = { was: string; text: string }

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
