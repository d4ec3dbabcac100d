/** What a device shows. */
export type PushNote = {
  title: string
  body: string
  /** The same takes the place of what the device shows already. */
  tag: string
  /** The screen that a tap opens. */
  path: string
}

/** What became of a hand-over: taken, the device is gone for good, refused, or worth another try. */
export type PushResult =
  | { result: 'sent' }
  | { result: 'gone' }
  | { result: 'refused'; reason: string }
  | { result: 'later'; reason: string }

/** A note that nobody got in a day is old. */
export const keptSeconds = 86_400

/** A service that does not answer in this time is asked again later. */
export const answerMs = 15_000

export const laterOrRefused = (status: number, reason: string): PushResult =>
  status === 429 || status >= 500 ? { result: 'later', reason } : { result: 'refused', reason }

export const noAnswer = (error: unknown): PushResult => ({
  result: 'later',
  reason: error instanceof Error ? error.name : 'no answer',
})
