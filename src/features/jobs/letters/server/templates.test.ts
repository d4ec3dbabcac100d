import { expect, it } from 'vitest'
import { priceNotice } from '../../prices/server/templates.ts'
import { letterParagraphs, letterText } from './templates.ts'

const line = {
  ...{ serviceName: 'Mow', serviceNameEs: 'Corte', street: '9 Elm Ave', quantity: 1 },
  ...{ beforeCents: 4200, afterCents: 6000 },
}
const told = { name: 'Ann', fromOn: '2026-12-30', writtenOn: '2026-11-28', lines: [line] }

it.each([
  ['en', 'Wednesday, December 30, 2026'],
  ['es', '30 de diciembre de 2026'],
] as const)('a letter and a notice of new prices name the year, in %s', (language, day) => {
  for (const words of [
    letterText('Green', told, language),
    letterParagraphs({ phone: null }, told, language).join(' '),
    priceNotice('Green', told, language),
  ])
    expect(words).toContain(day)
})
