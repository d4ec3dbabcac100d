import { expect, it } from 'vitest'
import { comeBack, viewerTexts } from './texts.ts'

/** Nobody is asked to call a business whose number the page does not show. */
it.each([
  ['en', '+19125550147', 'call us at (912) 555-0147'],
  ['en', null, 'answer the mail or text that brought you here'],
  ['es', '+19125550147', 'llámenos al (912) 555-0147'],
  ['es', null, 'conteste el correo o el mensaje que le trajo aquí'],
] as const)('%s, %s', (language, phone, words) => {
  const come = comeBack(language, phone)
  expect(come).toBe(words)
  const t = viewerTexts[language]
  for (const text of [
    t.noCards('$340.00', come),
    t.declined(come),
    t.expired('Jun 12', come),
    t.expiredBare(come),
    t.notSetUp(come),
  ])
    expect(text).toContain(words)
})
