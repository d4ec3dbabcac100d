import { expect, it } from 'vitest'
import { portalTexts } from './texts.ts'

it.each(['en', 'es'] as const)('nothing asks for a call, for a business may have no number: %s', (language) => {
  const { sentMore, nobodyText, noCards, autopayCannot } = portalTexts[language]
  for (const words of [sentMore, nobodyText, noCards, autopayCannot]) expect(words).not.toMatch(/\bcall\b|llám/i)
})
