import { expect, it } from 'vitest'
import type { PaperWay } from '../../../shared/paper-ways.ts'
import { isReached, paperReach, reachWords, unreachedWords } from './rules.ts'

const [email, number] = ['ann@example.com', '+19125550147']
const stop = 'Replied STOP'

it.each<[PaperWay, string | null, string | null, string | null, string | null, string | null, string | null]>([
  ['email', email, number, null, email, null, null],
  // nobody who wants mail has a text, also where there is no mail
  ['email', null, number, null, null, null, null],
  ['text', email, number, null, null, number, null],
  ['both', email, number, null, email, number, null],
  ['both', null, number, null, null, number, null],
  // a STOP ends texts, never an invoice
  ['text', email, number, stop, email, null, stop],
  ['both', email, number, stop, email, null, stop],
  ['text', null, number, stop, null, null, stop],
  ['text', email, null, null, email, null, 'No mobile number on file'],
])('by %s to %s and %s, closed by %s', (way, mail, phone, noText, toMail, toText, why) =>
  expect(paperReach(way, { email: mail, number: phone }, noText)).toEqual({ mail: toMail, text: toText, why }),
)

it('says where it goes, or why it goes nowhere', () => {
  expect(reachWords({ mail: email, text: number }, String)).toBe(`${email} and by text to ${number}`)
  expect(reachWords({ mail: null, text: number }, String)).toBe(`${number} by text`)
  expect(isReached(paperReach('text', { email: null, number }, stop))).toBe(false)
  expect(unreachedWords({ why: stop })).toBe('has no e-mail on file, and gets no texts (Replied STOP)')
})
