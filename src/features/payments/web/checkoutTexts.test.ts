import { expect, it } from 'vitest'
import { checkoutTexts } from './checkoutTexts.ts'

const english =
  /\b(the|your|you|is|was|are|of|and|for|from|by|with|invoice|paid|pay|card|bank|account|charged|nothing|test)\b/i
const said = (text: unknown): string[] =>
  typeof text === 'string'
    ? [text]
    : typeof text === 'function'
      ? [text('X', true), text('X', false), text(true), text(false)]
      : Object.values(text as object)

it('the test checkout says nothing in English to who reads Spanish', () => {
  for (const text of Object.values(checkoutTexts.es).flatMap(said))
    expect(english.exec(text)?.[0] ?? null, text).toBeNull()
})
