import type { Refusal } from '../../shared/can.ts'

export const threadKinds = ['person', 'crew', 'everybody'] as const
export type ThreadKind = (typeof threadKinds)[number]

/** The most characters of one message. */
export const mostCharacters = 2_000
/** From so many characters left on, how many are left is said. */
export const countedFrom = 200
/** The most photos of one message. */
export const mostPhotos = 6
/** So many messages of each thread are on a phone without a signal. */
export const keptOnPhone = 100
/** An unread message is told to the office after so many minutes. */
export const noticeAfterMinutes = 5
/** Days for which a crew that somebody has left stays in their chat, to be read. */
export const leftCrewDays = 30
/** So many days what was written is kept. */
export const chatDays = 3 * 365 + 1
/** Messages that one person may send within a minute. */
export const mostAMinute = 60

/** A thread and who asks to write in it. */
export type ThreadFacts = {
  kind: ThreadKind
  /** Of the person or the crew. */
  name: string
  /** The person was deactivated, or the crew put away. */
  gone: boolean
  /** The person belongs to the office by now. */
  joinedOffice: boolean
  /** Who asks: of the office, or of a crew. */
  byOffice: boolean
  /** Who asks is on the crew today. */
  onCrew: boolean
}

/** Why nobody can write in a thread now, or who asks may not. */
export const threadRefusals = {
  write: ({ kind, name, gone, joinedOffice, byOffice, onCrew }) => {
    if (gone && kind === 'person')
      return `${name} does not work here any more. What you wrote to each other stays here to be read.`
    if (gone) return `${name} was put away. What was written stays here to be read.`
    if (joinedOffice) return `${name} works in the office now. What you wrote to each other stays here to be read.`
    if (byOffice) return null
    if (kind === 'everybody') return 'Only the office writes to everybody. Write to the office instead.'
    return kind === 'crew' && !onCrew ? `You are not on ${name} today. Write to the office instead.` : null
  },
} satisfies Record<'write', Refusal<ThreadFacts>>

/** A text as it is kept: without blank edges, and with one kind of line end. */
export const tidyText = (text: string): string => text.replace(/\r\n?/g, '\n').trim()

/** Whether there is something to send: words or a photo, and not too much of either. */
export const isSendable = ({ text, photoCount }: { text: string; photoCount: number }): boolean => {
  const { length } = tidyText(text)
  return length <= mostCharacters && photoCount <= mostPhotos && (length > 0 || photoCount > 0)
}

/** What a list and a notice show of a message in one line. */
export const excerpt = (text: string, photoCount: number, most = 140): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line === '') return photoCount === 1 ? 'Photo' : `${photoCount} photos`
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line
}
